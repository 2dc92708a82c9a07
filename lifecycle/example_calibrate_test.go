package lifecycle_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// A program measures the thresholds of a workspace on its own labels: the engine
// gathers the scores, package calibrate makes the report.
func ExampleEngine_GatherScores() {
	root, err := os.MkdirTemp("", "calibrate-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	ctx := context.Background()
	ws, err := workspace.Init(ctx, filepath.Join(root, "agent"))
	if err != nil {
		log.Fatal(err)
	}
	engine := &lifecycle.Engine{Workspace: ws, Config: workspace.DefaultConfig()}
	failed := map[string]bool{}
	observer := engine.NewObserver()
	for session, score := range map[string]float64{"s-1": 0.30, "s-2": 0.55, "s-3": 0.60, "s-4": 0.90} {
		_, err := observer.Observe(ctx, []lifecycle.Report{{
			SessionID: session, HasScores: true, Scores: []lifecycle.Score{{Name: "agent_reliability", Value: &score}},
		}})
		if err != nil {
			log.Fatal(err)
		}
		failed[session] = score < 0.58
	}

	scores := calibrate.NewScores()
	found, err := engine.GatherScores(ctx, scores, lifecycle.ScoreOptions{Sources: []string{lifecycle.SourceHistory}})
	if err != nil {
		log.Fatal(err)
	}
	report, err := calibrate.Run(scores, calibrate.Options{Labels: calibrate.LabelsFromMap(failed), Sources: found.Sources})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range report.Metrics {
		fmt.Printf("%s: F1 %.2f at %.2f, best %.2f at %.2f\n", m.Metric, m.Labeled.F1, m.Threshold, m.Labeled.BestF1, m.Labeled.BestF1Threshold)
	}
	// Output:
	// agent_reliability: F1 0.67 at 0.50, best 1.00 at 0.60
}
