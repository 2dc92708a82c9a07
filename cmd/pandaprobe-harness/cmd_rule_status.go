package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

func ruleStatusCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "tell how far a rule is in its life",
		ArgsUsage: "ID",
		Description: `
Tells the status of a rule, its baseline and trial rates, how many sessions were
observed and are needed, the inconclusive replay rounds, and the verdict.

Example:
  pandaprobe-harness rule status r-0123456789 --json

Exit codes: 0 told, 1 unknown id or broken file, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runRuleStatus(c.Context, e, ruleStatusOptions{id: c.Args().First()})
		},
	}
}

type ruleStatusOptions struct{ id string }

func runRuleStatus(_ context.Context, e *env, o ruleStatusOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	status, err := engine.RuleStatus(o.id)
	if err != nil {
		return err
	}
	return e.print(status, func(w io.Writer) { writeRuleStatus(w, status) })
}

func writeRuleStatus(w io.Writer, s lifecycle.RuleStatus) {
	l := s.Lifecycle
	fields(w,
		[]string{"rule", s.Rule.ID + ": " + s.Rule.Rule},
		[]string{"status", string(l.Status)},
		[]string{"baseline rate", rate(l.BaselineRate)},
		[]string{"trial rate", rate(l.TrialRate)},
		[]string{"sessions", fmt.Sprintf("%d of %d observed", l.SessionsObserved, l.SessionsNeeded)},
		[]string{"replay attempts", fmt.Sprint(l.ReplayAttempts)},
		[]string{"verdict", orDash(l.Verdict)},
	)
}
