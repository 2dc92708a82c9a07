package lifecycle_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestMarginsAreComparedWithSlack is the kind of R-09. The numbers are parsed at
// run time: the compiler would fold differences of literals exactly.
func TestMarginsAreComparedWithSlack(t *testing.T) {
	parse := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	for _, c := range []struct{ baseline, score, promote, regress, want string }{
		{"0.30", "0.35", "0.05", "0.05", "promote improved"},
		{"0.40", "0.45", "0.05", "0.05", "promote improved"},
		{"0.60", "0.65", "0.05", "0.05", "promote improved"},
		{"0.60", "0.70", "0.1", "0.05", "promote improved"},
		{"0.30", "0.3499999", "0.05", "0.05", "retire no_improvement"},
		{"0.90", "0.85", "0.05", "0.05", "retire no_improvement"},
		{"0.90", "0.8499999", "0.05", "0.05", "retire regression"},
		{"0.50", "0.50", "0", "0", "retire no_improvement"},
		{"0.50", "0.500001", "0", "0", "promote improved"},
		{"0.50", "0.499999", "0", "0", "retire regression"},
	} {
		e := newEngine(t, map[string]any{"rule_promote_margin": c.promote, "rule_regress_margin": c.regress})
		addCase(t, e, workspace.Failure, "s-1", "m", parse(c.baseline))
		addRule(t, e, "Do it.", "m")
		e.Agent = &scriptedAgent{answer: scored("m", parse(c.score))}
		v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]
		if got := v.Outcome + " " + v.ReasonCode; got != c.want {
			t.Errorf("%s to %s at margins %s/%s: %s (%s), want %s", c.baseline, c.score, c.promote, c.regress, got, v.Reason, c.want)
		}
		if v.Outcome == lifecycle.Retire && strings.Contains(v.Reason, "+0.05 (") && strings.Contains(v.Reason, "margin 0.05 ") {
			t.Errorf("the reason shows equal numbers: %s", v.Reason)
		}
	}
}

// TestTrialRatesAreComparedWithSlack is R-09 once more, for rates.
func TestTrialRatesAreComparedWithSlack(t *testing.T) {
	// Baseline 9 of 20, trial 2 of 5: a rate of 0.40 is exactly 0.05 below 0.45.
	e := newEngine(t, nil)
	observer := e.NewObserver()
	for i := range 20 {
		metric := map[bool]string{true: "m", false: "other"}[i < 9]
		r := lifecycle.Report{SessionID: fmt.Sprintf("old-%d", i), Signatures: []string{"breach:" + metric}, HasSignatures: true}
		e.Config.CircuitBreakerMaxNotices = 0
		if _, err := observer.Observe(context.Background(), []lifecycle.Report{r}); err != nil {
			t.Fatal(err)
		}
	}
	rule := addRule(t, e, "Do it.", "m")
	for i := range 5 {
		r := lifecycle.Report{SessionID: fmt.Sprintf("new-%d", i), HasSignatures: true}
		if i < 2 {
			r.Signatures = []string{"breach:m"}
		}
		if _, err := observer.Observe(context.Background(), []lifecycle.Report{r}); err != nil {
			t.Fatal(err)
		}
	}
	round := validate(t, e, lifecycle.RoundOptions{})
	if rule.Trial.BaselineRate != 0.45 || round.Verdicts[0].Outcome != lifecycle.Promote {
		t.Errorf("baseline %v: %+v, want promote", rule.Trial.BaselineRate, round.Verdicts[0])
	}
}
