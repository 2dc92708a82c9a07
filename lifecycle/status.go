package lifecycle

import "github.com/pandaprobe/pandaprobe-harness/workspace"

// RuleStatus answers how far a rule is in its life.
type RuleStatus struct {
	OK        bool           `json:"ok"`
	Rule      workspace.Rule `json:"rule"`
	Lifecycle Lifecycle      `json:"lifecycle"`
}

// Lifecycle is the short of a rule's evidence. Rates lie between 0 and 1.
type Lifecycle struct {
	Status           workspace.Status `json:"status"`
	BaselineRate     float64          `json:"baseline_rate"`
	TrialRate        float64          `json:"trial_rate"` // 0 while no session was observed
	SessionsObserved int              `json:"sessions_observed"`
	SessionsNeeded   int              `json:"sessions_needed"`
	ReplayAttempts   int              `json:"replay_attempts"` // inconclusive rounds, of which three end replay
	Verdict          string           `json:"verdict"`
}

// RuleStatus returns the status of the rule with the id, opening only the files
// that belong to it.
func (e *Engine) RuleStatus(id string) (RuleStatus, error) {
	rule, err := e.Rule(id)
	if err != nil {
		return RuleStatus{}, err
	}
	return RuleStatus{OK: true, Rule: rule, Lifecycle: Lifecycle{
		Status:           rule.Status,
		BaselineRate:     rule.Trial.BaselineRate,
		TrialRate:        rule.Trial.Rate(),
		SessionsObserved: len(rule.Trial.ObservedSessions),
		SessionsNeeded:   e.Config.RuleTrialMinSessions,
		ReplayAttempts:   rule.Trial.ReplayAttempts,
		Verdict:          rule.Trial.Verdict,
	}}, nil
}
