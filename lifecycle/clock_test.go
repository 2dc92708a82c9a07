package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// clockAt sets the engine's clock.
func clockAt(t *testing.T, e *lifecycle.Engine, text string) {
	t.Helper()
	at, err := workspace.ParseTime(text)
	if err != nil {
		t.Fatal(err)
	}
	e.Workspace.Now = func() time.Time { return at.Std() }
}

// observedAt has each report observed by a process of its own, at a time of its
// own, and returns the lines of the session as they are read.
func observedAt(t *testing.T, e *lifecycle.Engine, scores []float64, times []string) []workspace.SessionLine {
	t.Helper()
	for i, score := range scores {
		clockAt(t, e, times[i])
		report := lifecycle.Report{SessionID: "s-1", RunID: fmt.Sprint(i), HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &score}}}
		if _, err := e.NewObserver().Observe(context.Background(), []lifecycle.Report{report}); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := e.Workspace.SessionLines("s-1")
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestAClockSetBackChangesNoAverage: reports of one session count in the order
// in which they came.
func TestAClockSetBackChangesNoAverage(t *testing.T) {
	scores := []float64{0.9, 0.8, 0.2, 0.3, 0.9}
	forth := []string{"2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z", "2026-01-01T10:00:02Z", "2026-01-01T10:00:03Z", "2026-01-01T10:00:04Z"}
	want := observedAt(t, newEngine(t, nil), scores, forth)
	for name, times := range map[string][]string{
		"set back":     {forth[0], "2026-01-01T09:20:00Z", "2026-01-01T09:59:59.9Z", "2026-01-01T09:20:00Z", forth[4]},
		"stands still": {forth[0], forth[0], forth[0], forth[0], forth[0]},
		"other zones":  {"2026-01-01T11:00:00+01:00", "2026-01-01T05:00:01-05:00", "2026-01-01T15:30:02+05:30", forth[3], "2026-01-01T06:30:04-03:30"},
		"below a µs":   {"2026-01-01T10:00:00.0000001Z", "2026-01-01T10:00:00.0000009Z", "2026-01-01T10:00:00.0000005Z", "2026-01-01T10:00:00.0000002Z", forth[1]},
	} {
		got := observedAt(t, newEngine(t, nil), scores, times)
		if diff := cmp.Diff(essences(want), essences(got)); diff != "" {
			t.Errorf("%s (-as it should be +got):\n%s", name, diff)
		}
	}
}

func essences(lines []workspace.SessionLine) (all []string) {
	for _, l := range lines {
		all = append(all, fmt.Sprint(l.RunID, l.EWMA, l.Signatures, l.NoticeID != ""))
	}
	return all
}

// TestAStreamAgreesWithSingleReports: an observer that remembers the session
// comes to what one that reads it anew does, also beside a line of another
// clone whose clock is ahead.
func TestAStreamAgreesWithSingleReports(t *testing.T) {
	run := func(single bool) []workspace.SessionLine {
		e := newEngine(t, nil)
		clockAt(t, e, "2026-01-01T10:20:00Z")
		e.Workspace.Writer = "bbbbbb"
		score := 0.4
		reports := []lifecycle.Report{{SessionID: "s-1", RunID: "ahead", HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &score}}}}
		if _, err := e.NewObserver().Observe(context.Background(), reports); err != nil {
			t.Fatal(err)
		}
		e.Workspace.Writer = "aaaaaa"
		clockAt(t, e, "2026-01-01T10:00:00Z")
		observer := e.NewObserver()
		for i, score := range []float64{0.9, 0.1, 0.8, 0.7} {
			if single {
				observer = e.NewObserver()
			}
			report := lifecycle.Report{SessionID: "s-1", RunID: fmt.Sprint(i), HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &score}}}
			if _, err := observer.Observe(context.Background(), []lifecycle.Report{report}); err != nil {
				t.Fatal(err)
			}
		}
		lines, err := e.Workspace.SessionLines("s-1")
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	if diff := cmp.Diff(essences(run(true)), essences(run(false))); diff != "" {
		t.Errorf("(-each anew +in a stream):\n%s", diff)
	}
}

// TestAReportOfTheFutureIsOnlyAScoreOfTheFuture: its ts says when it was scored
// and orders nothing but the series for other tools.
func TestAReportOfTheFutureIsOnlyAScoreOfTheFuture(t *testing.T) {
	e := newEngine(t, nil)
	future, err := workspace.ParseTime("2199-01-01T00:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	for i, score := range []float64{0.9, 0.1, 0.8} {
		report := lifecycle.Report{SessionID: "s-1", RunID: fmt.Sprint(i), HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &score}}}
		if i == 0 {
			report.TS = &future
		}
		if _, err := e.NewObserver().Observe(context.Background(), []lifecycle.Report{report}); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := e.Workspace.SessionLines("s-1")
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, l := range lines {
		order = append(order, l.RunID)
	}
	if !slices.Equal(order, []string{"0", "1", "2"}) || lines[0].TS.Std().Year() != 2026 || !lines[0].SampleTime().Equal(future) {
		t.Errorf("order %v, the first at %s, scored at %s", order, lines[0].TS, lines[0].SampleTime())
	}
}

// TestTheBreakerOutlivesAClockSetBack: notices that seem to lie in the future
// hold nothing back for longer than the window.
func TestTheBreakerOutlivesAClockSetBack(t *testing.T) {
	e := newEngine(t, map[string]any{"circuit_breaker_max_notices": 1, "circuit_breaker_window_s": 600})
	breach := func(session, at string) lifecycle.Observation {
		clockAt(t, e, at)
		score := 0.1
		answers, err := e.NewObserver().Observe(context.Background(), []lifecycle.Report{{SessionID: session, HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &score}}}})
		if err != nil {
			t.Fatal(err)
		}
		return answers[0]
	}
	for _, step := range []struct{ session, at, severity string }{
		{"s-1", "2026-01-01T10:00:00Z", "breach"},
		{"s-2", "2026-01-01T10:00:01Z", lifecycle.SeverityNeedsHuman},
		{"s-3", "2026-01-01T09:59:00Z", ""},
		{"s-4", "2026-01-01T08:00:00Z", "breach"}, // set back by more than the window
	} {
		if got := breach(step.session, step.at); string(got.Severity) != step.severity {
			t.Errorf("%s at %s: severity %q, want %q", step.session, step.at, got.Severity, step.severity)
		}
	}
}
