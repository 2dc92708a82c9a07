package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"
)

func completionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Category:  categoryOther,
		Usage:     "print the completion script of a shell: bash, zsh or fish",
		ArgsUsage: "[SHELL]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "line", Usage: "print what can stand at the end of the command line `LINE` instead; the scripts ask for this"},
		},
		Description: `
With the script loaded, the TAB key completes commands, flags, the ids of rules,
cases and notices, knobs and other known words. The script asks this program each
time, so it need not be renewed with it.

With --line each line of the answer is a word, a TAB and what it means, or one of
:files, :folders and :commands for what the shell itself completes.

Examples:
  source <(pandaprobe-harness completion bash)      # in ~/.bashrc
  source <(pandaprobe-harness completion zsh)       # in ~/.zshrc, after compinit
  pandaprobe-harness completion fish | source       # in config.fish

Exit codes: 0 printed, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runCompletion(c.Context, e, completionOptions{shell: c.Args().First(), line: c.String("line"), asked: c.IsSet("line")})
		},
	}
}

type completionOptions struct {
	shell string
	line  string
	asked bool // --line was given
}

// shells are those that there is a script for.
func shells() []string { return []string{"bash", "zsh", "fish"} }

var (
	//go:embed shell/completion.bash
	bashScript string
	//go:embed shell/completion.zsh
	zshScript string
	//go:embed shell/completion.fish
	fishScript string
)

func runCompletion(_ context.Context, e *env, o completionOptions) error {
	switch {
	case o.asked && o.shell != "":
		return usagef("completion takes a shell or --line, not both")
	case o.asked:
		return e.printSuggestions(e.complete(o.line))
	case o.shell == "":
		return usagef("completion needs a shell: %s", listed(shells()))
	}
	script, ok := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[o.shell]
	if !ok {
		return usagef("there is no completion script for %q%s", o.shell, didYouMean(o.shell, shells(), "use "+listed(shells())))
	}
	doc := completionDocument{OK: true, Shell: o.shell, Script: script}
	return e.print(doc, func(w io.Writer) { io.WriteString(w, script) })
}

type completionDocument struct {
	OK     bool   `json:"ok"`
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

// suggestionsDocument is the JSON of completion --line.
type suggestionsDocument struct {
	OK bool `json:"ok"`
	suggestions
}

func (e *env) printSuggestions(s suggestions) error {
	return e.print(suggestionsDocument{true, s}, func(w io.Writer) {
		for _, word := range s.Words {
			fmt.Fprintf(w, "%s\t%s\n", word.Word, word.About)
		}
		if s.Shell != "" {
			fmt.Fprintf(w, ":%s\n", s.Shell)
		}
	})
}
