package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// NewRule is what a rule is made from. Only Rule is needed.
type NewRule struct {
	Rule      string
	Rationale string
	Metric    string   // the metric that the rule is about; "" = none
	NoticeID  string   // the notice that it answers; its signatures become tags
	Tags      []string // go before those of the notice
}

// AddRule records a rule: a candidate with its baseline, or active at once when
// rule_validation is off. A live rule of the same text is returned as it is,
// with created false (docs/closed-loop.md, "Adding a rule"). Errors:
// CodeBadInput for an empty text, CodeRefused at max_active_rules,
// CodeNotFound for an unknown notice.
func (e *Engine) AddRule(ctx context.Context, n NewRule) (rule workspace.Rule, created bool, err error) {
	n.Rule, n.Rationale = e.cleanText("rule", n.Rule), e.cleanText("rationale", n.Rationale)
	if n.Rule == "" {
		return rule, false, &workspace.Error{Code: workspace.CodeBadInput, Field: "rule", Message: "the rule's text is empty; give one short instruction"}
	}
	if n.NoticeID != "" {
		if err := workspace.CheckNoticeID(n.NoticeID); err != nil {
			return rule, false, err // also where the rule is there already
		}
	}
	err = e.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		rule, created, err = e.addRule(tx, n)
		return err
	})
	if err == nil {
		rule, err = e.joined(rule)
	}
	return rule, created, err
}

func (e *Engine) addRule(tx *workspace.Tx, n NewRule) (workspace.Rule, bool, error) {
	live, _, err := e.Workspace.LiveRules()
	if err != nil {
		return workspace.Rule{}, false, err
	}
	key := sameTextKey(n.Rule)
	if i := slices.IndexFunc(live, func(r workspace.Rule) bool { return sameTextKey(r.Rule) == key }); i >= 0 {
		return live[i], false, nil
	}
	if most := e.Config.MaxActiveRules; most > 0 && len(live) >= most {
		return workspace.Rule{}, false, workspace.Errorf(workspace.CodeRefused,
			"there are %d live rules, which is the cap (max_active_rules); retire one first with `pandaprobe-harness rule retire ID --reason WHY`", len(live))
	}
	rule, err := e.newRule(n)
	if err != nil {
		return rule, false, err
	}
	return rule, true, e.writeNewRule(tx, rule)
}

func (e *Engine) newRule(n NewRule) (workspace.Rule, error) {
	var notice *workspace.Notice
	if n.NoticeID != "" {
		found, err := e.Workspace.Notice(n.NoticeID)
		if err != nil {
			return workspace.Rule{}, err
		}
		notice = &found
	}
	now := workspace.NewTime(e.Workspace.Now())
	rule := workspace.Rule{
		ID:             workspace.NewRuleID(),
		CreatedAt:      now,
		Rule:           n.Rule,
		Rationale:      n.Rationale,
		SourceNoticeID: workspace.Text(n.NoticeID),
		Metric:         workspace.Text(n.Metric),
		Status:         workspace.Active,
	}
	rule.Tags, rule.Signatures = buildTags(e.redacted(n.Tags), notice)
	if !e.Config.RuleValidation {
		rule.Trial.TrialStartedAt = now
		return rule, nil
	}
	rule.Status = workspace.Candidate
	trial, err := e.baseline(n.Metric)
	trial.TrialStartedAt = now
	rule.Trial = trial
	return rule, err
}

// writeNewRule writes the journal line, then the rule, then the rendered rules;
// what was written is taken back when a later step fails.
func (e *Engine) writeNewRule(tx *workspace.Tx, rule workspace.Rule) error {
	err := tx.Atomically(func() error {
		mark, err := tx.Journal(workspace.Event{Type: EventRuleAdd, RuleID: rule.ID}, ruleAdded{
			Rule: rule.Rule, Rationale: rule.Rationale, Metric: rule.Metric, Status: rule.Status,
			SourceNoticeID: rule.SourceNoticeID, Tags: rule.Tags, Signatures: rule.Signatures,
			BaselineSessions: rule.Trial.BaselineSessions, BaselineBreachedSessions: rule.Trial.BaselineBreachedSessions,
		})
		if err == nil {
			err = tx.SyncJournal(mark)
		}
		if err == nil {
			err = tx.AddRule(rule)
		}
		return err
	})
	if err == nil {
		e.renderNow(tx)
	}
	return err
}

// RetireRule takes a live rule out of force for the given reason. A rule that
// is retired already is refused (CodeRefused).
func (e *Engine) RetireRule(ctx context.Context, id, reason string) (workspace.Rule, error) {
	reason = e.clean(reason)
	if reason == "" {
		return workspace.Rule{}, &workspace.Error{Code: workspace.CodeBadInput, Field: "reason", Message: "a retirement needs a reason; give one with --reason"}
	}
	return e.retire(ctx, id, transition{Reason: reason, Validator: "manual"})
}

func (e *Engine) retire(ctx context.Context, id string, t transition) (rule workspace.Rule, err error) {
	err = e.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		rule, err = e.Workspace.Rule(id)
		if err != nil {
			return err
		}
		if !rule.Status.Live() {
			return workspace.Errorf(workspace.CodeRefused, "rule %s is retired already (%s)", id, rule.Trial.Verdict)
		}
		if rule, err = e.transit(tx, rule, workspace.Retired, t); err == nil {
			e.renderNow(tx)
		}
		return err
	})
	if err == nil {
		rule, err = e.joined(rule)
	}
	return rule, err
}

// Rule returns the rule with its evidence.
func (e *Engine) Rule(id string) (workspace.Rule, error) {
	rule, err := e.Workspace.Rule(id)
	if err != nil {
		return rule, err
	}
	return e.joined(rule)
}

// Rules returns the rules of the given statuses with their evidence, oldest
// first; without a status, the live ones.
func (e *Engine) Rules(statuses ...workspace.Status) ([]workspace.Rule, error) {
	if len(statuses) == 0 {
		statuses = []workspace.Status{workspace.Candidate, workspace.Active}
	}
	all, _, err := e.Workspace.LiveRules()
	if err != nil {
		return nil, err
	}
	if slices.Contains(statuses, workspace.Retired) {
		retired, _, err := e.Workspace.RetiredRules()
		if err != nil {
			return nil, err
		}
		all = append(all, retired...)
	}
	all = slices.DeleteFunc(all, func(r workspace.Rule) bool { return !slices.Contains(statuses, r.Status) })
	slices.SortFunc(all, byAge)
	return e.joinedAll(all)
}

// SearchRules returns the live rules that the query meets, best first.
func (e *Engine) SearchRules(query string) ([]workspace.Rule, error) {
	rules, err := e.Rules()
	if err != nil {
		return nil, err
	}
	return searchRules(rules, query), nil
}

func byAge(a, b workspace.Rule) int {
	return workspace.CompareTimeID(a.CreatedAt, a.ID, b.CreatedAt, b.ID)
}

func (e *Engine) joined(rule workspace.Rule) (workspace.Rule, error) {
	lines, err := e.Workspace.TrialLines(rule.ID)
	if err == nil {
		err = e.joinTrial(&rule, lines)
	}
	return rule, err
}

func (e *Engine) joinedAll(rules []workspace.Rule) ([]workspace.Rule, error) {
	evidence, err := e.Workspace.AllTrialLines(rules)
	if err != nil {
		return nil, err
	}
	reports := onceEach(e.Workspace.SessionLines)
	for i := range rules {
		if err := e.joinTrialWith(&rules[i], evidence[rules[i].ID], reports); err != nil {
			return nil, err
		}
	}
	return rules, nil
}

func plural(n int, word string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}
