package lifecycle

import (
	"fmt"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Reason codes of a forward trial's verdict (docs/cli.md, "Reason codes").
const (
	CodeTrialRunning = "trial_in_progress"
	CodeRateDropped  = "breach_rate_dropped"
	CodeRateNotLower = "breach_rate_not_lower"
)

// judgeTrial decides on a candidate by the live sessions that it was in force
// for (docs/closed-loop.md, "Forward trials"). The rule has its evidence joined.
func judgeTrial(rule workspace.Rule, needed int, promoteMargin float64) (outcome, code, reason string) {
	t := rule.Trial
	observed, rate := len(t.ObservedSessions), t.Rate()
	if observed < needed {
		return Pending, CodeTrialRunning, fmt.Sprintf("forward trial: %d of %s observed", observed, plural(needed, "session"))
	}
	counts := fmt.Sprintf("%d of %s breached, rate %s", len(t.BreachedSessions), plural(observed, "session"), num(rate))
	switch {
	case rate == 0:
		return Promote, CodeRateDropped, fmt.Sprintf("forward trial: %s, baseline %s", counts, num(t.BaselineRate))
	case rate <= t.BaselineRate-promoteMargin+slack:
		return Promote, CodeRateDropped, fmt.Sprintf("forward trial: %s, at least %s below the baseline %s", counts, num(promoteMargin), num(t.BaselineRate))
	}
	return Retire, CodeRateNotLower, fmt.Sprintf("forward trial: %s, not %s below the baseline %s", counts, num(promoteMargin), num(t.BaselineRate))
}

func trialDetails(rule workspace.Rule) *TrialDetails {
	return &TrialDetails{
		TrialRate:        rule.Trial.Rate(),
		BaselineRate:     rule.Trial.BaselineRate,
		ObservedSessions: rule.Trial.ObservedSessions,
	}
}
