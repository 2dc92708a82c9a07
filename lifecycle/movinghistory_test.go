package lifecycle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func TestImportGoesOnWithTheAverages(t *testing.T) {
	e := newEngine(t, nil)
	o := e.NewObserver()
	observe(t, o, `{"session_id": "s-900", "scores": {"agent_reliability": 0.9}}`)
	importFrom(t, e, pythonSample)
	observe(t, e.NewObserver(), `{"session_id": "s-008", "scores": {"agent_reliability": 0.6}, "run_id": "new"}`)
	lines, err := e.Workspace.SessionLines("s-008")
	if err != nil {
		t.Fatal(err)
	}
	var newest workspace.SessionLine
	for _, line := range lines {
		if line.RunID == "new" {
			newest = line
		}
	}
	var there workspace.EWMA
	for _, line := range lines {
		if average, ok := line.EWMA["agent_reliability"]; ok && line.Adopted {
			there = average
		}
	}
	if there.Count == 0 {
		t.Fatalf("no averages were brought in: %+v", lines)
	}
	want := workspace.EWMA{Fast: there.Fast + (0.6-there.Fast)/2, Slow: there.Slow + (0.6-there.Slow)*2/11, Count: there.Count + 1}
	if !cmp.Equal(want, newest.EWMA["agent_reliability"], within) {
		t.Errorf("averages %+v, want %+v", newest.EWMA["agent_reliability"], want)
	}
}

// TestImportJoinsTheScoresOfASession keeps each sample once, whichever history
// it stands in.
func TestImportJoinsTheScoresOfASession(t *testing.T) {
	e := newEngine(t, nil)
	copied, err := os.ReadFile(filepath.Join(pythonSample, "state", "score_history.json"))
	if err != nil {
		t.Fatal(err)
	}
	writeStateFile(t, e, "state/score_history.json", string(copied))
	if got := importFrom(t, e, pythonSample); got.Took.Samples != 18 {
		t.Errorf("taken %+v", got.Took)
	}
	series, err := e.Workspace.ReadSeries(context.Background(), "s-001")
	if err != nil || len(series) != 2 || len(series[0].Samples) != 1 || len(series[1].Samples) != 1 {
		t.Errorf("series %+v (%v)", series, err)
	}
	after, err := os.ReadFile(filepath.Join(e.Workspace.Root, "state", "score_history.json"))
	if err != nil || string(after) != string(copied) {
		t.Errorf("the score history that was here changed (%v)", err)
	}
}
