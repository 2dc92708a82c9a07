package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/cmd/pandaprobe-harness/internal/cireport"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// writeRegression shows a regression run to people: a line for each case, what
// blame found, then what it came to.
func writeRegression(w io.Writer, engine *lifecycle.Engine, run lifecycle.Regression) {
	for _, c := range run.Results {
		writeOutcome(w, c)
	}
	if len(run.Results) > 0 {
		fmt.Fprintln(w)
	}
	if run.Blame != nil {
		writeBlame(w, engine, run)
	}
	fmt.Fprintln(w, regressionSummary(run))
	if len(run.Gate) > 0 {
		fmt.Fprintf(w, "gate tripped: %s\n", strings.Join(run.Gate, ", "))
	}
}

func writeOutcome(w io.Writer, c lifecycle.CaseOutcome) {
	text := fmt.Sprintf("%s %s: ", c.Kind, c.CaseID)
	switch {
	case c.ReasonCode != "":
		text += fmt.Sprintf("%s (%s)", c.Reason, c.ReasonCode)
	case c.Status == lifecycle.Unchanged:
		text += perMetric(c.Deltas, signed)
	default:
		text = c.Reason // names the case
	}
	fmt.Fprintf(w, "%-9s  %s\n", c.Status, lifecycle.SafeLine(text))
	for _, line := range lastLines(c.StderrTail, 10) {
		fmt.Fprintf(w, "    | %s\n", lifecycle.SafeLine(line))
	}
}

func writeBlame(w io.Writer, engine *lifecycle.Engine, run lifecycle.Regression) {
	for _, win := range run.Blame.Wins {
		fmt.Fprintf(w, "%s: %s\n", win.CaseID, lifecycle.SafeLine(cireport.BlameText(win)))
		if rule, err := engine.Workspace.Rule(string(win.RuleID)); err == nil {
			fmt.Fprintf(w, "  rule: %s\n", lifecycle.SafeLine(rule.Rule))
		}
	}
	fmt.Fprintf(w, "blame took %s of at most %d\n\n", count(run.Blame.Replays, "replay"), run.Blame.Limit)
}

func regressionSummary(run lifecycle.Regression) string {
	if run.TotalCases == 0 {
		return "the eval set is empty: there is nothing to replay"
	}
	text := fmt.Sprintf("%s: %d regressed, %d improved, %d unchanged, %d skipped",
		count(run.TotalCases, "case"), run.Regressed, run.Improved, run.Unchanged, run.Skipped)
	if left := run.EvalSet - run.TotalCases; left > 0 {
		text += fmt.Sprintf(" (%s of the eval set not in the sample)", count(left, "case"))
	}
	if run.DryRun {
		text += " (checked only: nothing was changed)"
	}
	return text
}
