package main

import "github.com/urfave/cli/v2"

func ruleCommand(e *env) *cli.Command {
	return group("rule", categoryRules, "add, show, search and retire rules", `
A rule is one short operating instruction for an agent. It enters as a candidate
and becomes active, or is retired, on evidence.`,
		ruleAddCommand(e),
		ruleListCommand(e),
		ruleShowCommand(e),
		ruleStatusCommand(e),
		ruleSearchCommand(e),
		ruleRetireCommand(e),
	)
}
