package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// invocation is a command line that was understood.
type invocation struct {
	path  []*cli.Command // from the group down to the command
	flags []givenFlag    // checked, values in the form the library reads
	args  []string
	help  bool // help was asked for, whatever else the line says
}

// givenFlag is one flag as it stands in the command line, without its dashes.
type givenFlag struct{ name, value string }

// parse reads the command line after the program's name. Flags are honoured
// wherever they stand, before and after the command and its arguments, up to
// `--` (docs/cli.md, "The command line"). For that, a flag's name means the
// same in every command that has it. Whatever is wrong is a *usageError, found
// before the command starts.
func parse(app *cli.App, line []string) (invocation, error) {
	words, err := split(flagIndex(app), line)
	if words.version {
		words.plain = append([]string{"version"}, words.plain...)
	}
	if len(words.plain) > 0 && words.plain[0] == "help" {
		words.help, words.plain = true, words.plain[1:]
	}
	call := invocation{help: words.help}
	commands := app.Commands
	for len(words.plain) > 0 {
		next := find(commands, words.plain[0])
		if next == nil {
			break
		}
		call.path, words.plain, commands = append(call.path, next), words.plain[1:], next.Subcommands
	}
	if words.unknown != "" {
		err = unknownFlag(app, call.path, words.unknown)
	}
	if len(commands) > 0 && len(words.plain) > 0 {
		call.help = false // of a command that there is not
		if err == nil {
			err = unknownCommand(call.path, commands, words.plain[0])
		}
	}
	if err != nil || call.help {
		return call, err
	}
	if len(commands) > 0 {
		return call, commandMissing(app, call.path)
	}
	return call, call.check(app, words)
}

// words is a command line cut into its parts.
type words struct {
	plain   []string // arguments before `--`, the command among them
	dashed  bool     // there was a `--`
	after   []string // everything behind it
	flags   []givenFlag
	unknown string // the first flag that no command has
	help    bool
	version bool
}

// split tells flags, their values and other words apart. A value may look like
// a flag (`--rule -x`), unless it is one of this program: then it was more
// likely forgotten, and `--rule=--json` says that it was not.
func split(known map[string]cli.Flag, line []string) (w words, err error) {
	for i := 0; i < len(line); i++ {
		name, value, hasValue := cutFlag(line[i])
		switch {
		case line[i] == "--":
			w.dashed, w.after = true, line[i+1:]
			return w, err
		case isHelp(line[i]):
			w.help = true
		case line[i] == "--version" && i == 0:
			w.version = true
		case name == "":
			w.plain = append(w.plain, line[i])
		case known[name] == nil:
			if w.unknown == "" {
				w.unknown = line[i]
			}
		case hasValue:
			w.flags = append(w.flags, givenFlag{name, value})
		case !takesValue(known[name]):
			w.flags = append(w.flags, givenFlag{name, "true"})
		case i+1 == len(line) || isOwnFlag(known, line[i+1]):
			if err == nil {
				err = valueMissing(name, line[i+1:])
			}
		default:
			i++
			w.flags = append(w.flags, givenFlag{name, line[i]})
		}
	}
	return w, err
}

// cutFlag returns name "" for a word that is no flag; a lone dash is none. One
// dash makes a flag of one letter (-n) and no long one: then the name keeps it.
func cutFlag(word string) (name, value string, hasValue bool) {
	if len(word) < 2 || word[0] != '-' {
		return "", "", false
	}
	if long, ok := strings.CutPrefix(word, "--"); ok {
		return cutLong(long)
	}
	if len(word) == 2 {
		return word[1:], "", false
	}
	return word, "", false
}

func cutLong(long string) (name, value string, hasValue bool) {
	name, value, hasValue = strings.Cut(long, "=")
	if name == "" {
		name = "=" // no flag has this name
	}
	return name, value, hasValue
}

func isHelp(word string) bool { return word == "-h" || word == "--help" }

func isOwnFlag(known map[string]cli.Flag, word string) bool {
	name, _, _ := cutFlag(word)
	return word == "--" || isHelp(word) || known[name] != nil
}

// asksForJSON looks for --json even in a line that cannot be understood, for
// its error document.
func asksForJSON(line []string) bool {
	asked := false
	for _, word := range line {
		switch {
		case word == "--":
			return asked
		case word == "--json":
			asked = true
		case strings.HasPrefix(word, "--json="):
			asked, _ = parseBool(strings.TrimPrefix(word, "--json="))
		}
	}
	return asked
}

// flagIndex is every flag of the program by its name.
func flagIndex(app *cli.App) map[string]cli.Flag {
	index := map[string]cli.Flag{}
	add := func(flags []cli.Flag) {
		for _, f := range flags {
			for _, name := range f.Names() {
				index[name] = f
			}
		}
	}
	add(app.Flags)
	for c := range allCommands(app.Commands) {
		add(c.Flags)
	}
	return index
}

// takesValue tells flags that need a value from those that may stand alone.
func takesValue(f cli.Flag) bool {
	switch f := f.(type) {
	case *cli.BoolFlag:
		return false
	case *cli.GenericFlag:
		alone, ok := f.Value.(interface{ IsBoolFlag() bool })
		return !ok || !alone.IsBoolFlag()
	}
	return true
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// canonical is the line in the one form that urfave/cli reads without fault:
// program, global flags, command, its flags, `--`, arguments.
func (call invocation) canonical(program string) []string {
	leaf := call.path[len(call.path)-1]
	line := []string{program}
	for _, f := range call.flags {
		if !hasFlag(leaf.Flags, f.name) {
			line = append(line, "--"+f.name+"="+f.value)
		}
	}
	for _, c := range call.path {
		line = append(line, c.Name)
	}
	for _, f := range call.flags {
		if hasFlag(leaf.Flags, f.name) {
			line = append(line, "--"+f.name+"="+f.value)
		}
	}
	if len(call.args) > 0 {
		line = append(append(line, "--"), call.args...)
	}
	return line
}

func hasFlag(flags []cli.Flag, name string) bool {
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name {
				return true
			}
		}
	}
	return false
}
