package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// step is something that one of two clones did.
type step struct {
	who     string // A or B
	session string
	score   float64
	rule    string // a rule's text instead
}

// traffic has sessions of both (one breached on A and healthy on B, one the
// other way round) and of each alone, and rules of both and of each.
var traffic = []step{
	{who: "A", session: "shared-1", score: 0.2}, {who: "B", session: "shared-1", score: 0.9},
	{who: "A", rule: "Look twice."}, {who: "B", session: "own-b1", score: 0.8},
	{who: "B", rule: "look  TWICE!"}, {who: "A", session: "own-a1", score: 0.1},
	{who: "B", session: "shared-2", score: 0.3}, {who: "A", session: "shared-2", score: 0.95},
	{who: "A", rule: "Only A knows this."}, {who: "B", rule: "Only B knows this."},
	{who: "A", session: "shared-1", score: 0.7}, {who: "B", session: "shared-1", score: 0.6},
	{who: "B", session: "own-b2", score: 0.15}, {who: "A", session: "own-a2", score: 0.85},
}

// addCases gives each clone a case that the other has as well, with its
// signatures in another order, and one of its own.
func (c clone) addCases(who string) {
	c.t.Helper()
	signature := `["a:m", "b:m"]`
	if who == "B" {
		signature = `["b:m", "a:m"]`
	}
	for session, signature := range map[string]string{"twice": signature, "case-" + who: "[]"} {
		c.harness(fmt.Sprintf(`{"session_id": %q, "kind": "win", "signature": %s, "baseline_scores": {"m": 0.9}, "replay_input": {"q": 1}}`, session, signature), "case", "add")
	}
}

// TestTwoClonesMergeAsOneHistory plays the same traffic in two clones and, step
// by step, in a third one that saw all of it.
func TestTwoClonesMergeAsOneHistory(t *testing.T) {
	for _, attributes := range []bool{true, false} {
		t.Run(fmt.Sprintf("attributes=%v", attributes), func(t *testing.T) {
			base := newRepository(t)
			if !attributes {
				base.git("rm", "--quiet", ".gitattributes")
			}
			base.observe("before", 0.3)
			judged := base.addRule("Be careful.")
			base.commit("before")
			clones := map[string]clone{"A": base.clone(), "B": base.clone()}
			serial := base.clone()
			for _, s := range traffic {
				for _, c := range []clone{clones[s.who], serial} {
					if s.rule != "" {
						c.addRule(s.rule)
					} else {
						c.observe(s.session, s.score)
					}
				}
			}
			for _, who := range []string{"A", "B"} {
				clones[who].addCases(who)
				serial.addCases(who)
				clones[who].harness("", "validate")
				clones[who].commit(who)
			}
			ab, ba := clones["A"].clone(), clones["B"].clone()
			if err := ab.merge(clones["B"]); err != nil {
				t.Fatal(err)
			}
			if err := ba.merge(clones["A"]); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(ab.history(judged), ba.history(judged)); diff != "" {
				t.Errorf("the direction of the merge shows (-A with B, +B with A):\n%s", diff)
			}
			want := serial.counted(judged)
			if breached := []string{"shared-1", "own-a1", "shared-2", "own-b2"}; len(want.Observed) != 6 || !slices.Equal(want.Breached, breached) {
				t.Fatalf("the serial history has %v breached of %v", want.Breached, want.Observed)
			}
			for _, merged := range []clone{ab, ba} {
				if diff := cmp.Diff(want, merged.counted(judged)); diff != "" {
					t.Errorf("(-one serial history, +merged):\n%s", diff)
				}
			}
		})
	}
}

// counted is what a merge has to have in common with one serial history.
type counted struct {
	Rules      []string // texts of live rules, as they are compared
	Cases      []string // session, kind and signatures
	Lifecycle  map[string]any
	Observed   []string
	Breached   []string
	Calibrated any
	Answer     map[string]any // to the next report of a shared session
	Averages   any
	Baseline   []int // of a rule that is added now
	Verdict    any
}

// counted asks for it, and goes on working: it is for once.
func (c clone) counted(judged string) (n counted) {
	c.t.Helper()
	type rule struct {
		Rule  string
		Trial struct {
			BaselineSessions int      `json:"baseline_sessions"`
			BaselineBreached int      `json:"baseline_breached_sessions"`
			Observed         []string `json:"observed_sessions"`
			Breached         []string `json:"breached_sessions"`
		}
	}
	var list struct{ Rules []rule }
	c.decode(&list, "rule", "list", "--json")
	for _, r := range list.Rules {
		n.Rules = append(n.Rules, strings.ToLower(strings.Join(strings.Fields(strings.TrimRight(r.Rule, ".!")), " ")))
	}
	slices.Sort(n.Rules)
	n.Rules = slices.Compact(n.Rules)

	var cases struct {
		Cases []struct {
			Session   string `json:"session_id"`
			Kind      string
			Signature []string
		}
	}
	c.decode(&cases, "case", "list", "--json")
	for _, k := range cases.Cases {
		slices.Sort(k.Signature)
		n.Cases = append(n.Cases, fmt.Sprint(k))
	}
	slices.Sort(n.Cases)

	var status struct {
		Rule      rule
		Lifecycle map[string]any
	}
	c.decode(&status, "rule", "status", judged, "--json")
	n.Lifecycle, n.Observed, n.Breached = status.Lifecycle, status.Rule.Trial.Observed, status.Rule.Trial.Breached

	var calibrated map[string]any
	c.decode(&calibrated, "calibrate", "--json", "--source", "history,evalset")
	delete(calibrated, "generated_at")
	n.Calibrated = calibrated

	var answer map[string]any
	if err := json.Unmarshal([]byte(c.harness(`{"session_id": "shared-1", "scores": {"m": 0.55}}`, "observe", "--json")), &answer); err != nil {
		c.t.Fatal(err)
	}
	delete(answer, "notice_id")
	n.Answer = answer
	var shown struct {
		Metrics []struct {
			EWMA   any
			Series []struct{ Value float64 }
		}
	}
	c.decode(&shown, "history", "show", "shared-1", "--json")
	n.Averages = shown

	var added struct{ Rule rule }
	c.decode(&added, "rule", "add", "--json", "--metric", "m", "--rule", "Added after the merge.")
	n.Baseline = []int{added.Rule.Trial.BaselineSessions, added.Rule.Trial.BaselineBreached}

	var round struct {
		Verdicts []struct {
			RuleID  string `json:"rule_id"`
			Outcome string
			Reason  string
		}
	}
	c.decode(&round, "validate", "--json")
	for _, v := range round.Verdicts {
		if v.RuleID == judged {
			n.Verdict = v
		}
	}
	return n
}

// TestAFullWindowHidesNoBreach lets one clone see a breach of a session that is
// in the window of the other one only, since its own was full.
func TestAFullWindowHidesNoBreach(t *testing.T) {
	base := newRepository(t)
	base.replace("harness.toml", "rule_trial_min_sessions = 6", "rule_trial_min_sessions = 2")
	judged := base.addRule("Be careful.")
	base.commit("before")
	a, b, serial := base.clone(), base.clone(), base.clone()
	for _, s := range []step{
		{who: "A", session: "shared", score: 0.9}, {who: "B", session: "own-1", score: 0.9},
		{who: "B", session: "own-2", score: 0.9}, {who: "B", session: "shared", score: 0.1},
	} {
		for _, c := range []clone{map[string]clone{"A": a, "B": b}[s.who], serial} {
			c.observe(s.session, s.score)
		}
	}
	a.commit("A")
	b.commit("B")
	if err := a.merge(b); err != nil {
		t.Fatal(err)
	}
	want := serial.harness("", "rule", "status", judged, "--json")
	if !strings.Contains(want, `"trial_rate": 0.5,`) {
		t.Fatalf("the serial history has another rate:\n%s", want)
	}
	if diff := cmp.Diff(want, a.harness("", "rule", "status", judged, "--json")); diff != "" {
		t.Errorf("(-one serial history, +merged):\n%s", diff)
	}
	serial.harness("", "validate")
	a.harness("", "validate")
	if diff := cmp.Diff(serial.harness("", "rule", "status", judged, "--json"), a.harness("", "rule", "status", judged, "--json")); diff != "" {
		t.Errorf("after the verdict (-one serial history, +merged):\n%s", diff)
	}
}
