package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func wholeApp() *cli.App { return newApp(&env{}, nil) }

// TestEveryCommandIsExplained wants of each command what docs/cli.md says that
// its help has.
func TestEveryCommandIsExplained(t *testing.T) {
	for _, path := range leaves(nil, wholeApp().Commands) {
		c := path[len(path)-1]
		name := commandName(path)
		if c.Usage == "" || strings.HasSuffix(c.Usage, ".") {
			t.Errorf("%s: the usage %q should be a phrase", name, c.Usage)
		}
		for _, wanted := range []string{"Example", "Exit codes:"} {
			if !strings.Contains(c.Description, wanted) {
				t.Errorf("%s: the description lacks %q", name, wanted)
			}
		}
		isExample := regexp.MustCompile(`(?m)^  .*` + programName + `.* ` + name)
		if !isExample.MatchString(c.Description) {
			t.Errorf("%s: no example calls it", name)
		}
		if path[0].Category == "" {
			t.Errorf("%s: has no category", name)
		}
	}
}

// TestFlagsMeanTheSameEverywhere guards what lets flags stand in front of their
// command.
func TestFlagsMeanTheSameEverywhere(t *testing.T) {
	app := wholeApp()
	index := flagIndex(app)
	check := func(name string, flags []cli.Flag) {
		for _, f := range flags {
			for _, n := range f.Names() {
				if takesValue(f) != takesValue(index[n]) {
					t.Errorf("%s: --%s takes a value here and none elsewhere", name, n)
				}
				if strings.Count(usageOf(f), "`") != 2 && takesValue(f) {
					t.Errorf("%s: --%s does not name its value", name, n)
				}
			}
		}
	}
	check(programName, app.Flags)
	for _, path := range leaves(nil, app.Commands) {
		c := path[len(path)-1]
		check(commandName(path), c.Flags)
		for _, f := range c.Flags {
			if hasFlag(app.Flags, f.Names()[0]) {
				t.Errorf("%s: --%s is a flag of every command already", commandName(path), f.Names()[0])
			}
		}
	}
}

// TestBuildersAreNamedAsTheirCommands guards the short cut of commandsFor.
func TestBuildersAreNamedAsTheirCommands(t *testing.T) {
	for _, b := range builders() {
		if c := b.build(&env{}); c.Name != b.name {
			t.Errorf("builder %q makes the command %q", b.name, c.Name)
		}
	}
}

// leaves is the path of every command that does something.
func leaves(above, commands []*cli.Command) [][]*cli.Command {
	var all [][]*cli.Command
	for _, c := range commands {
		path := append(append([]*cli.Command{}, above...), c)
		if len(c.Subcommands) == 0 {
			all = append(all, path)
		}
		all = append(all, leaves(path, c.Subcommands)...)
	}
	return all
}
