package main

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type rulesVector struct {
	Config        map[string]any
	Notices       []json.RawMessage
	Steps         []ruleStep
	ExpectedRules []storedRule `json:"expected_rules"`
}

type ruleStep struct {
	vectorRule
	Op       string
	Of       int
	Expected struct {
		Result, Why string
		Of          int
		Rule        storedRule
	}
}

// storedRule is what the vectors compare of a rule.
type storedRule struct {
	Rule, Rationale string
	SourceNoticeID  *string `json:"source_notice_id"`
	Metric          *string
	Status          string
	Tags            []string
	Step            int
}

type ruleAnswer struct {
	OK      bool
	Created bool
	Error   struct{ Code string }
	Rule    struct {
		ID string
		storedRule
	}
}

func TestRulesVectors(t *testing.T) {
	eachVector(t, "rules", func(t *testing.T, v rulesVector) {
		p := newProgram(t, knobs(v.Config))
		for _, notice := range v.Notices {
			var n struct{ ID string }
			p.decode(string(notice), &n)
			p.write("state/mailbox/pending/"+n.ID+".json", string(notice))
		}
		ids := map[int]string{} // of the rule that a step added or found
		added := map[string]int{}
		for i, step := range v.Steps {
			answer := takeStep(p, step, ids)
			if got := answer.result(step.Op); got != step.Expected.Result {
				t.Fatalf("step %d: %s (%s), want %s", i, got, answer.Error.Code, step.Expected.Result)
			}
			if !answer.OK {
				checkRefusal(t, i, step, answer.Error.Code)
				continue
			}
			ids[i] = answer.Rule.ID
			if answer.Created {
				added[answer.Rule.ID] = i
			}
			if step.Expected.Result == "existing" && answer.Rule.ID != ids[step.Expected.Of] {
				t.Errorf("step %d: found another rule than that of step %d", i, step.Expected.Of)
			}
			if diff := cmp.Diff(step.Expected.Rule, answer.Rule.storedRule); diff != "" && step.Op == "add" {
				t.Errorf("step %d (-want +got):\n%s", i, diff)
			}
		}
		checkStored(p, v.ExpectedRules, added)
	})
}

func takeStep(p *program, step ruleStep, ids map[int]string) (answer ruleAnswer) {
	args := []string{"rule", "retire", ids[step.Of], "--reason=no longer wanted"}
	stdin := ""
	if step.Op == "add" {
		args, stdin = step.flags()
		args = append([]string{"rule", "add"}, args...)
	}
	p.ask(&answer, stdin, args, exitFailed)
	return answer
}

func (a ruleAnswer) result(op string) string {
	switch {
	case !a.OK:
		return "refused"
	case op == "retire":
		return "retired"
	case a.Created:
		return "added"
	}
	return "existing"
}

func checkRefusal(t *testing.T, number int, step ruleStep, code string) {
	want := "refused"
	if step.Expected.Why == "empty" {
		want = "bad_input"
	}
	if code != want {
		t.Errorf("step %d: refused with the code %s, want %s", number, code, want)
	}
}

// checkStored compares every rule in the end, as `rule list` and `rule show`
// give it.
func checkStored(p *program, want []storedRule, added map[string]int) {
	p.t.Helper()
	var list struct {
		Rules []struct {
			ID string
			storedRule
		}
	}
	p.ask(&list, "", []string{"rule", "list", "--status", "all"})
	got := []storedRule{}
	for _, r := range list.Rules {
		var shown ruleAnswer
		p.ask(&shown, "", []string{"rule", "show", r.ID})
		if diff := cmp.Diff(r.storedRule, shown.Rule.storedRule); diff != "" {
			p.t.Errorf("rule %s: list and show differ:\n%s", r.ID, diff)
		}
		r.Step = added[r.ID]
		got = append(got, r.storedRule)
	}
	slices.SortFunc(got, func(a, b storedRule) int { return a.Step - b.Step })
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("rules in the end (-want +got):\n%s", diff)
	}
}
