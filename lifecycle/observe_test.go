package lifecycle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func parseReport(t *testing.T, text string) lifecycle.Report {
	t.Helper()
	r, err := lifecycle.ParseReport("report", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

func observe(t *testing.T, o *lifecycle.Observer, text string) lifecycle.Observation {
	t.Helper()
	answers, err := o.Observe(context.Background(), []lifecycle.Report{parseReport(t, text)})
	if err != nil {
		t.Fatal(err)
	}
	return answers[0]
}

// TestNoticeVectorsThroughTheEngine runs each vector twice: with one observer
// that remembers, and with a fresh one for every report.
func TestNoticeVectorsThroughTheEngine(t *testing.T) {
	type vector struct {
		Config  map[string]any
		Reports []struct {
			SessionID string `json:"session_id"`
			Scores    map[string]float64
			Expected  struct {
				Signatures        []string
				Posted, Recovered bool
				Severity          string
			}
		}
	}
	eachVector(t, "notice", func(t *testing.T, v vector) {
		for _, remembers := range []bool{true, false} {
			e := newEngine(t, v.Config)
			at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			e.Workspace.Now = func() time.Time { at = at.Add(time.Millisecond); return at }
			o := e.NewObserver()
			for i, r := range v.Reports {
				if !remembers {
					o = e.NewObserver()
				}
				doc, _ := json.Marshal(map[string]any{"session_id": r.SessionID, "scores": r.Scores})
				got := observe(t, o, string(doc))
				want := lifecycle.Observation{Signatures: r.Expected.Signatures, Posted: r.Expected.Posted, Recovered: r.Expected.Recovered, Severity: workspace.Text(r.Expected.Severity)}
				if diff := cmp.Diff(want, lifecycle.Observation{Signatures: got.Signatures, Posted: got.Posted, Recovered: got.Recovered, Severity: got.Severity}); diff != "" {
					t.Errorf("report %d, remembering %v (-want +got):\n%s", i+1, remembers, diff)
				}
			}
		}
	})
}

func TestParseReportRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                                     "empty",
		`[]`:                                   "must be",
		`{"scores":{"m":0.5}}`:                 "session_id",
		`{"session_id":"","scores":{"m":0.5}}`: "session_id",
		`{"session_id":"s"}`:                   "scores",
		`{"session_id":"s","scores":{"m":"0.7"}}`:                                         "scores",
		`{"session_id":"s","scores":{"m":NaN}}`:                                           "JSON",
		`{"session_id":"s","scores":{"m":1.7}}`:                                           "scores.m",
		`{"session_id":"s","scores":{"m":-0.1}}`:                                          "scores.m",
		`{"session_id":"s","scores":{"m":1e999}}`:                                         "scores",
		`{"session_id":"s","scores":{"":0.5}}`:                                            "no name",
		`{"session_id":"s","scores":{"m":0.5,"m":0.6}}`:                                   "scores",
		`{"session_id":"s","scores":0.5}`:                                                 "scores",
		`{"session_id":"s","scores":[{"name":"m","value":2}]}`:                            "scores.m",
		`{"session_id":"s","scores":[{"name":"m","value":0.1},{"name":"m","value":0.2}]}`: "twice",
		`{"session_id":"s","scores":{"m":0.5},"turn_index":1.5}`:                          "turn_index",
		`{"session_id":"s","scores":{"m":0.5},"ts":"yesterday"}`:                          "ts",
		`{"session_id":"s","signatures":["a\nb"]}`:                                        "signatures.0",
		"{\"session_id\":\"\xff\",\"scores\":{\"m\":0.5}}":                                "UTF-8",
		`{"session_id":"s","scores":{"m":0.5}`:                                            "cut off",
		`{"session_id":"s","scores":{"m":0.5}} {}`:                                        "JSON",
	} {
		_, err := lifecycle.ParseReport("report", []byte(text))
		if workspace.CodeOf(err) != workspace.CodeBadInput || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one line that names %q", text, err, want)
		}
	}
}

func TestUnknownFieldsAreToldNotLost(t *testing.T) {
	r := parseReport(t, `{"session_id":"s","scores":{"m":0.5},"replay_imput":1}`)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], `did you mean "replay_input"?`) {
		t.Errorf("got %q", r.Warnings)
	}
}

func TestAnUnresolvedReportChangesNothingButTheRecord(t *testing.T) {
	e := newEngine(t, nil)
	rule := addRule(t, e, "Do it.", "m")
	o := e.NewObserver()
	observe(t, o, `{"session_id":"s","scores":{"m":0.2}}`)
	before, _ := e.RuleStatus(rule.ID)
	got := observe(t, o, `{"session_id":"s","scores":{"m":null}}`)
	if got.Recovered || got.Posted || len(got.Signatures) != 0 {
		t.Errorf("got %+v", got)
	}
	observe(t, o, `{"session_id":"t","scores":{"m":null}}`)
	after, _ := e.RuleStatus(rule.ID)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the trial changed:\n%s", diff)
	}
	if got := observe(t, o, `{"session_id":"s","scores":{"m":0.1}}`); got.Posted {
		t.Error("the condition was told again after an unresolved report")
	}
	lines, err := e.Workspace.SessionLines("s")
	if err != nil || len(lines) != 3 || !lines[1].Unresolved {
		t.Errorf("%d lines (%v)", len(lines), err)
	}
}

func TestSignaturesAloneResolveAReport(t *testing.T) {
	e := newEngine(t, nil)
	o := e.NewObserver()
	if got := observe(t, o, `{"session_id":"s","signatures":["breach:m"]}`); !got.Posted || got.Severity != "breach" {
		t.Errorf("got %+v", got)
	}
	if got := observe(t, o, `{"session_id":"s","signatures":[]}`); !got.Recovered {
		t.Errorf("got %+v", got)
	}
}

func TestWhatTheBreakerHeldBackIsNotYetTold(t *testing.T) {
	e := newEngine(t, map[string]any{"circuit_breaker_max_notices": 1, "circuit_breaker_window_s": 60})
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	e.Workspace.Now = func() time.Time { return now }
	o := e.NewObserver()
	post := func(session string) lifecycle.Observation {
		now = now.Add(time.Second)
		return observe(t, o, fmt.Sprintf(`{"session_id":%q,"scores":{"m":0.1}}`, session))
	}
	if got := post("a"); got.Severity != "breach" {
		t.Fatalf("first: %+v", got)
	}
	if got := post("b"); got.Severity != "needs_human" {
		t.Fatalf("second: %+v", got)
	}
	for range 2 {
		if got := post("c"); got.Posted {
			t.Fatalf("held back: %+v", got)
		}
	}
	now = now.Add(2 * time.Minute)
	if got := post("c"); !got.Posted {
		t.Errorf("after the window had drained: %+v, want it told", got)
	}
}

func TestCaptureKeepsTheReplayInputDigitForDigit(t *testing.T) {
	e := newEngine(t, map[string]any{"capture_eval_cases": true})
	o := e.NewObserver()
	got := observe(t, o, `{"session_id":"s","scores":{"m":0.1,"n":null},"replay_input":{"n":12345678901234567890.10}}`)
	c, err := e.Workspace.Case(string(got.CaseID))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(c.ReplayInput), "12345678901234567890.10") || c.Kind != workspace.Failure {
		t.Errorf("got %+v", c)
	}
	if diff := cmp.Diff(workspace.Baseline{"m": 0.1}, c.BaselineScores); diff != "" {
		t.Error(diff)
	}
	if again := observe(t, o, `{"session_id":"s2","scores":{"m":0.9}}`); again.CaseID != "" {
		t.Errorf("a healthy session was captured: %+v", again)
	}
}

func TestAFullEvalSetLosesNoObservation(t *testing.T) {
	e := newEngine(t, map[string]any{"capture_eval_cases": true, "eval_case_max": 1})
	addCase(t, e, workspace.Win, "w", "m", 0.9)
	got := observe(t, e.NewObserver(), `{"session_id":"s","scores":{"m":0.1}}`)
	if !got.Posted || got.CaseID != "" || len(got.Warnings) != 1 {
		t.Errorf("got %+v", got)
	}
	if lines, _ := e.Workspace.SessionLines("s"); len(lines) != 1 {
		t.Error("the observation was lost")
	}
}

func TestShadowModeLeavesTheMailboxAlone(t *testing.T) {
	e := newEngine(t, map[string]any{"observe_only": true, "capture_eval_cases": true, "circuit_breaker_max_notices": 1})
	rule := addRule(t, e, "Do it.", "m")
	o := e.NewObserver()
	for i := range 3 {
		got := observe(t, o, fmt.Sprintf(`{"session_id":"s%d","scores":{"m":0.1}}`, i))
		if got.Posted || got.CaseID != "" {
			t.Errorf("got %+v", got)
		}
	}
	notices, _ := e.Workspace.Notices(true)
	events, _ := e.Workspace.Events(workspace.JournalFilter{Types: []string{lifecycle.EventNotice}})
	if len(notices) != 0 || len(events) != 3 {
		t.Errorf("%d notices, %d journal events", len(notices), len(events))
	}
	var data struct {
		ObserveOnly bool `json:"observe_only"`
	}
	if err := events[0].Decode(&data); err != nil || !data.ObserveOnly {
		t.Errorf("the event does not say so (%v)", err)
	}
	if status, _ := e.RuleStatus(rule.ID); status.Lifecycle.SessionsObserved != 3 {
		t.Errorf("the trial saw %d sessions", status.Lifecycle.SessionsObserved)
	}
}

// TestInsideAReplayNothingCounts is the kind of R-05.
func TestInsideAReplayNothingCounts(t *testing.T) {
	e := newEngine(t, map[string]any{"capture_eval_cases": true})
	rule := addRule(t, e, "Do it.", "m")
	e.InReplay = true
	o := e.NewObserver()
	observe(t, o, `{"session_id":"s","scores":{"m":0.1},"replay_input":1}`)
	if o.WantsRound() {
		t.Error("a round was wanted")
	}
	status, _ := e.RuleStatus(rule.ID)
	notices, _ := e.Workspace.Notices(true)
	cases, _ := e.Cases("")
	lines, _ := e.Workspace.SessionLines("s")
	if status.Lifecycle.SessionsObserved != 0 || len(notices) != 0 || len(cases) != 0 || len(lines) != 1 || !lines[0].Replay {
		t.Errorf("%+v, %d notices, %d cases, lines %+v", status.Lifecycle, len(notices), len(cases), lines)
	}
	e.InReplay = false
	if got := observe(t, e.NewObserver(), `{"session_id":"s","scores":{"m":0.1}}`); !got.Posted {
		t.Error("the replay's report counted as told")
	}
}

func TestAnotherProcessesReportsAreSeen(t *testing.T) {
	e := newEngine(t, nil)
	first, second := e.NewObserver(), e.NewObserver()
	observe(t, first, `{"session_id":"s","scores":{"m":0.1}}`)
	if got := observe(t, second, `{"session_id":"s","scores":{"m":0.2}}`); got.Posted {
		t.Error("the second observer told the condition again")
	}
	if got := observe(t, first, `{"session_id":"s","scores":{"m":0.9}}`); !got.Recovered {
		t.Errorf("got %+v", got)
	}
	if got := observe(t, second, `{"session_id":"s","scores":{"m":0.2}}`); !got.Posted {
		t.Error("the second observer did not see the recovery")
	}
}

// TestMergedSessionsAreOneHistory: two clones' lines give the same state
// whichever is read first.
func TestMergedSessionsAreOneHistory(t *testing.T) {
	averages := map[string]workspace.EWMA{}
	for _, order := range [][]string{{"aaaaaa", "bbbbbb"}, {"bbbbbb", "aaaaaa"}} {
		e := newEngine(t, nil)
		for i, value := range []float64{0.9, 0.8, 0.7, 0.6} {
			e.Workspace.Writer = order[i%2]
			observe(t, e.NewObserver(), fmt.Sprintf(`{"session_id":"s","scores":{"m":%v}}`, value))
		}
		lines, err := e.Workspace.SessionLines("s")
		if err != nil || len(lines) != 4 {
			t.Fatalf("%d lines (%v)", len(lines), err)
		}
		averages[order[0]] = lines[3].EWMA["m"]
	}
	if averages["aaaaaa"] != averages["bbbbbb"] || averages["aaaaaa"].Count != 4 {
		t.Errorf("got %v", averages)
	}
}

func TestStream(t *testing.T) {
	e := newEngine(t, nil)
	input := "\xef\xbb\xbf" + `{"session_id":"a","scores":{"m":0.9}}` + "\r\n\n" + `{"session_id":"b","scores":{"m":"0.7"}}` + "\n" +
		strings.Repeat("x", lifecycle.MaxStreamLine+1) + "\n" + `{"session_id":"c","scores":{"m":0.1}}`
	var lines []string
	err := e.NewObserver().Stream(context.Background(), "input", strings.NewReader(input), func(batch []lifecycle.StreamAnswer) error {
		for _, a := range batch {
			verdict := a.Observation.SessionID
			if a.Err != nil {
				verdict = "refused"
				var located *workspace.Error
				if !errors.As(a.Err, &located) || located.Line != a.Line || located.File != "input" {
					t.Errorf("line %d: the error says %v", a.Line, a.Err)
				}
			}
			lines = append(lines, fmt.Sprintf("%d %s", a.Line, verdict))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 a", "3 refused", "4 refused", "5 c"}, lines); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseReport(f *testing.F) {
	for _, seed := range []string{
		`{"session_id":"s","scores":{"m":0.5}}`, `{"session_id":"s","scores":[{"name":"m","value":null,"reason":"r","metadata":{"per_trace_signals":{"t":{"s":1}}}}]}`,
		`{"session_id":"s","signatures":["breach:m"],"ts":"2026-01-01T00:00:00Z","turn_index":3,"replay_input":{"a":1.10}}`, `{`, `null`, "\xef\xbb\xbf{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := lifecycle.ParseReport("x", data)
		if err != nil {
			if err.Error() == "" || bytes.ContainsRune([]byte(err.Error()), '\n') {
				t.Errorf("the error is no line: %q", err)
			}
			return
		}
		if workspace.CheckSessionID(r.SessionID) != nil {
			t.Errorf("accepted the session id %q", r.SessionID)
		}
		for _, s := range r.Scores {
			if s.Value != nil && workspace.CheckScore(s.Name, *s.Value) != nil {
				t.Errorf("accepted %s = %v", s.Name, *s.Value)
			}
		}
	})
}
