package lifecycle_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Report sessions as they end, let a round run in the background, and wait for
// it. Without an Agent the sessions themselves are the candidate's trial.
func ExampleEngine_Drain() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "harness")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ws, err := workspace.Init(ctx, dir)
	if err != nil {
		log.Fatal(err)
	}
	engine := &lifecycle.Engine{Workspace: ws, Config: workspace.DefaultConfig()}
	engine.Config.RuleTrialMinSessions = 3

	rule, _, err := engine.AddRule(ctx, lifecycle.NewRule{Rule: "Check the refund window before you refund.", Metric: "agent_reliability"})
	if err != nil {
		log.Fatal(err)
	}
	observer := engine.NewObserver()
	for _, session := range []string{"chat-1", "chat-2", "chat-3"} {
		score := 0.9
		if _, err := observer.Observe(ctx, []lifecycle.Report{{
			SessionID: session, HasScores: true, Scores: []lifecycle.Score{{Name: "agent_reliability", Value: &score}},
		}}); err != nil {
			log.Fatal(err)
		}
	}

	// The program starts another process for this; a goroutine does as well.
	var rounds sync.WaitGroup
	defer rounds.Wait()
	start := func() error {
		rounds.Go(func() {
			if err := engine.RunBackground(ctx, lifecycle.RoundOptions{}, func(lifecycle.Round, error) {}); err != nil {
				log.Print(err)
			}
		})
		return nil
	}
	if observer.WantsRound() {
		if _, err := engine.WantRound(ctx, start); err != nil {
			log.Fatal(err)
		}
	}
	if err := engine.Drain(ctx, time.Minute, start); err != nil {
		log.Fatal(err)
	}

	judged, err := engine.Rule(rule.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(judged.Status, judged.Trial.Verdict)
	// Output:
	// active promoted:forward trial: 0 of 3 sessions breached, rate 0.00, baseline 1.00
}
