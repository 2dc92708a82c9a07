package main

import (
	"fmt"
	"iter"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// What is said of a command line that cannot be understood, with the nearest
// thing that could have been meant.

func unknownCommand(path, among []*cli.Command, word string) error {
	if len(path) > 0 {
		return usagef("%s has no command %q%s", commandName(path), word, didYouMean(word, names(among), listed(names(among))))
	}
	return usagef("unknown command %q%s", word, didYouMean(word, names(among), "see `"+programName+" --help`"))
}

func unknownFlag(app *cli.App, path []*cli.Command, word string) error {
	word, _, _ = strings.Cut(word, "=")
	known := append(flagNames(app.Flags), "help")
	of := ""
	if len(path) > 0 {
		known = append(known, flagNames(path[len(path)-1].Flags)...)
		of = " of " + commandName(path)
	}
	advice := "see `" + strings.Join(append([]string{programName}, append(names(path), "--help`")...), " ")
	// The name alone is compared: dashes in front would make any two alike.
	if near, ok := workspace.Nearest(strings.TrimLeft(word, "-"), known); ok {
		advice = "did you mean --" + near + "?"
	}
	return &usageError{flag: word, message: fmt.Sprintf("unknown flag %s%s; %s", word, of, advice)}
}

func flagNames(flags []cli.Flag) []string {
	var all []string
	for _, f := range flags {
		all = append(all, f.Names()...)
	}
	return all
}

func valueMissing(name string, rest []string) error {
	message := fmt.Sprintf("flag --%s needs a value", name)
	if len(rest) > 0 && rest[0] != "--" {
		message += fmt.Sprintf("; write --%s=%s if %s is the value", name, rest[0], rest[0])
	}
	return &usageError{flag: "--" + name, message: message}
}

// commandMissing is a call of the program, or of a group, without saying what
// to do.
func commandMissing(app *cli.App, path []*cli.Command) error {
	page := &helpPage{app: app, path: path}
	if len(path) == 0 {
		return &usageError{message: "no command is given", help: page}
	}
	return &usageError{message: commandName(path) + " needs a command: " + listed(names(path[len(path)-1].Subcommands)), help: page}
}

// didYouMean names the nearest word, or gives the other advice.
func didYouMean(word string, known []string, otherwise string) string {
	if near, ok := workspace.Nearest(word, known); ok {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return "; " + otherwise
}

func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func names(commands []*cli.Command) []string {
	var all []string
	for _, c := range commands {
		all = append(all, c.Name)
	}
	return all
}

func commandName(path []*cli.Command) string { return strings.Join(names(path), " ") }

// allCommands walks the tree, groups before what is in them.
func allCommands(commands []*cli.Command) iter.Seq[*cli.Command] {
	return func(yield func(*cli.Command) bool) {
		for _, c := range commands {
			if !yield(c) {
				return
			}
			for sub := range allCommands(c.Subcommands) {
				if !yield(sub) {
					return
				}
			}
		}
	}
}
