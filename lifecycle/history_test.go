package lifecycle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func putFile(t *testing.T, e *lifecycle.Engine, rel, content string) {
	t.Helper()
	path := filepath.Join(e.Workspace.Root, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func sessionHistory(t *testing.T, e *lifecycle.Engine, session string) lifecycle.SessionHistory {
	t.Helper()
	h, err := e.History(context.Background(), session)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestHistoryAfterAMerge: each branch left the averages of its own line, and the
// series has those of both.
func TestHistoryAfterAMerge(t *testing.T) {
	e := newEngine(t, nil)
	ours := `{"ts":"2026-01-01T00:00:01.000000Z","id":"a","session_id":"s","scores":{"m":0.8},"ewma":{"m":{"fast":0.8,"slow":0.8,"count":1}},"signatures":[]}` + "\n"
	theirs := `{"ts":"2026-01-01T00:00:02.000000Z","id":"b","session_id":"s","scores":{"m":0.4},"ewma":{"m":{"fast":0.4,"slow":0.4,"count":1}},"signatures":[]}` + "\n"
	putFile(t, e, "state/sessions/s.aaaaaa.jsonl", ours)
	putFile(t, e, "state/sessions/s.bbbbbb.jsonl", theirs)

	got := sessionHistory(t, e, "s")
	want := []lifecycle.MetricHistory{{
		Metric: "m",
		Series: []lifecycle.HistorySample{{Value: 0.8, TS: at(t, "2026-01-01T00:00:01Z")}, {Value: 0.4, TS: at(t, "2026-01-01T00:00:02Z")}},
		EWMA:   &workspace.EWMA{Fast: 0.6, Slow: 0.8 - 0.4*2/11, Count: 2},
	}}
	if diff := cmp.Diff(want, got.Metrics, within); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func at(t *testing.T, text string) *workspace.Time {
	t.Helper()
	ts, err := workspace.ParseTime(text)
	if err != nil {
		t.Fatal(err)
	}
	return &ts
}

// TestHistoryOfOtherTools: the file's averages stand where it alone has samples,
// and a sample may lack its time.
func TestHistoryOfOtherTools(t *testing.T) {
	e := newEngine(t, nil)
	putFile(t, e, "state/score_history.json", `{"s::m": {"series": [{"value": 0.5}, {"value": 0.7, "ts": "2026-01-01T00:00:00Z", "run_id": "r1"}], "ewma": {"fast": 0.61, "slow": 0.52, "count": 9}}}`)
	want := []lifecycle.MetricHistory{{
		Metric: "m",
		Series: []lifecycle.HistorySample{{Value: 0.5}, {Value: 0.7, TS: at(t, "2026-01-01T00:00:00Z"), RunID: "r1"}},
		EWMA:   &workspace.EWMA{Fast: 0.61, Slow: 0.52, Count: 9},
	}}
	if diff := cmp.Diff(want, sessionHistory(t, e, "s").Metrics, within); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHistoryOfNobody(t *testing.T) {
	e := newEngine(t, nil)
	for session, want := range map[string]workspace.Code{"s": workspace.CodeNotFound, "": workspace.CodeBadInput, "a\nb": workspace.CodeBadInput} {
		if _, err := e.History(context.Background(), session); workspace.CodeOf(err) != want {
			t.Errorf("%q: got %v, want %s", session, err, want)
		}
	}
	observe(t, e.NewObserver(), `{"session_id":"s","signatures":["breach:m"]}`)
	if h := sessionHistory(t, e, "s"); len(h.Metrics) != 0 || h.Metrics == nil {
		t.Errorf("a session without scores: %+v", h)
	}
}

// TestSyncAndAdoptKeepTheAverages: a workspace that has only what another one
// wrote into the document goes on from the same averages.
func TestSyncAndAdoptKeepTheAverages(t *testing.T) {
	first := newEngine(t, nil)
	o := first.NewObserver()
	for _, score := range []string{"0.9", "0.5", "0.7"} {
		observe(t, o, `{"session_id":"s","scores":{"m":`+score+`}}`)
	}
	if done, err := first.SyncHistory(context.Background()); err != nil || done.Added != 3 || done.Series != 1 {
		t.Fatalf("got %+v, %v", done, err)
	}
	document, err := os.ReadFile(filepath.Join(first.Workspace.Root, "state", "score_history.json"))
	if err != nil {
		t.Fatal(err)
	}
	second := newEngine(t, nil)
	putFile(t, second, "state/score_history.json", string(document))
	if done, err := second.AdoptHistory(context.Background()); err != nil || done.Samples != 3 {
		t.Fatalf("got %+v, %v", done, err)
	}
	second.Workspace.Now = first.Workspace.Now // later than what was adopted
	for _, e := range []*lifecycle.Engine{first, second} {
		observe(t, e.NewObserver(), `{"session_id":"s","scores":{"m":0.3}}`)
	}
	want, got := sessionHistory(t, first, "s").Metrics[0].EWMA, sessionHistory(t, second, "s").Metrics[0].EWMA
	if diff := cmp.Diff(want, got, within); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
