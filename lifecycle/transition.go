package lifecycle

import (
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Types of journal events (docs/workspace.md, "Journal").
const (
	EventNotice     = "notice"
	EventRecovery   = "recovery"
	EventAck        = "ack"
	EventRuleAdd    = "rule_add"
	EventPromote    = "rule_promote"
	EventRetire     = "rule_retire"
	EventValidation = "validation"
	EventCapture    = "evalset_capture"
	EventEvict      = "evalset_evict"
	EventRemove     = "evalset_remove"
	EventRegression = "regression"
)

type ruleAdded struct {
	Rule                     string           `json:"rule"`
	Rationale                string           `json:"rationale"`
	Metric                   workspace.Text   `json:"metric"`
	Status                   workspace.Status `json:"status"`
	SourceNoticeID           workspace.Text   `json:"source_notice_id"`
	Tags                     []string         `json:"tags"`
	Signatures               []string         `json:"signatures"`
	BaselineSessions         int              `json:"baseline_sessions"`
	BaselineBreachedSessions int              `json:"baseline_breached_sessions"`
}

// transition is why a rule changes its status.
type transition struct {
	From      workspace.Status `json:"from"`
	Reason    string           `json:"reason"`
	Validator string           `json:"validator"` // replay, forward_trial, regression or manual
	Details   any              `json:"details,omitempty"`
}

// transit moves a rule to a status: the journal line, then the rule file, which
// is the truth. A journal line whose rule file could not be written is taken
// back. The caller renders the rules then.
func (e *Engine) transit(tx *workspace.Tx, rule workspace.Rule, to workspace.Status, t transition) (workspace.Rule, error) {
	kind, verdict := EventPromote, "promoted:"+t.Reason
	if to == workspace.Retired {
		kind, verdict = EventRetire, "retired:"+t.Reason
	}
	t.From = rule.Status
	err := tx.Atomically(func() error {
		mark, err := tx.Journal(workspace.Event{Type: kind, RuleID: rule.ID}, t)
		if err == nil {
			err = tx.SyncJournal(mark)
		}
		if err == nil {
			err = tx.SetStatus(rule.ID, to, verdict)
		}
		return err
	})
	if err != nil {
		return rule, err
	}
	rule.Status, rule.Trial.Verdict = to, verdict
	return rule, nil
}
