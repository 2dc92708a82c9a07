package main

import (
	"time"

	"github.com/urfave/cli/v2"
)

// The headings under which the help lists the commands.
const (
	categoryRules     = "Rules"
	categoryCases     = "Eval set"
	categoryValidate  = "Validation"
	categoryTraffic   = "Live traffic"
	categoryWorkspace = "Workspace"
	categoryOther     = "Other"
)

var categories = []string{categoryRules, categoryCases, categoryValidate, categoryTraffic, categoryWorkspace, categoryOther}

// noTime keeps urfave/cli from looking up when the program was built.
var noTime = time.Unix(0, 0)

// builders make the commands, in the order of the help. One file per group
// defines its own: flags and help, the options, what it does, and how it is
// shown, in this order. It is a function because one of the commands, completion,
// looks at all of them.
func builders() []builder {
	return []builder{
		{"rule", ruleCommand},
		{"context", contextCommand},
		{"case", caseCommand},
		{"validate", validateCommand},
		{"regress", regressCommand},
		{"observe", observeCommand},
		{"drain", drainCommand},
		{"calibrate", calibrateCommand},
		{"notice", noticeCommand},
		{"journal", journalCommand},
		{"reflect", reflectCommand},
		{"history", historyCommand},
		{"tool", toolCommand},
		{"init", initCommand},
		{"import", importCommand},
		{"config", configCommand},
		{"doctor", doctorCommand},
		{"completion", completionCommand},
		{"man", manCommand},
		{"version", versionCommand},
	}
}

type builder struct {
	name  string
	build func(*env) *cli.Command
}

// commandsFor makes the commands that a command line may be about: the one that
// its first word names, which spares a start the making of the others, or all.
func commandsFor(e *env, line []string) []*cli.Command {
	var all []*cli.Command
	for _, b := range builders() {
		if len(line) > 0 && line[0] == b.name {
			return quiet([]*cli.Command{b.build(e)})
		}
	}
	for _, b := range builders() {
		all = append(all, b.build(e))
	}
	return quiet(all)
}

// quiet turns the library's own help off.
func quiet(commands []*cli.Command) []*cli.Command {
	for c := range allCommands(commands) {
		c.HideHelp = true
	}
	return commands
}

// group is a command that only holds others.
func group(name, category, usage, description string, commands ...*cli.Command) *cli.Command {
	return &cli.Command{
		Name: name, Category: category, Usage: usage, Description: description, Subcommands: commands,
	}
}
