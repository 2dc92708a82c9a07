package cireport

import (
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// FromRound makes the report of a round of validation: one item a candidate.
func FromRound(round lifecycle.Round, s Source) Report {
	report := newReport("validate", "Rule validation", s)
	for _, v := range round.Verdicts {
		item := Item{
			ID: v.RuleID, Name: s.ruleText(v.RuleID), Outcome: s.Verdict(v), Code: v.ReasonCode,
			Reason: s.Redact(v.Reason), File: ruleFile(v.RuleID, isRetired(v)),
		}
		item.Result, item.Level = resultOf(v, round.Gate)
		if v.Details.ReplayDetails != nil {
			item.Details = s.caseLines(v.Details.Cases)
			for _, c := range v.Details.Cases {
				item.DurationS += c.DurationS
			}
		}
		report.Items = append(report.Items, item)
	}
	return report
}

// resultOf fails a candidate that is retired. What tripped a gate is loud,
// whatever it is; a retirement that tripped none is still worth a warning.
func resultOf(v lifecycle.Verdict, tripped []string) (Result, Level) {
	level := func(gate string, otherwise Level) Level {
		if slices.Contains(tripped, gate) {
			return Error
		}
		return otherwise
	}
	switch {
	case v.Outcome == lifecycle.Promote:
		return Passed, Notice
	case v.Outcome == lifecycle.Retire:
		return Failed, level(lifecycle.GateRetired, Warning)
	case v.Validator == lifecycle.ValidatorNone:
		return Errored, Error
	case v.ReasonCode == lifecycle.CodeChanged:
		return Skipped, Notice
	case v.Validator == lifecycle.ValidatorReplay:
		return Skipped, level(lifecycle.GateInconclusive, Warning)
	}
	return Skipped, level(lifecycle.GatePending, Notice)
}
