package workspace

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// observed puts live reports into the file of a session, a minute apart.
func observed(t *testing.T, w *Workspace, session, from string, values ...float64) {
	t.Helper()
	ts := instant(from)
	for i, value := range values {
		update(t, w, func(tx *Tx) error {
			_, _, err := tx.AppendSession(SessionLine{
				TS: Time{ts.t.Add(time.Duration(i) * time.Minute)}, SessionID: session,
				Scores: map[string]*float64{"m": &value}, EWMA: map[string]EWMA{"m": {value, value, i + 1}},
			})
			return err
		})
	}
}

func readSeries(t *testing.T, w *Workspace, session string) []Series {
	t.Helper()
	series, err := w.ReadSeries(context.Background(), session)
	if err != nil {
		t.Fatal(err)
	}
	return series
}

func TestReadSeriesIsTheUnion(t *testing.T) {
	w := newTest(t)
	write(t, w, historyPath, `{
		"s::m": {"ewma": {"fast": 0.4, "slow": 0.45, "count": 7}, "series": [
			{"value": 0.5, "ts": "2026-01-01T00:00:00+00:00", "run_id": null},
			{"value": NaN, "ts": "2026-01-01T00:00:30+00:00"},
			{"value": 0.25, "ts": "2026-01-02T01:00:00+01:00", "run_id": ""}]},
		"s::n": {"ewma": {"fast": NaN, "slow": 2, "count": 1}, "series": [{"value": 1, "ts": "2026-01-01T00:00:00Z", "run_id": 7}]},
		"s::none": {"series": []},
		"s::m::deeper": {"series": [{"value": 0.1}]},
		"other::m": {"series": [{"value": 0.1}]}
	}`)
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25, 0.75) // the first stands in the file, too
	got := readSeries(t, w, "s")
	want := []Series{
		{Metric: "m", EWMA: &EWMA{0.75, 0.75, 2}, Samples: []Sample{
			{0.5, instant("2026-01-01T00:00:00Z"), ""}, {0.25, instant("2026-01-02T00:00:00Z"), ""}, {0.75, instant("2026-01-02T00:01:00Z"), ""},
		}},
		{Metric: "n", Samples: []Sample{{1, instant("2026-01-01T00:00:00Z"), "7"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := readSeries(t, w, "nobody"); len(got) != 0 {
		t.Errorf("an unknown session has %v", got)
	}
}

func TestReadSeriesWithABrokenFile(t *testing.T) {
	w := newTest(t)
	var warnings []string
	w.Warn = func(err error) { warnings = append(warnings, err.Error()) }
	write(t, w, historyPath, `{"s::m": {"series": [{"value": 0.5}]},`)
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
	got := readSeries(t, w, "s")
	if len(got) != 1 || len(got[0].Samples) != 1 || got[0].Samples[0].Value != 0.25 {
		t.Errorf("got %v", got)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "is cut off") {
		t.Errorf("warnings: %q", warnings)
	}
}
