package lifecycle

import (
	"context"
	"fmt"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

const rulesFile = "rules.jsonl"

// pythonRule is a line of rules.jsonl. The last line of an id is the rule.
type pythonRule struct {
	ID             string         `json:"id"`
	CreatedAt      workspace.Time `json:"created_at"`
	Rule           string         `json:"rule"`
	Rationale      string         `json:"rationale"`
	SourceNoticeID *string        `json:"source_notice_id"`
	Metric         *string        `json:"metric"`
	Status         string         `json:"status"`
	Tags           []string       `json:"tags"`
	Trial          *pythonTrial   `json:"trial"`
	line           int
}

// rules takes all of them: max_active_rules is for adding one.
func (m *mover) rules(ctx context.Context) error {
	latest := map[string]pythonRule{}
	err := m.lines(ctx, rulesFile, func(number int, line []byte) error {
		r := pythonRule{line: number, Status: string(workspace.Active)} // which it meant where older files have none
		if err := workspace.DecodeInput("", line, &r); err != nil {
			return err
		}
		if err := workspace.CheckRuleID(r.ID); err != nil {
			return badField("id", err.Error())
		}
		latest[r.ID] = r
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range sortedKeys(latest) {
		if err := m.orLeaveOut(rulesFile, latest[id].line, m.rule(ctx, latest[id])); err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) rule(ctx context.Context, from pythonRule) error {
	rule, err := m.translated(from)
	if err != nil {
		return err
	}
	evidence := m.evidence(rule, from)
	return m.add(ctx, &m.result.Took.Rules, &m.result.Known.Rules, func(tx *workspace.Tx) (bool, error) {
		if ours, err := m.Workspace.Rule(rule.ID); workspace.CodeOf(err) != workspace.CodeNotFound {
			m.result.Known.Trials += len(evidence)
			m.compare(ours, rule, from.line)
			return false, nil
		}
		// The evidence first: a rule that is here has all of it.
		if err := m.addEvidence(tx, rule.ID, evidence); err != nil {
			return false, err
		}
		return true, tx.AddRule(rule)
	})
}

// compare says where the rule that stays differs from the one there.
func (m *mover) compare(ours, theirs workspace.Rule, line int) {
	switch {
	case ours.ID == "": // broken, which doctor says
	case ours.Status != theirs.Status:
		m.leaveOut(rulesFile, line, fmt.Sprintf("rule %s is %s here and %s there; ours stays", ours.ID, ours.Status, theirs.Status))
	case ours.Rule != theirs.Rule:
		m.leaveOut(rulesFile, line, fmt.Sprintf("rule %s has another text here; ours stays", ours.ID))
	}
}

// translated is the rule as this harness keeps it.
func (m *mover) translated(from pythonRule) (workspace.Rule, error) {
	rule := workspace.Rule{
		ID: from.ID, CreatedAt: from.CreatedAt, Rule: m.clean(from.Rule), Rationale: m.clean(from.Rationale),
		SourceNoticeID: given(from.SourceNoticeID), Metric: given(from.Metric), Status: workspace.Status(from.Status),
	}
	switch {
	case rule.Rule == "":
		return rule, badField("rule", "is empty")
	case from.CreatedAt.IsZero():
		return rule, badField("created_at", "is missing")
	case !rule.Status.Live() && rule.Status != workspace.Retired:
		return rule, badField("status", fmt.Sprintf("is %q; it must be candidate, active or retired", rule.Status))
	}
	rule.Tags, _ = buildTags(m.redacted(from.Tags), nil)
	// Its tags came from the notice, but cut; the rule's targets need them whole.
	if notice, err := m.Workspace.Notice(string(rule.SourceNoticeID)); err == nil {
		rule.Signatures = notice.Signatures
	}
	var err error
	rule.Trial, err = m.trial(from)
	return rule, err
}

func given(text *string) workspace.Text {
	if text == nil {
		return ""
	}
	return workspace.Text(*text)
}
