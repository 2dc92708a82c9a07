package lifecycle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// traffic is what live sessions report; between them, replays report of the same
// sessions and of their own.
var traffic = []struct {
	replay bool
	report string
}{
	{true, `{"session_id": "s", "ts": "2026-02-01T00:00:01Z", "scores": {"m": 0.1}, "replay_input": 1}`},
	{false, `{"session_id": "s", "ts": "2026-02-01T00:00:02Z", "scores": {"m": 0.9}}`},
	{true, `{"session_id": "s", "ts": "2026-02-01T00:00:03Z", "scores": {"m": 0.1}, "replay_input": 1}`},
	{false, `{"session_id": "s", "ts": "2026-02-01T00:00:04Z", "scores": {"m": 0.7}}`},
	{false, `{"session_id": "t", "ts": "2026-02-01T00:00:05Z", "scores": {"m": 0.2}, "replay_input": 1}`},
	{true, `{"session_id": "t", "ts": "2026-02-01T00:00:06Z", "scores": {"m": 0.9}}`},
	{false, `{"session_id": "t", "ts": "2026-02-01T00:00:07Z", "scores": {"m": 0.1}}`},
	{true, `{"session_id": "t", "ts": "2026-02-01T00:00:08Z", "scores": {"m": 0.8, "n": 0.1}}`},
	{false, `{"session_id": "healthy", "ts": "2026-02-01T00:00:09Z", "scores": {"m": 0.9}}`},
	{true, `{"session_id": "healthy", "ts": "2026-02-01T00:00:09.5Z", "scores": {"m": 0.1}}`},
	{true, `{"session_id": "new", "ts": "2026-02-01T00:00:10Z", "scores": {"m": 0.1}, "replay_input": 1}`},
}

// outcomeOfTraffic is all that the traffic comes to, but for ids and the times
// of writing.
type outcomeOfTraffic struct {
	Answers   []lifecycle.Observation
	Rule      lifecycle.Lifecycle
	Breached  []string
	Histories []lifecycle.SessionHistory
	Synced    string
	Scores    map[string]float64
	Events    []string
	Notices   int
	Cases     int
}

// TestReportsOfReplaysChangeNothing: with the reports of replays and without
// them, the same comes of the live ones.
func TestReportsOfReplaysChangeNothing(t *testing.T) {
	// One observer remembers the sessions; others read them anew each time.
	for name, remembers := range map[string]bool{"one observer": true, "an observer each": false} {
		with, without := playTrafficWith(t, true, remembers), playTrafficWith(t, false, remembers)
		if diff := cmp.Diff(without, with, cmpopts.EquateComparable(workspace.Time{})); diff != "" {
			t.Errorf("%s: (-without +with the reports of replays)\n%s", name, diff)
		}
	}
}

func playTrafficWith(t *testing.T, replays, remembers bool) (got outcomeOfTraffic) {
	t.Helper()
	ctx, e := context.Background(), newEngine(t, map[string]any{
		"capture_eval_cases": true, "enable_trend": true, "trend_min_samples": 2, "percentile_window": 4,
	})
	rule := addRule(t, e, "Do it.", "m")
	replay := &lifecycle.Engine{Workspace: e.Workspace, Config: e.Config, InReplay: true}
	live, inReplay := e.NewObserver(), replay.NewObserver()
	for _, r := range traffic {
		if !remembers {
			live, inReplay = e.NewObserver(), replay.NewObserver()
		}
		if r.replay && replays {
			observe(t, inReplay, r.report)
		}
		if !r.replay {
			answer := observe(t, live, r.report)
			answer.NoticeID, answer.CaseID = workspace.Text(hidden(answer.NoticeID)), workspace.Text(hidden(answer.CaseID))
			got.Answers = append(got.Answers, answer)
		}
	}
	status, err := e.RuleStatus(rule.ID)
	if err != nil {
		t.Fatal(err)
	}
	got.Rule, got.Breached = status.Lifecycle, status.Rule.Trial.BreachedSessions
	for _, session := range []string{"s", "t"} {
		got.Histories = append(got.Histories, sessionHistory(t, e, session))
	}
	if _, err := e.SyncHistory(ctx); err != nil {
		t.Fatal(err)
	}
	synced, err := os.ReadFile(filepath.Join(e.Workspace.Root, "state", "score_history.json"))
	if err != nil {
		t.Fatal(err)
	}
	got.Synced, got.Scores = string(synced), map[string]float64{}
	scores := calibrate.NewScores()
	if _, err := e.GatherScores(ctx, scores, lifecycle.ScoreOptions{Sources: []string{lifecycle.SourceHistory}}); err != nil {
		t.Fatal(err)
	}
	for session := range scores.Sessions() {
		got.Scores[session], _ = scores.Get(session, "m")
	}
	events, err := e.Workspace.Events(workspace.JournalFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		got.Events = append(got.Events, event.Type+" "+event.SessionID)
	}
	notices, err := e.Workspace.Notices(true)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := e.Cases("")
	if err != nil {
		t.Fatal(err)
	}
	got.Notices, got.Cases = len(notices), len(cases)
	return got
}

// hidden keeps of an id only whether there is one.
func hidden(id workspace.Text) string {
	if id == "" {
		return ""
	}
	return "an id"
}
