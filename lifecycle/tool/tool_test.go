package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle/tool"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// call runs an operation and returns its document.
func call(t *testing.T, s tool.Set, name, arguments string) map[string]any {
	t.Helper()
	result, err := s.Call(context.Background(), name, jsontext.Value(arguments))
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// TestTheNamesThatAgentsKnow: none may be renamed.
func TestTheNamesThatAgentsKnow(t *testing.T) {
	want := []string{
		"harness_rule_add", "harness_rule_retire", "harness_rule_status", "harness_rules_list", "harness_rules_search",
		"harness_mailbox_list", "harness_mailbox_read", "harness_mailbox_ack",
		"harness_journal", "harness_history", "harness_reflect",
		"harness_evalset_list", "harness_evalset_attach", "harness_trace_inspect",
	}
	if diff := cmp.Diff(want, tool.Names()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestArgumentsAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ name, arguments, field, message string }{
		{"harness_rule_add", `{"rul": "x"}`, "rul", "did you mean rule?"},
		{"harness_rule_add", `{"rule": "x", "zzz": 1}`, "zzz", "it takes rule, rationale, notice_id, metric, tags"},
		{"harness_reflect", `{"x": 1}`, "x", "which takes none"},
		{"harness_rule_add", ``, "rule", "is missing"},
		{"harness_rule_add", `{"rule": 3}`, "rule", "is 3; it must be a text"},
		{"harness_rule_add", `{"rule": null}`, "rule", "is null; it must be a text"},
		{"harness_rule_add", `{"rule": {"a": 1}}`, "rule", "is an object; it must be a text"},
		{"harness_rule_add", `{"rule": "x", "tags": "refund"}`, "tags", `is "refund"; it must be a list of texts`},
		{"harness_rule_add", `{"rule": "x", "tags": ["a", false]}`, "tags", "holds false; it must be a list of texts"},
		{"harness_rules_list", `{"status": "retire"}`, "status", `is "retire"; it must be one of candidate, active, retired, all`},
		{"harness_mailbox_list", `{"all": "yes"}`, "all", `is "yes"; it must be true or false`},
		{"harness_journal", `{"last": -1}`, "last", "is -1; it must be a whole number from 0 up"},
		{"harness_journal", `{"last": 1.5}`, "last", "is 1.5; it must be a whole number from 0 up"},
		{"harness_journal", `{"since": "soon"}`, "since", `"soon" is no time`},
		{"harness_evalset_attach", `{"case_id": "c-0123456789", "replay_input": null}`, "replay_input", "it must be any JSON value but null"},
		{"harness_rule_status", `["r-0123456789"]`, "", "are a list; they must be one JSON object"},
		{"harness_rule_status", `{"rule_id": "a", "rule_id": "b"}`, "rule_id", "duplicate"},
		{"harness_rule_status", `{"rule_id": "`, "", "does not end"},
		{"harness_rule_status", `{"rule_id": "../x"}`, "", "is not a rule id"},
	} {
		arguments := jsontext.Value(c.arguments)
		if c.arguments == "" {
			arguments = nil
		}
		result, err := newSet(t).Call(context.Background(), c.name, arguments)
		located, ok := err.(*workspace.Error)
		if !ok || located.Code != workspace.CodeBadInput || located.Field != c.field || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s %s: got %v, %v; want field %q and %q", c.name, c.arguments, result, err, c.field, c.message)
		}
	}
}

func TestAnUnknownOperation(t *testing.T) {
	_, err := newSet(t).Call(context.Background(), "harness_fly", nil)
	if workspace.CodeOf(err) != workspace.CodeNotFound || !strings.Contains(err.Error(), "harness_rule_add") {
		t.Errorf("got %v", err)
	}
}

// TestRuleStatusHasTheSeedsShape compares names, not values.
func TestRuleStatusHasTheSeedsShape(t *testing.T) {
	got := call(t, newSet(t), "harness_rule_status", `{"rule_id": "r-0123456789"}`)
	lifecycle := got["lifecycle"].(map[string]any)
	delete(got, "lifecycle")
	rule := got["rule"].(map[string]any)
	if rule["status"] != "candidate" || rule["id"] != ruleID {
		t.Errorf("rule: %v", rule)
	}
	delete(got, "rule")
	if diff := cmp.Diff(map[string]any{"ok": true}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := map[string]any{
		"status": "candidate", "baseline_rate": 1.0, "trial_rate": 0.0, "sessions_observed": 0.0, "sessions_needed": 5.0,
		"replay_attempts": 0.0, "verdict": "",
	}
	if diff := cmp.Diff(want, lifecycle); diff != "" {
		t.Errorf("lifecycle (-want +got):\n%s", diff)
	}
}

// TestAnAgentsCycle is what an agent does with a notice, from reading it to the
// rule's end.
func TestAnAgentsCycle(t *testing.T) {
	s := newSet(t)
	notices := call(t, s, "harness_mailbox_list", `{}`)["notices"].([]any)
	if len(notices) != 1 {
		t.Fatalf("notices: %v", notices)
	}
	id := notices[0].(map[string]any)["id"].(string)
	added := call(t, s, "harness_rule_add", `{"rule": "Be brief.", "notice_id": "`+id+`", "tags": ["Style"], "metric": null}`)
	rule := added["rule"].(map[string]any)
	if added["created"] != true || rule["source_notice_id"] != id || rule["metric"] != nil ||
		!cmp.Equal(rule["tags"], []any{"style", "breach:m", "m", "breach"}) {
		t.Errorf("added: %v", added)
	}
	ruleID := rule["id"].(string)
	if again := call(t, s, "harness_rule_add", `{"rule": "be brief"}`); again["created"] != false {
		t.Errorf("again: %v", again)
	}
	acked := call(t, s, "harness_mailbox_ack", `{"notice_id": "`+id+`", "rule_id": "`+ruleID+`"}`)
	if acked["acked"] != true {
		t.Errorf("acked: %v", acked)
	}
	if left := call(t, s, "harness_mailbox_list", ``)["notices"].([]any); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if found := call(t, s, "harness_rules_search", `{"query": "style"}`)["rules"].([]any); len(found) != 1 {
		t.Errorf("found: %v", found)
	}
	call(t, s, "harness_rule_retire", `{"rule_id": "`+ruleID+`", "reason": "no use"}`)
	events := call(t, s, "harness_journal", `{"rule_id": "`+ruleID+`", "last": 0}`)["events"].([]any)
	var types []any
	for _, e := range events {
		types = append(types, e.(map[string]any)["type"])
	}
	if len(types) != 3 {
		t.Errorf("journal: %v", types)
	}
}

// TestTheJournalIsShortUnlessMoreIsAskedFor spares an agent's context.
func TestTheJournalIsShortUnlessMoreIsAskedFor(t *testing.T) {
	s := newSet(t)
	err := s.Engine.Workspace.Update(context.Background(), func(tx *workspace.Tx) error {
		for range 60 {
			if _, err := tx.Journal(workspace.Event{Type: "recovery", SessionID: "s"}, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]int{`{}`: 50, `{"last": null}`: 50, `{"last": 0}`: 61, `{"last": 55}`: 55} {
		if got := len(call(t, s, "harness_journal", arguments)["events"].([]any)); got != want {
			t.Errorf("%s: got %d events, want %d", arguments, got, want)
		}
	}
}
