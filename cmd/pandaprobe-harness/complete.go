package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// suggestions is what can stand at the end of a command line.
type suggestions struct {
	Words []suggestion `json:"words"`
	Shell string       `json:"shell"` // what the shell completes itself: files, folders, commands or nothing
}

// suggestion is one whole word in place of the one that was begun.
type suggestion struct {
	Word  string `json:"word"`
	About string `json:"about"`
}

// complete finds what can stand at the end of a command line, which begins with
// the name of the program.
func (e *env) complete(line string) suggestions {
	words, last := cutLine(line, e.variable("HOME"))
	if len(words) == 0 {
		return suggestions{Words: []suggestion{}}
	}
	app := newApp(e, nil)
	given, _ := split(flagIndex(app), words[1:]) // what is wrong may become right
	for _, f := range given.flags {
		if f.name == "workspace" {
			e.root = f.value
		}
	}
	call, _ := parse(app, words[1:])
	c := completer{env: e, app: app, path: call.path, given: given, last: last}
	found := c.suggest(words[len(words)-1])
	found.Words = slices.DeleteFunc(found.Words, func(s suggestion) bool { return !strings.HasPrefix(s.Word, last) })
	if found.Words == nil {
		found.Words = []suggestion{}
	}
	return found
}

// completer knows the words before the one that is to be completed.
type completer struct {
	*env
	app   *cli.App
	path  []*cli.Command
	given words
	last  string // what of the word is there already
}

func (c *completer) suggest(before string) suggestions {
	if c.given.dashed {
		return c.argument()
	}
	if f := c.flag(before); f != nil && takesValue(f) && !strings.Contains(before, "=") {
		return c.values(f.Names()[0], placeholder(f), "")
	}
	if strings.HasPrefix(c.last, "-") {
		if f := c.flag(c.last); f != nil && strings.Contains(c.last, "=") {
			name, _, _ := strings.Cut(c.last, "=")
			return c.values(f.Names()[0], placeholder(f), name+"=")
		}
		return c.flags()
	}
	if below := c.below(); len(below) > 0 {
		return c.commands(below)
	}
	return c.argument()
}

// flag is the flag that a word names, or nil. It may stand before its command.
func (c *completer) flag(word string) cli.Flag {
	name, _, _ := cutFlag(word)
	for _, f := range c.known() {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return flagIndex(c.app)[name]
}

// known are the flags that may stand in this line.
func (c *completer) known() []cli.Flag {
	if len(c.path) == 0 {
		return c.app.Flags
	}
	return slices.Concat(c.path[len(c.path)-1].Flags, c.app.Flags)
}

// flags are those that were not given yet, or may be given again.
func (c *completer) flags() (found suggestions) {
	for _, f := range c.known() {
		used := slices.ContainsFunc(c.given.flags, func(g givenFlag) bool { return slices.Contains(f.Names(), g.name) })
		if !used || isRepeatable(f) {
			found.add("--"+f.Names()[0], strings.ReplaceAll(usageOf(f), "`", ""))
		}
	}
	found.add("--help", "tell more about the command")
	return found
}

// below are the commands of the program, or of the group that was named.
func (c *completer) below() []*cli.Command {
	if len(c.path) == 0 {
		return c.app.Commands
	}
	return c.path[len(c.path)-1].Subcommands
}

// arguments counts the words that are neither flags nor commands.
func (c *completer) arguments() int {
	n := len(c.given.plain) - len(c.path) + len(c.given.after)
	if len(c.given.plain) > 0 && c.given.plain[0] == "help" {
		n--
	}
	return n
}

func (c *completer) commands(below []*cli.Command) (found suggestions) {
	if c.arguments() > 0 {
		return found // behind a command that there is not
	}
	for _, command := range below {
		found.add(command.Name, command.Usage)
	}
	if len(c.given.plain) == 0 {
		found.add("help", "tell more about a command")
	}
	return found
}

// argument completes by what the command's ArgsUsage says of this argument, and
// offers flags where no argument is wanted.
func (c *completer) argument() suggestions {
	if len(c.below()) > 0 {
		return suggestions{}
	}
	leaf := c.path[len(c.path)-1]
	names, takesCommand := strings.CutSuffix(leaf.ArgsUsage, commandArgs)
	switch {
	case takesCommand && c.given.dashed && len(c.given.after) == 0:
		return suggestions{Shell: "commands"}
	case takesCommand && c.given.dashed:
		return suggestions{Shell: "files"}
	}
	wanted := strings.Fields(names)
	at := c.arguments()
	if n := len(wanted); at >= n && n > 0 && strings.HasSuffix(wanted[n-1], "...") {
		at = n - 1
	}
	switch {
	case at < len(wanted):
		owner := c.path[max(0, len(c.path)-2)].Name
		return c.values(owner, strings.Trim(wanted[at], "[]."), "")
	case c.last == "" && !c.given.dashed:
		return c.flags()
	}
	return suggestions{}
}

// aboutLength keeps a suggestion and what it means in one line of a terminal.
const aboutLength = 60

func (s *suggestions) add(word, about string) {
	s.Words = append(s.Words, suggestion{word, cut(lifecycle.SafeLine(about), aboutLength)})
}
