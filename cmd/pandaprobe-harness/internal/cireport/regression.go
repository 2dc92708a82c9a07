package cireport

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// FromRegression makes the report of a regression run: one item a case. What
// blame found stands with the win that it is about.
func FromRegression(run lifecycle.Regression, s Source) Report {
	report := newReport("regress", "Regression run", s)
	for _, c := range run.Results {
		item := Item{
			ID: c.CaseID, Name: c.Kind, Outcome: c.Status, Code: c.ReasonCode, Reason: s.Redact(c.Reason),
			DurationS: c.DurationS, File: caseFile(c.CaseID), Quiet: c.Status == lifecycle.Unchanged,
		}
		switch c.Status {
		case lifecycle.Regressed:
			item.Result, item.Level, item.Code = Failed, Error, lifecycle.CodeRegression
		case lifecycle.Skipped:
			item.Result, item.Level = Skipped, Warning
			if c.ReasonCode == lifecycle.CodeNoReplayInput {
				item.Level = Notice // it is so every time
			}
		default:
			item.Result = Passed
		}
		item.Details = append([]string{s.Deltas(c.Deltas)}, s.tail(c.StderrTail)...)
		if win := blamed(run.Blame, c.CaseID); win != nil {
			item.blame(*win, s)
		}
		report.Items = append(report.Items, item)
	}
	return report
}

func blamed(blame *lifecycle.Blame, caseID string) *lifecycle.BlamedWin {
	if blame == nil {
		return nil
	}
	i := slices.IndexFunc(blame.Wins, func(w lifecycle.BlamedWin) bool { return w.CaseID == caseID })
	if i < 0 {
		return nil
	}
	return &blame.Wins[i]
}

// blame puts what was found into the item, whose annotation moves to the file
// of the rule.
func (item *Item) blame(win lifecycle.BlamedWin, s Source) {
	item.Reason += "; " + s.Redact(BlameText(win))
	item.DurationS += blameSeconds(win)
	if win.RuleID != "" {
		item.File = ruleFile(string(win.RuleID), win.Retired)
		item.Details = append(item.Details, "rule "+string(win.RuleID)+": "+s.ruleText(string(win.RuleID)))
	}
	for _, replay := range win.Tried {
		what := "replayed again"
		if len(replay.LeftOut) > 0 {
			what = "without " + strings.Join(replay.LeftOut, ", ")
		}
		item.Details = append(item.Details, s.caseLinesOf(what, replay)...)
	}
}

func (s Source) caseLinesOf(what string, replay lifecycle.BlameReplay) []string {
	lines := s.caseLines([]lifecycle.CaseResult{replay.CaseResult})
	lines[0] = what + ": " + lines[0]
	return lines
}

func blameSeconds(win lifecycle.BlamedWin) (s float64) {
	for _, replay := range win.Tried {
		s += replay.DurationS
	}
	return s
}

// BlameText says what blame came to for a win, and what that took.
func BlameText(win lifecycle.BlamedWin) string {
	text := "blame (" + counted(win.Replays, "replay") + "): " + win.Reason
	switch {
	case win.Retired:
		text = "rule " + string(win.RuleID) + " breaks it and was retired; " + text
	case win.RuleID != "":
		text = "rule " + string(win.RuleID) + " breaks it; " + text
	}
	return text
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
