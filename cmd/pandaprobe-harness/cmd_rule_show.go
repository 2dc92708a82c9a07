package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func ruleShowCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "show all of a rule",
		ArgsUsage: "ID",
		Description: `
Shows a rule, live or retired, with its baseline and the evidence so far.

Example:
  pandaprobe-harness rule show r-0123456789

Exit codes: 0 shown, 1 unknown id or broken file, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runRuleShow(c.Context, e, ruleShowOptions{id: c.Args().First()})
		},
	}
}

type ruleShowOptions struct{ id string }

func runRuleShow(_ context.Context, e *env, o ruleShowOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	rule, err := engine.Rule(o.id)
	if err != nil {
		return err
	}
	return e.print(ruleDocument{OK: true, Rule: rule}, func(w io.Writer) { writeRule(w, rule) })
}

func writeRule(w io.Writer, r workspace.Rule) {
	fields(w,
		[]string{"id", r.ID},
		[]string{"status", string(r.Status)},
		[]string{"rule", r.Rule},
		[]string{"rationale", orDash(r.Rationale)},
		[]string{"metric", orDash(string(r.Metric))},
		[]string{"tags", joined(r.Tags)},
		[]string{"signatures", joined(r.Signatures)},
		[]string{"notice", orDash(string(r.SourceNoticeID))},
		[]string{"created", when(r.CreatedAt)},
		[]string{"baseline", baselineText(r.Trial)},
		[]string{"trial", trialText(r.Trial)},
		[]string{"verdict", orDash(r.Trial.Verdict)},
	)
}

func baselineText(t workspace.Trial) string {
	if t.BaselineSessions == 0 {
		return "1.00 (no history)"
	}
	return fmt.Sprintf("%s (%d of %s breached, in the last %s)", rate(t.BaselineRate),
		t.BaselineBreachedSessions, count(t.BaselineSessions, "session"), count(t.BaselineWindow, "incident"))
}

func trialText(t workspace.Trial) string {
	return fmt.Sprintf("%s observed since %s, %d breached, %s inconclusive", count(len(t.ObservedSessions), "session"),
		when(t.TrialStartedAt), len(t.BreachedSessions), count(t.ReplayAttempts, "replay round"))
}
