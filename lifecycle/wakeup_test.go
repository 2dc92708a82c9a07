package lifecycle_test

import (
	"context"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestAWishOutlivesWhatIsUnderWay: a candidate that comes while a round is under
// way, with the wish for one, is judged by a round after that, and so is the
// candidate of a round that was interrupted.
func TestAWishOutlivesWhatIsUnderWay(t *testing.T) {
	for _, c := range []struct {
		name                           string
		background, wished, interrupts bool
	}{
		{"a round by hand", false, true, false},
		{"a background round", true, true, false},
		{"an interrupted background round", true, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEngine(t, nil)
			addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
			addRule(t, e, "Do it.", "m")
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			background := func(ctx context.Context) error {
				return e.RunBackground(ctx, lifecycle.RoundOptions{}, func(lifecycle.Round, error) {})
			}
			started := false
			want := func() {
				if _, err := e.WantRound(t.Context(), func() error { started = true; return nil }); err != nil {
					t.Fatal(err)
				}
			}
			agent := &scriptedAgent{}
			agent.answer = func(id string) (replayexec.Answer, error) {
				if c.wished && len(agent.requests) == 1 {
					addRule(t, e, "Do that.", "m")
					want()
				}
				if c.interrupts {
					interrupt()
				}
				return scored("m", 0.9)(id)
			}
			e.Agent = agent
			if c.background {
				want()
				started = false // it is run here
				if err := background(ctx); (err != nil) != c.interrupts {
					t.Fatal(err)
				}
			} else {
				validate(t, e, lifecycle.RoundOptions{})
			}
			if started {
				if err := background(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if c.interrupts {
				if err := e.Drain(t.Context(), time.Minute, func() error { return background(t.Context()) }); err != nil {
					t.Fatal(err)
				}
			}
			live, err := e.Rules()
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range live {
				if rule.Status != workspace.Active {
					t.Errorf("%q was not judged", rule.Rule)
				}
			}
		})
	}
}

// TestAWishIsMarkedWhereAProcessWaits: that process need not be started, but has
// to find the mark.
func TestAWishIsMarkedWhereAProcessWaits(t *testing.T) {
	e := newEngine(t, map[string]any{"rule_trial_min_sessions": 1})
	rule := addRule(t, e, "Do it.", "m")
	observe(t, e.NewObserver(), `{"session_id": "healthy", "scores": {"m": 0.9}}`)
	if err := e.Workspace.MakeLocal(); err != nil {
		t.Fatal(err)
	}
	goOn, err := e.Workspace.WaiterLock().Acquire(t.Context(), "the turn", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	comes, err := e.WantRound(t.Context(), func() error { t.Error("another process was started"); return nil })
	if err != nil || !comes {
		t.Errorf("%v, %v", comes, err)
	}
	goOn()
	if err := e.RunBackground(t.Context(), lifecycle.RoundOptions{}, func(lifecycle.Round, error) {}); err != nil {
		t.Fatal(err)
	}
	if got, _ := e.Rule(rule.ID); got.Status != workspace.Active {
		t.Errorf("the rule is %s", got.Status)
	}
}
