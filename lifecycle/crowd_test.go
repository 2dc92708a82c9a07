package lifecycle_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestOneEngineServesACrowd uses one engine from many goroutines, each with an
// observer of its own; the race detector watches.
func TestOneEngineServesACrowd(t *testing.T) {
	e := newEngine(t, map[string]any{"rule_trial_min_sessions": 3, "circuit_breaker_max_notices": 0, "max_active_rules": 0})
	e.Workspace.Now = time.Now
	e.Agent = &steadyAgent{}
	addCase(t, e, workspace.Failure, "s-0", "m", 0.3)
	each, err := strconv.Atoi(cmp.Or(os.Getenv("TORTURE_STEPS"), "8"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	workers := map[string]func(observer *lifecycle.Observer, i int) error{
		"observe": func(o *lifecycle.Observer, i int) error {
			score := 0.1 + float64(i%8)/10
			_, err := o.Observe(ctx, []lifecycle.Report{{SessionID: fmt.Sprint("s-", i), HasScores: true,
				Scores: []lifecycle.Score{{Name: "m", Value: &score}}}})
			return err
		},
		"add rule": func(_ *lifecycle.Observer, i int) error {
			_, _, err := e.AddRule(ctx, lifecycle.NewRule{Rule: fmt.Sprint("Rule ", i), Metric: "m"})
			return err
		},
		"add case": func(_ *lifecycle.Observer, i int) error {
			_, _, err := e.AddCase(ctx, workspace.Case{SessionID: fmt.Sprint("c-", i), Kind: workspace.Win, BaselineScores: map[string]float64{"m": 1}})
			return err
		},
		"validate": func(*lifecycle.Observer, int) error {
			_, err := e.Validate(ctx, lifecycle.RoundOptions{})
			return err
		},
		"read": func(*lifecycle.Observer, int) error {
			_, err := e.Context("refund")
			if err == nil {
				_, err = e.Reflect()
			}
			return err
		},
		"sync": func(*lifecycle.Observer, int) error {
			_, err := e.SyncHistory(ctx)
			return err
		},
	}
	var all sync.WaitGroup
	for name, work := range workers {
		for range 2 {
			all.Go(func() {
				observer := e.NewObserver()
				for i := range each {
					if err := work(observer, i); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		}
	}
	all.Wait()
	rules, err := e.Rules(workspace.Candidate, workspace.Active, workspace.Retired)
	if err != nil || len(rules) < each {
		t.Errorf("%d rules of %d texts, %v", len(rules), each, err)
	}
	cases, err := e.Cases("")
	if err != nil || len(cases) != each+1 {
		t.Errorf("%d cases, want %d (each counts once), %v", len(cases), each+1, err)
	}
	for i := range each {
		lines, err := e.Workspace.SessionLines(fmt.Sprint("s-", i))
		if err != nil || len(lines) != 2 || lines[1].EWMA["m"].Count != 2 {
			t.Errorf("session s-%d: %+v, %v", i, lines, err)
		}
	}
	t.Logf("torture: %d goroutines on one engine, %d steps each", 2*len(workers), each)
}

// steadyAgent always scores the same, from any goroutine.
type steadyAgent struct{}

func (*steadyAgent) Preflight() error { return nil }

func (*steadyAgent) Replay(_ context.Context, _ replayexec.Request, caseID, _ string) (replayexec.Answer, error) {
	return replayexec.Answer{SessionID: "new-" + caseID, Scores: map[string]float64{"m": 0.9}, HasScores: true}, nil
}
