package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// contextAgent scores the metric m of a case by what stands in the context:
// play gets the case's id, the context, and how many replays of the case there
// were before. A score below 0 is a replay that came to nothing, one above 1 a
// session without scores.
type contextAgent struct {
	play     func(caseID, rendered string, before int) float64
	fault    error // what Preflight says
	replayed []string
	ruleIDs  []string
}

func (a *contextAgent) Preflight() error { return a.fault }

func (a *contextAgent) Replay(ctx context.Context, req replayexec.Request, caseID, _ string) (replayexec.Answer, error) {
	before := 0
	for _, id := range a.replayed {
		if id == caseID {
			before++
		}
	}
	a.replayed = append(a.replayed, caseID)
	a.ruleIDs = append(a.ruleIDs, req.RuleID)
	score := a.play(caseID, req.Context, before)
	switch {
	case ctx.Err() != nil:
		return replayexec.Answer{}, ctx.Err()
	case score < 0:
		return replayexec.Answer{}, &replayexec.Inconclusive{Code: replayexec.ExitNonzero, Detail: "ended with exit code 7", StderrTail: "secret trace"}
	case score > 1:
		return replayexec.Answer{SessionID: "empty-" + caseID, HasScores: true}, nil
	}
	return replayexec.Answer{SessionID: fmt.Sprintf("new-%s-%d", caseID, before), Scores: map[string]float64{"m": score}, HasScores: true}, nil
}

// steady gives the same score to each case, whatever the context.
func steady(scores map[string]float64) func(string, string, int) float64 {
	return func(caseID, _ string, _ int) float64 { return scores[caseID] }
}

// addPlayed puts a case in the eval set, created so many minutes into the day; a
// baseline below 0 is that of a case without a replay input.
func addPlayed(t *testing.T, e *lifecycle.Engine, id, kind string, minute int, baseline float64) {
	t.Helper()
	input := `{"q": 1}`
	if baseline < 0 {
		input, baseline = "null", -baseline
	}
	putCases(t, e, []json.RawMessage{json.RawMessage(fmt.Sprintf(
		`{"id": %q, "created_at": "2026-02-01T00:%02d:00Z", "session_id": "s-%s", "kind": %q, "signature": ["breach:m"], "baseline_scores": {"m": %v}, "replay_input": %s, "notes": ""}`,
		id, minute, id, kind, baseline, input))})
}

const (
	win1, win2   = "c-00000000a1", "c-00000000a2"
	fail1, fail2 = "c-00000000b1", "c-00000000b2"
)

// addEvalSet adds two wins of 0.90 and two failures of 0.30, the 1 before the 2.
func addEvalSet(t *testing.T, e *lifecycle.Engine) {
	t.Helper()
	addPlayed(t, e, win1, workspace.Win, 1, 0.90)
	addPlayed(t, e, fail1, workspace.Failure, 2, 0.30)
	addPlayed(t, e, win2, workspace.Win, 3, 0.90)
	addPlayed(t, e, fail2, workspace.Failure, 4, 0.30)
}

type caseStatus struct{ Case, Status, Code string }

func comparedTo(r lifecycle.Regression) []caseStatus {
	got := []caseStatus{}
	for _, c := range r.Results {
		got = append(got, caseStatus{c.CaseID, c.Status, c.ReasonCode})
	}
	return got
}

func TestRegressClassifies(t *testing.T) {
	for _, tt := range []struct {
		name string
		// of the case with the baseline 0.90, and of the one with 0.30
		win, failure float64
		want         [2]string
	}{
		{"both as they were", 0.90, 0.30, [2]string{lifecycle.Unchanged, lifecycle.Unchanged}},
		{"a drop of exactly the margin is tolerated", 0.85, 0.25, [2]string{lifecycle.Unchanged, lifecycle.Unchanged}},
		{"a hair more is not", 0.8499999, 0.2499999, [2]string{lifecycle.Regressed, lifecycle.Regressed}},
		{"a rise of exactly the margin counts", 0.95, 0.35, [2]string{lifecycle.Improved, lifecycle.Improved}},
		{"a hair less does not", 0.9499999, 0.3499999, [2]string{lifecycle.Unchanged, lifecycle.Unchanged}},
		{"a replay that failed, a session without scores", -1, 2, [2]string{lifecycle.Skipped, lifecycle.Skipped}},
	} {
		e := newEngine(t, nil)
		addPlayed(t, e, win1, workspace.Win, 1, 0.90)
		addPlayed(t, e, fail1, workspace.Failure, 2, 0.30)
		e.Agent = &contextAgent{play: steady(map[string]float64{win1: tt.win, fail1: tt.failure})}
		got, err := e.Regress(context.Background(), lifecycle.RegressOptions{})
		if skippedAll := tt.want[0] == lifecycle.Skipped; (err != nil) != skippedAll {
			t.Errorf("%s: error %v", tt.name, err)
		}
		if len(got.Results) != 2 || got.Results[0].Status != tt.want[0] || got.Results[1].Status != tt.want[1] {
			t.Errorf("%s: got %+v, want %v", tt.name, got.Results, tt.want)
		}
	}
}

// TestRegressReasonShowsTheDifference keeps numbers that decide apart in print.
func TestRegressReasonShowsTheDifference(t *testing.T) {
	e := newEngine(t, nil)
	addPlayed(t, e, win1, workspace.Win, 1, 0.90)
	e.Agent = &contextAgent{play: steady(map[string]float64{win1: 0.8499999})}
	got, _ := e.Regress(context.Background(), lifecycle.RegressOptions{})
	want := "win c-00000000a1: m -0.0500001 (0.90 to 0.8499999), more than the margin 0.05"
	if got.Results[0].Reason != want {
		t.Errorf("got  %s\nwant %s", got.Results[0].Reason, want)
	}
}

func TestRegressCounts(t *testing.T) {
	e := newEngine(t, nil)
	addEvalSet(t, e)
	addPlayed(t, e, "c-00000000c1", workspace.Win, 5, -0.9)
	agent := &contextAgent{play: steady(map[string]float64{win1: 0.5, win2: 0.9, fail1: 0.8, fail2: -1})}
	e.Agent = agent
	got, err := e.Regress(context.Background(), lifecycle.RegressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []caseStatus{
		{"c-00000000c1", lifecycle.Skipped, lifecycle.CodeNoReplayInput},
		{win2, lifecycle.Unchanged, ""}, {win1, lifecycle.Regressed, ""},
		{fail2, lifecycle.Skipped, replayexec.ExitNonzero}, {fail1, lifecycle.Improved, ""},
	}
	if diff := cmp.Diff(want, comparedTo(got)); diff != "" {
		t.Errorf("wins first, newest first (-want +got):\n%s", diff)
	}
	counts := lifecycle.RegressionCounts{EvalSet: 5, TotalCases: 5, Replayed: 3, Improved: 1, Unchanged: 1, Regressed: 1, Skipped: 2}
	if diff := cmp.Diff(counts, got.RegressionCounts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{lifecycle.GateRegressed}, got.Gate); diff != "" {
		t.Errorf("gate (-want +got):\n%s", diff)
	}
	if slices.ContainsFunc(agent.ruleIDs, func(id string) bool { return id != "" }) {
		t.Errorf("a regression run named rules under test: %q", agent.ruleIDs)
	}
}

func TestRegressSample(t *testing.T) {
	for _, tt := range []struct {
		knob, flag int
		want       []string
	}{
		{0, 0, []string{"c-00000000c1", win2, win1, fail2, fail1}},
		{1, 0, []string{"c-00000000c1", win2}},
		{1, 3, []string{"c-00000000c1", win2, win1, fail2}},
		{1, -1, []string{"c-00000000c1", win2, win1, fail2, fail1}},
		{0, 9, []string{"c-00000000c1", win2, win1, fail2, fail1}},
	} {
		e := newEngine(t, map[string]any{"regression_sample": tt.knob})
		addEvalSet(t, e)
		addPlayed(t, e, "c-00000000c1", workspace.Win, 5, -0.9) // costs nothing, so it does not count
		e.Agent = &contextAgent{play: steady(map[string]float64{win1: 0.9, win2: 0.9, fail1: 0.3, fail2: 0.3})}
		result, err := e.Regress(context.Background(), lifecycle.RegressOptions{Sample: tt.flag})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, c := range result.Results {
			got = append(got, c.CaseID)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || result.EvalSet != 5 || !result.Clean {
			t.Errorf("knob %d, flag %d: clean %v of %d (-want +got):\n%s", tt.knob, tt.flag, result.Clean, result.EvalSet, diff)
		}
	}
}

// TestRegressContext holds the context of a run to what is in force.
func TestRegressContext(t *testing.T) {
	e := newEngine(t, nil)
	addPlayed(t, e, win1, workspace.Win, 1, 0.90)
	active := addActive(t, e, "Be brief.")
	candidate := addVectorRule(t, e, vectorRule{Rule: "Be kind."})
	retired := addVectorRule(t, e, vectorRule{Rule: "Be loud."})
	if _, err := e.RetireRule(context.Background(), retired.ID, "enough"); err != nil {
		t.Fatal(err)
	}
	var seen string
	e.Agent = &contextAgent{play: func(_, rendered string, _ int) float64 { seen = rendered; return 0.9 }}
	got, err := e.Regress(context.Background(), lifecycle.RegressOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{active.ID, candidate.ID}, got.ContextRules); diff != "" {
		t.Errorf("context rules (-want +got):\n%s", diff)
	}
	if !strings.Contains(seen, "Be brief.") || !strings.Contains(seen, "Be kind.") || strings.Contains(seen, "Be loud.") {
		t.Errorf("the context holds\n%s", seen)
	}
}

func TestRegressWithoutCommandOrCases(t *testing.T) {
	for _, tt := range []struct {
		name     string
		cases    bool
		agent    lifecycle.Agent
		code     workspace.Code
		warnings int
	}{
		{"no case", false, &contextAgent{}, "", 0},
		{"no case and no command", false, nil, "", 1},
		{"no command", true, nil, lifecycle.CodeNothingReplayed, 1},
		{"every replay fails", true, &contextAgent{play: func(string, string, int) float64 { return -1 }}, lifecycle.CodeNothingReplayed, 0},
	} {
		e := newEngine(t, nil)
		warnings := 0
		e.Log = func(string) { warnings++ }
		e.Agent = tt.agent
		if tt.cases {
			addEvalSet(t, e)
		}
		got, err := e.Regress(context.Background(), lifecycle.RegressOptions{})
		if workspace.CodeOf(err) != tt.code || got.OK != (err == nil) || got.Clean || warnings != tt.warnings {
			t.Errorf("%s: %+v, %d warnings, error %v", tt.name, got.RegressionCounts, warnings, err)
		}
		if replayed, events := tt.agent != nil && tt.cases, len(journaledRuns(t, e)); replayed != (events == 1) {
			t.Errorf("%s: %d journal lines", tt.name, events)
		}
	}
}

func TestRegressSetupFault(t *testing.T) {
	e := newEngine(t, nil)
	addEvalSet(t, e)
	e.Agent = &contextAgent{fault: errors.New("no such command")}
	_, err := e.Regress(context.Background(), lifecycle.RegressOptions{})
	var setup *lifecycle.SetupError
	if !errors.As(err, &setup) || len(journaledRuns(t, e)) > 0 {
		t.Errorf("error %v, journal %v", err, journaledRuns(t, e))
	}
}

// TestRegressBrokenFiles: the rest is replayed, and the run has failed.
func TestRegressBrokenFiles(t *testing.T) {
	for _, broken := range []string{"state/evalset/c-00000000d1.json", "state/rules/r-00000000d1.toml"} {
		e := newEngine(t, nil)
		addEvalSet(t, e)
		e.Agent = &contextAgent{play: steady(map[string]float64{win1: 0.9, win2: 0.9, fail1: 0.3, fail2: 0.3})}
		writeStateFile(t, e, broken, "{")
		got, err := e.Regress(context.Background(), lifecycle.RegressOptions{})
		if workspace.CodeOf(err) != workspace.CodeBrokenFile || got.OK || got.Replayed != 4 || len(journaledRuns(t, e)) != 1 {
			t.Errorf("%s: replayed %d, error %v", broken, got.Replayed, err)
		}
	}
}

func TestRegressJournal(t *testing.T) {
	e := newEngine(t, nil)
	addEvalSet(t, e)
	e.Agent = &contextAgent{play: steady(map[string]float64{win1: 0.5, win2: 0.9, fail1: 0.8, fail2: -1})}
	if _, err := e.Regress(context.Background(), lifecycle.RegressOptions{DryRun: true}); err != nil || len(journaledRuns(t, e)) > 0 {
		t.Fatalf("a check left %v (%v)", journaledRuns(t, e), err)
	}
	if _, err := e.Regress(context.Background(), lifecycle.RegressOptions{}); err != nil {
		t.Fatal(err)
	}
	events := journaledRuns(t, e)
	if len(events) != 1 {
		t.Fatalf("got %d events, want 1", len(events))
	}
	for _, part := range []string{`"regressed":1`, `"clean":false`, `"reason_code":"exit_nonzero"`} {
		if !strings.Contains(string(events[0].Data), part) {
			t.Errorf("the event lacks %s: %s", part, events[0].Data)
		}
	}
	for _, part := range []string{"secret trace", "exit code 7"} { // output of the command
		if strings.Contains(string(events[0].Data), part) {
			t.Errorf("the event holds %q: %s", part, events[0].Data)
		}
	}
}

func TestRegressInterrupted(t *testing.T) {
	e := newEngine(t, nil)
	addEvalSet(t, e)
	ctx, cancel := context.WithCancel(context.Background())
	e.Agent = &contextAgent{play: func(string, string, int) float64 { cancel(); return 0.9 }}
	got, err := e.Regress(ctx, lifecycle.RegressOptions{})
	if !errors.Is(err, context.Canceled) || got.TotalCases != 0 || len(journaledRuns(t, e)) > 0 {
		t.Errorf("%+v, error %v, journal %v", got.RegressionCounts, err, journaledRuns(t, e))
	}
}

func TestRegressWaitsForARound(t *testing.T) {
	e := newEngine(t, nil)
	addEvalSet(t, e)
	e.Agent = &contextAgent{play: steady(map[string]float64{win1: 0.9, win2: 0.9, fail1: 0.3, fail2: 0.3})}
	if err := e.Workspace.MakeLocal(); err != nil {
		t.Fatal(err)
	}
	release, err := e.Workspace.RoundLock().Acquire(context.Background(), "the round", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	waited := 0
	options := lifecycle.RegressOptions{Wait: time.Millisecond, Waiting: func(string) { waited++ }}
	var held *workspace.LockHeldError
	if _, err := e.Regress(context.Background(), options); !errors.As(err, &held) || waited != 1 {
		t.Errorf("error %v, told %d times, want a held lock and once", err, waited)
	}
	options.DryRun = true
	if _, err := e.Regress(context.Background(), options); err != nil || waited != 1 {
		t.Errorf("a check waits for nobody: error %v, told %d times", err, waited)
	}
	release()
	options.DryRun = false
	if _, err := e.Regress(context.Background(), options); err != nil {
		t.Error(err)
	}
}
