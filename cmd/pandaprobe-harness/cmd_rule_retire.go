package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func ruleRetireCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "retire",
		Usage:     "take a rule out of force",
		ArgsUsage: "ID",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "reason", Required: true, Usage: "why, as `TEXT`; it goes into the journal; - reads standard input"},
		},
		Description: `
Retires a candidate or an active rule. Adding its text again later makes a new
rule.

Example:
  pandaprobe-harness rule retire r-0123456789 --reason "superseded"

Exit codes: 0 retired; 1 unknown id, retired already, or failed; 2 called
wrongly.`,
		Action: func(c *cli.Context) error {
			return runRuleRetire(c.Context, e, ruleRetireOptions{id: c.Args().First(), reason: c.String("reason")})
		},
	}
}

type ruleRetireOptions struct{ id, reason string }

func runRuleRetire(ctx context.Context, e *env, o ruleRetireOptions) error {
	e.signals.catch()
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if _, err := engine.Workspace.Rule(o.id); err != nil {
		return err // before standard input is waited for
	}
	if err := e.readTexts(ctx, textFlag{"--reason", &o.reason}); err != nil {
		return err
	}
	rule, err := engine.RetireRule(ctx, o.id, o.reason)
	if err != nil {
		return err
	}
	return e.print(ruleDocument{OK: true, Rule: rule}, func(w io.Writer) { printRetired(w, rule) })
}

func printRetired(w io.Writer, rule workspace.Rule) {
	fmt.Fprintf(w, "%s: retired: %s\n", rule.ID, lifecycle.SafeLine(rule.Rule))
}
