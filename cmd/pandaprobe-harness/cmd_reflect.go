package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func reflectCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "reflect",
		Category: categoryTraffic,
		Usage:    "look back: recent notices, rules in force, verdicts, and what rules changed",
		Description: `
Shows what an agent needs to learn from the recent past: the last 20 notices, the
rules in force, the last 20 promotions and retirements, and for each rule how many
of the last 1,000 notices are of its family, before and after it was added.

Example:
  pandaprobe-harness reflect --json

Exit codes: 0 shown, 1 failed, 2 called wrongly.`,
		Action: func(c *cli.Context) error { return runReflect(c.Context, e) },
	}
}

func runReflect(_ context.Context, e *env) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	r, err := engine.Reflect()
	if err != nil {
		return err
	}
	return e.print(r, func(w io.Writer) { writeReflection(w, r, widthOf(e.stdout.w)) })
}

func writeReflection(w io.Writer, r lifecycle.Reflection, width int) {
	reflectionPart(w, "Recent notices", len(r.Notices), func() { writeReflectedNotices(w, r.Notices, width) })
	fmt.Fprintln(w)
	reflectionPart(w, "Rules in force", len(r.Effects), func() { writeEffects(w, r, width) })
	fmt.Fprintln(w)
	reflectionPart(w, "Recent verdicts", len(r.Transitions), func() { writeEvents(w, r.Transitions, width) })
}

func reflectionPart(w io.Writer, title string, n int, write func()) {
	if n == 0 {
		fmt.Fprintf(w, "%s: none\n", title)
		return
	}
	fmt.Fprintf(w, "%s:\n", title)
	write()
}

func writeReflectedNotices(w io.Writer, notices []lifecycle.ReflectedNotice, width int) {
	rows := make([][]string, len(notices))
	for i, n := range notices {
		rows[i] = []string{when(n.TS), orDash(n.NoticeID), orDash(n.Severity), orDash(n.SessionID), orDash(n.Summary)}
	}
	table(w, []string{"TIME", "ID", "SEVERITY", "SESSION", "SUMMARY"}, rows, width)
}

// writeEffects shows each rule with the notices of its family.
func writeEffects(w io.Writer, r lifecycle.Reflection, width int) {
	texts := map[string]string{}
	for _, rule := range slices.Concat(r.Active, r.Candidates) {
		texts[rule.ID] = rule.Rule
	}
	rows := make([][]string, len(r.Effects))
	for i, f := range r.Effects {
		rows[i] = []string{f.RuleID, string(f.Status), orDash(string(f.Metric)), when(f.AddedAt),
			fmt.Sprint(f.NoticesBefore), fmt.Sprint(f.NoticesAfter), texts[f.RuleID]}
	}
	table(w, []string{"ID", "STATUS", "METRIC", "ADDED", "BEFORE", "AFTER", "RULE"}, rows, width)
	fmt.Fprintf(w, "BEFORE and AFTER count the notices of the rule's family among the last %s%s.\n",
		count(r.Window.Notices, "notice"), sinceText(r.Window.Since))
}

func sinceText(since *workspace.Time) string {
	if since == nil {
		return ""
	}
	return ", since " + when(*since)
}
