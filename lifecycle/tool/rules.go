package tool

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func ruleOperations() []operation {
	ruleID := param{name: "rule_id", kind: text, required: true, about: "the rule's id, such as r-0123456789"}
	rule := param{name: "rule", kind: object, about: "the rule"}
	created := param{name: "created", kind: flag, about: "true when this call made it"}
	rules := param{name: "rules", kind: list, about: "the rules"}
	return []operation{
		{
			name: "harness_rule_add",
			about: "Record one short operating instruction for yourself as a candidate rule. It is in force at once, marked as provisional, " +
				"and is promoted or retired on evidence. A live rule of the same text is returned as it is, with created false.",
			params: []param{
				{name: "rule", kind: text, required: true, about: "the instruction, in one or two sentences"},
				{name: "rationale", kind: text, about: "why it should help: what went wrong"},
				{name: "notice_id", kind: text, about: "the notice that it answers; its signatures, metrics and signals become tags"},
				{name: "metric", kind: text, about: "the metric that it is about, such as agent_reliability"},
				{name: "tags", kind: texts, about: "words by which the rule is found again"},
			},
			returns: []param{rule, created},
			examples: []string{
				`{"rule": "Check the refund window before you refund.", "rationale": "A refund was given after 45 days.", ` +
					`"metric": "agent_reliability", "notice_id": "n-20260131T093000000000-0123abcd", "tags": ["refund"]}`,
				`{"rule": "Ask for the order id when it is missing."}`,
			},
			run: addRule,
		},
		{
			name:  "harness_rule_retire",
			about: "Take a candidate or an active rule out of force, for good. The reason goes into the journal.",
			params: []param{
				ruleID,
				{name: "reason", kind: text, required: true, about: "why"},
			},
			returns:  []param{rule, created},
			examples: []string{`{"rule_id": "r-0123456789", "reason": "superseded by a shorter rule"}`},
			run:      retireRule,
		},
		{
			name:     "harness_rule_status",
			about:    "Tell how far a rule is in its life: status, baseline and trial rates, sessions observed and needed, and the verdict.",
			params:   []param{ruleID},
			returns:  []param{rule, {name: "lifecycle", kind: object, about: "the short of its evidence"}},
			examples: []string{`{"rule_id": "r-0123456789"}`},
			run:      ruleStatus,
		},
		{
			name:  "harness_rules_list",
			about: "List your rules, oldest first: the live ones unless another status is asked for.",
			params: []param{
				{name: "status", kind: text, oneOf: []string{"candidate", "active", "retired", "all"}, about: "only rules of this status"},
			},
			returns:  []param{rules},
			examples: []string{`{}`, `{"status": "retired"}`},
			run:      listRules,
		},
		{
			name:     "harness_rules_search",
			about:    "Find live rules by words in their text, rationale and tags, best match first.",
			params:   []param{{name: "query", kind: text, required: true, about: "words"}},
			returns:  []param{rules},
			examples: []string{`{"query": "refund window"}`},
			run:      searchRules,
		},
	}
}

type ruleResult struct {
	OK      bool           `json:"ok"`
	Rule    workspace.Rule `json:"rule"`
	Created bool           `json:"created"`
}

type rulesResult struct {
	OK    bool             `json:"ok"`
	Rules []workspace.Rule `json:"rules"`
}

func addRule(ctx context.Context, s Set, a arguments) (any, error) {
	rule, created, err := s.Engine.AddRule(ctx, lifecycle.NewRule{
		Rule: a.text("rule"), Rationale: a.text("rationale"), Metric: a.text("metric"),
		NoticeID: a.text("notice_id"), Tags: a.texts("tags"),
	})
	return ruleResult{OK: true, Rule: rule, Created: created}, err
}

func retireRule(ctx context.Context, s Set, a arguments) (any, error) {
	rule, err := s.Engine.RetireRule(ctx, a.text("rule_id"), a.text("reason"))
	return ruleResult{OK: true, Rule: rule}, err
}

func ruleStatus(_ context.Context, s Set, a arguments) (any, error) {
	return s.Engine.RuleStatus(a.text("rule_id"))
}

func listRules(_ context.Context, s Set, a arguments) (any, error) {
	var statuses []workspace.Status
	switch status := a.text("status"); status {
	case "":
	case "all":
		statuses = []workspace.Status{workspace.Candidate, workspace.Active, workspace.Retired}
	default:
		statuses = []workspace.Status{workspace.Status(status)}
	}
	rules, err := s.Engine.Rules(statuses...)
	return rulesResult{OK: true, Rules: append([]workspace.Rule{}, rules...)}, err
}

func searchRules(_ context.Context, s Set, a arguments) (any, error) {
	rules, err := s.Engine.SearchRules(a.text("query"))
	return rulesResult{OK: true, Rules: append([]workspace.Rule{}, rules...)}, err
}
