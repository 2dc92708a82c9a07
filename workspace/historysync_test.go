package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// countAverages stands for the averages that package lifecycle computes: fast is
// the last value, slow the mean, and an adopted line sets both.
func countAverages(lines []SessionLine) map[string]EWMA {
	averages := map[string]EWMA{}
	for _, line := range lines {
		for metric, value := range line.Scores {
			if value == nil || line.Replay {
				continue
			}
			a := averages[metric]
			a.Slow = (a.Slow*float64(a.Count) + *value) / float64(a.Count+1)
			a.Fast, a.Count = *value, a.Count+1
			if own, ok := line.EWMA[metric]; ok && line.Adopted {
				a = own
			}
			averages[metric] = a
		}
	}
	return averages
}

func syncHistory(t *testing.T, w *Workspace) HistorySync {
	t.Helper()
	done, err := w.SyncHistory(context.Background(), countAverages)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestSyncHistoryWritesEverySeries(t *testing.T) {
	w := newTest(t)
	observed(t, w, "s-2", "2026-01-02T00:00:00Z", 0.25, 0.75)
	observed(t, w, "S/1", "2026-01-02T00:00:00Z", 1)
	if done := syncHistory(t, w); done != (HistorySync{Series: 2, Added: 3, Changed: true}) {
		t.Errorf("got %+v", done)
	}
	want := `{
  "S/1::m": {
    "ewma": {
      "fast": 1,
      "slow": 1,
      "count": 1
    },
    "series": [
      {
        "run_id": null,
        "ts": "2026-01-02T00:00:00.000000Z",
        "value": 1
      }
    ]
  },
  "s-2::m": {
    "ewma": {
      "fast": 0.75,
      "slow": 0.5,
      "count": 2
    },
    "series": [
      {
        "run_id": null,
        "ts": "2026-01-02T00:00:00.000000Z",
        "value": 0.25
      },
      {
        "run_id": null,
        "ts": "2026-01-02T00:01:00.000000Z",
        "value": 0.75
      }
    ]
  }
}
`
	if diff := cmp.Diff(want, read(t, w, historyPath)); diff != "" {
		t.Error(diff)
	}
	st, _ := os.Stat(w.path(historyPath))
	if done := syncHistory(t, w); done != (HistorySync{Series: 2}) {
		t.Errorf("the second time: %+v", done)
	}
	if again, _ := os.Stat(w.path(historyPath)); !os.SameFile(st, again) || !st.ModTime().Equal(again.ModTime()) {
		t.Error("an unchanged file was replaced")
	}
}

// Whatever another tool wrote stays, down to its spelling.
func TestSyncHistoryRemovesNothing(t *testing.T) {
	w := newTest(t)
	write(t, w, historyPath, "\xef\xbb\xbf"+`{"z::m":{"series":[{"value":0.50,"ts":"2026-01-01T00:00:00+00:00","run_id":"\u00e9","extra":1.0}],"ewma":{"fast":0.5,"slow":0.5,"count":9},"note":"NaN"},
"no colons":[NaN,"NaN"],"s::m":{"series":[{"value":NaN,"ts":null},{"value":0.5,"ts":"2026-01-01T00:00:00+00:00","run_id":null}],"ewma":{"fast":0.5,"slow":0.5,"count":9},"kept":true}}`)
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
	if done := syncHistory(t, w); done != (HistorySync{Series: 3, Added: 1, Changed: true}) {
		t.Errorf("got %+v", done)
	}
	want := `{
  "no colons": [
    null,
    "NaN"
  ],
  "s::m": {
    "ewma": {
      "fast": 0.25,
      "slow": 0.475,
      "count": 10
    },
    "series": [
      {
        "value": null,
        "ts": null
      },
      {
        "value": 0.5,
        "ts": "2026-01-01T00:00:00+00:00",
        "run_id": null
      },
      {
        "run_id": null,
        "ts": "2026-01-02T00:00:00.000000Z",
        "value": 0.25
      }
    ],
    "kept": true
  },
  "z::m": {
    "series": [
      {
        "value": 0.50,
        "ts": "2026-01-01T00:00:00+00:00",
        "run_id": "\u00e9",
        "extra": 1.0
      }
    ],
    "ewma": {
      "fast": 0.5,
      "slow": 0.5,
      "count": 9
    },
    "note": "NaN"
  }
}
`
	if diff := cmp.Diff(want, read(t, w, historyPath)); diff != "" {
		t.Error(diff)
	}
	if done := syncHistory(t, w); done.Changed {
		t.Errorf("the second time: %+v", done)
	}
}

func TestSyncHistoryKeepsTheNewestSamples(t *testing.T) {
	w := newTest(t)
	var lines strings.Builder
	start := instant("2026-01-01T00:00:00Z")
	for i := range mostSamples + 20 {
		lines.WriteString(sessionLine(t, SessionLine{TS: Time{start.t.Add(time.Duration(i) * time.Minute)}, ID: fmt.Sprint(i), SessionID: "s", Scores: map[string]*float64{"m": new(float64(i) / 1000)}}))
	}
	write(t, w, "state/sessions/s.aaaaaa.jsonl", lines.String())
	if done := syncHistory(t, w); done.Added != mostSamples {
		t.Errorf("got %+v", done)
	}
	entries, err := w.historyOf(context.Background(), "s")
	if err != nil {
		t.Fatal(err)
	}
	samples := entries["m"].samples()
	if len(samples) != mostSamples || samples[0].Value != 0.02 || entries["m"].averages().Count != mostSamples+20 {
		t.Errorf("%d samples from %v, averages %v", len(samples), samples[0], entries["m"].averages())
	}
	if done := syncHistory(t, w); done.Changed {
		t.Errorf("the second time: %+v", done)
	}
}

// Where the sessions have all that the file has, as after adopting it, their
// averages count; else those of the file go on.
func TestSyncHistoryAverages(t *testing.T) {
	const file = `{"s::m": {"ewma": {"fast": 0.5, "slow": 0.5, "count": 9}, "series": [{"value": 0.5, "ts": "2026-01-01T00:00:00Z"}]}}`
	for name, test := range map[string]struct {
		adopt bool
		live  []float64
		want  int
	}{
		"file alone":         {false, nil, 9},
		"file and traffic":   {false, []float64{0.25}, 10},
		"adopted":            {true, nil, 9},
		"adopted, then more": {true, []float64{0.25, 0.75}, 11},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTest(t)
			write(t, w, historyPath, file)
			if test.adopt {
				adopt(t, w)
			}
			observed(t, w, "s", "2026-01-02T00:00:00Z", test.live...)
			syncHistory(t, w)
			entries, err := w.historyOf(context.Background(), "s")
			if err != nil {
				t.Fatal(err)
			}
			if got := entries["m"].averages(); got == nil || got.Count != test.want {
				t.Errorf("averages %v, want a count of %d", got, test.want)
			}
		})
	}
}

func TestSyncHistoryRefusesALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	w := newTest(t)
	outside := filepath.Join(t.TempDir(), "history.json")
	if err := os.WriteFile(outside, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, w.path(historyPath)); err != nil {
		t.Fatal(err)
	}
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
	if _, err := w.SyncHistory(context.Background(), countAverages); CodeOf(err) != CodeRefused {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(outside); string(b) != "{}" {
		t.Errorf("wrote through the link: %s", b)
	}
}

func TestSyncHistoryLeavesNothingBehind(t *testing.T) {
	for _, op := range []string{"create", "write", "sync", "rename"} {
		w := newTest(t)
		write(t, w, historyPath, `{"a::m": {"series": []}}`)
		observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
		testOnlyFault = func(o, path string) error {
			if o == op && filepath.Base(path) == filepath.Base(historyPath) {
				return errors.New("disk on fire")
			}
			return nil
		}
		_, err := w.SyncHistory(context.Background(), countAverages)
		testOnlyFault = nil
		if err == nil || !strings.Contains(err.Error(), "disk on fire") {
			t.Errorf("%s: got %v", op, err)
		}
		if got := read(t, w, historyPath); got != `{"a::m": {"series": []}}` {
			t.Errorf("%s: the file is now %s", op, got)
		}
		if left, _ := filepath.Glob(w.path("state/" + tempPrefix + "*")); len(left) > 0 {
			t.Errorf("%s: left %v", op, left)
		}
	}
}

// A file that another tool writes while ours is being built is read again, so
// that nothing of it is lost.
func TestSyncHistoryWhileTheFileChanges(t *testing.T) {
	w := newTest(t)
	write(t, w, historyPath, `{}`)
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
	changes := 0
	testOnlyFault = func(op, path string) error {
		if op == "sync" && filepath.Base(path) == filepath.Base(historyPath) && changes < 2 {
			changes++
			write(t, w, historyPath, fmt.Sprintf(`{"other-%d::m": {"series": [{"value": 0.5}]}}`, changes))
		}
		return nil
	}
	t.Cleanup(func() { testOnlyFault = nil })
	syncHistory(t, w)
	got := read(t, w, historyPath)
	if !strings.Contains(got, `"other-2::m"`) || !strings.Contains(got, `"s::m"`) {
		t.Errorf("got %s", got)
	}
}

func TestSyncHistoryThatIsNoJSON(t *testing.T) {
	w := newTest(t)
	write(t, w, historyPath, `{"s::m": `)
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
	if _, err := w.SyncHistory(context.Background(), countAverages); CodeOf(err) != CodeBrokenFile {
		t.Errorf("got %v", err)
	}
	if got := read(t, w, historyPath); got != `{"s::m": ` {
		t.Errorf("the file is now %s", got)
	}
}

func TestSyncHistoryWithAMetricThatFitsNoKey(t *testing.T) {
	w := newTest(t)
	var warnings []string
	w.Warn = func(err error) { warnings = append(warnings, err.Error()) }
	write(t, w, "state/sessions/s.aaaaaa.jsonl", sessionLine(t, SessionLine{TS: instant("2026-01-01T00:00:00Z"), ID: "x", SessionID: "s", Scores: map[string]*float64{"a::b": new(0.5)}}))
	if done := syncHistory(t, w); done.Series != 0 || len(warnings) != 1 {
		t.Errorf("got %+v, warnings %q", done, warnings)
	}
}
