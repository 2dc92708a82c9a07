package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// writeRound shows a round to people: a block for each verdict, then what it
// came to, in lines that a CI log keeps readable. Why a round failed is told by
// the error.
func writeRound(w io.Writer, engine *lifecycle.Engine, round lifecycle.Round, failed bool) {
	texts := map[string]string{}
	for _, v := range round.Verdicts {
		if rule, err := engine.Workspace.Rule(v.RuleID); err == nil {
			texts[v.RuleID] = rule.Rule
		}
		writeVerdict(w, texts[v.RuleID], round, v)
	}
	if len(round.Verdicts) > 1 {
		writeOverview(w, texts, round)
	}
	for _, note := range round.Notes {
		fmt.Fprintf(w, "note: %s\n", lifecycle.SafeLine(note))
	}
	if !failed || round.Checked > 0 {
		fmt.Fprintln(w, summary(round))
	}
	if len(round.Gate) > 0 {
		fmt.Fprintf(w, "gate tripped: %s\n", strings.Join(round.Gate, ", "))
	}
}

func writeVerdict(w io.Writer, rule string, round lifecycle.Round, v lifecycle.Verdict) {
	fmt.Fprintf(w, "%s: %s\n", v.RuleID, outcomeText(v, round.DryRun))
	fmt.Fprintf(w, "  rule: %s\n", lifecycle.SafeLine(rule))
	fmt.Fprintf(w, "  why:  %s\n", lifecycle.SafeLine(v.Reason))
	if v.Details.ReplayDetails != nil {
		writeReplayed(w, v.Details.Cases)
	}
	fmt.Fprintln(w)
}

// writeOverview is a round at one glance.
func writeOverview(w io.Writer, texts map[string]string, round lifecycle.Round) {
	rows := make([][]string, len(round.Verdicts))
	for i, v := range round.Verdicts {
		rows[i] = []string{v.RuleID, outcomeText(v, round.DryRun), strings.ReplaceAll(v.ReasonCode, "_", " "), texts[v.RuleID]}
	}
	table(w, []string{"ID", "VERDICT", "REASON", "RULE"}, rows, 0)
	fmt.Fprintln(w)
}

// outcomeText says what became, or would become, of the rule.
func outcomeText(v lifecycle.Verdict, dryRun bool) string {
	would := ""
	if dryRun {
		would = "would be "
	}
	switch v.Outcome {
	case lifecycle.Promote:
		return would + "promoted"
	case lifecycle.Retire:
		return would + "retired"
	}
	return "stays a candidate"
}

func writeReplayed(w io.Writer, cases []lifecycle.CaseResult) {
	for _, c := range cases {
		fmt.Fprintf(w, "  case %s (%s, %.2f s): %s\n", c.CaseID, c.Kind, c.DurationS, lifecycle.SafeLine(caseText(c)))
		for _, line := range lastLines(c.StderrTail, 10) {
			fmt.Fprintf(w, "    | %s\n", lifecycle.SafeLine(line))
		}
	}
}

func caseText(c lifecycle.CaseResult) string {
	if c.ReasonCode != "" {
		return fmt.Sprintf("inconclusive (%s): %s", c.ReasonCode, c.Reason)
	}
	return perMetric(c.Deltas, signed)
}

func lastLines(text string, most int) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-most):]
}

func summary(round lifecycle.Round) string {
	if round.Checked == 0 {
		return "no candidate to judge"
	}
	promoted, retired := 0, 0
	for _, v := range round.Verdicts {
		switch v.Outcome {
		case lifecycle.Promote:
			promoted++
		case lifecycle.Retire:
			retired++
		}
	}
	text := fmt.Sprintf("%s judged: %d promoted, %d retired, %d pending", count(round.Checked, "candidate"), promoted, retired, round.Checked-promoted-retired)
	if round.DryRun {
		text += " (checked only: nothing was changed)"
	}
	return text
}
