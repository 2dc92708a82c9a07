package workspace

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const adoptable = `{
	"s::m": {"ewma": {"fast": 0.4, "slow": 0.45, "count": 7}, "series": [
		{"value": 0.5, "ts": "2026-01-01T00:00:00+00:00", "run_id": "run-1"},
		{"value": 0.25, "ts": "2026-01-02T00:00:00+00:00", "run_id": null},
		{"value": Infinity, "ts": "2026-01-03T00:00:00+00:00"},
		{"value": 0.1, "ts": "some day"}]},
	"s::n": {"series": [{"value": 1, "ts": "2026-01-01T00:00:00Z"}]},
	"no colons": {"series": [{"value": 1, "ts": "2026-01-01T00:00:00Z"}]},
	"\u0007::m": {"series": [{"value": 1, "ts": "2026-01-01T00:00:00Z"}]},
	"empty::m": {"series": []}
}`

func adopt(t *testing.T, w *Workspace) HistoryAdoption {
	t.Helper()
	a, err := w.AdoptHistory(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func linesOf(t *testing.T, w *Workspace, session string) []SessionLine {
	t.Helper()
	lines, err := w.SessionLines(session)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestAdoptHistory(t *testing.T) {
	w := newTest(t)
	write(t, w, historyPath, adoptable)
	got := adopt(t, w)
	want := HistoryAdoption{Sessions: 1, Samples: 3, LeftOut: map[string]int{LeftNotNumber: 1, LeftNoTime: 1, LeftEntry: 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	lines := linesOf(t, w, "s")
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		if !line.Adopted || line.ScoreTS != nil || len(line.Scores) != 1 || len(line.Signatures) != 0 {
			t.Errorf("line %d: %+v", i, line)
		}
		average, carries := line.EWMA["m"]
		if last := *scoreOf(line, "m") == 0.25; carries != last || last && average != (EWMA{0.4, 0.45, 7}) {
			t.Errorf("line %d carries %v", i, line.EWMA)
		}
	}
}

func scoreOf(l SessionLine, metric string) *float64 {
	if v := l.Scores[metric]; v != nil {
		return v
	}
	return new(-1.0)
}

func TestAdoptHistoryAgainAddsNothing(t *testing.T) {
	w := newTest(t)
	write(t, w, historyPath, adoptable)
	adopt(t, w)
	rel := sessionFile("s", "")
	rel = strings.TrimSuffix(rel, ".jsonl")
	before := readAll(t, w, "s")
	if a := adopt(t, w); a.Samples != 0 || a.Sessions != 0 || a.Known != 3 {
		t.Errorf("the second time: %+v", a)
	}
	if after := readAll(t, w, "s"); after != before {
		t.Errorf("%s changed:\n%s", rel, after)
	}
	write(t, w, historyPath, strings.Replace(adoptable, `{"value": Infinity`, `{"value": 0.75, "ts": "2026-01-02T12:00:00Z"}, {"value": Infinity`, 1))
	if a := adopt(t, w); a.Samples != 1 {
		t.Errorf("with one sample more: %+v", a)
	}
	lines := linesOf(t, w, "s")
	if last := lines[len(lines)-1]; *scoreOf(last, "m") != 0.75 || last.EWMA["m"].Count != 7 {
		t.Errorf("last line: %+v", last)
	}
}

func readAll(t *testing.T, w *Workspace, session string) string {
	t.Helper()
	writers, err := w.listWriters()
	if err != nil {
		t.Fatal(err)
	}
	var all string
	for _, writer := range writers {
		if rel := sessionFile(session, writer); exists(w.path(rel)) {
			all += read(t, w, rel)
		}
	}
	return all
}

// Two clones that adopt the same file write the same lines but for the name of
// the file, so that their merge holds each sample once.
func TestAdoptHistoryInTwoClones(t *testing.T) {
	a, b := newTest(t), newTest(t)
	write(t, a, historyPath, adoptable)
	write(t, b, historyPath, adoptable)
	adopt(t, a)
	adopt(t, b)
	if one, other := readAll(t, a, "s"), readAll(t, b, "s"); one != other {
		t.Errorf("the lines differ:\n%s\n%s", one, other)
	}
	write(t, a, sessionFile("s", "bbbbbb"), readAll(t, b, "s"))
	if lines := linesOf(t, a, "s"); len(lines) != 3 {
		t.Errorf("%d lines after the merge", len(lines))
	}
}

// What was reported already is not adopted, and the averages of the file stay out
// when its last sample is such a one.
func TestAdoptHistoryBesideLiveReports(t *testing.T) {
	w := newTest(t)
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
	write(t, w, historyPath, strings.Replace(adoptable, `"run_id": null`, `"run_id": ""`, 1))
	if a := adopt(t, w); a.Samples != 2 || a.Known != 1 {
		t.Errorf("got %+v", a)
	}
	for _, line := range linesOf(t, w, "s") {
		if _, carries := line.EWMA["m"]; line.Adopted && carries {
			t.Errorf("carries averages: %+v", line)
		}
	}
}

func TestAdoptHistoryOfManySessions(t *testing.T) {
	var b strings.Builder
	for i := range 3 * adoptedAtOnce {
		fmt.Fprintf(&b, `, "s-%d::m": {"series": [{"value": 0.5, "ts": "2026-01-01T00:00:00Z"}]}`, i)
	}
	w := newTest(t)
	write(t, w, historyPath, "{"+b.String()[2:]+"}")
	if a := adopt(t, w); a.Samples != 3*adoptedAtOnce || a.Sessions != 3*adoptedAtOnce {
		t.Errorf("got %+v", a)
	}
}

// TestAdoptHistoryThatIsNoJSON brings in nothing, wherever the fault stands.
func TestAdoptHistoryThatIsNoJSON(t *testing.T) {
	var many strings.Builder
	for i := range 3 * adoptedAtOnce {
		fmt.Fprintf(&many, `"s-%d::m": {"series": [{"value": 0.5, "ts": "2026-01-01T00:00:00Z"}]}, `, i)
	}
	for name, text := range map[string]string{
		"at once":    `{"s::m": {"series": [}}`,
		"later":      "{" + many.String() + `"s::m": {"series": [}}`,
		"cut off":    "{" + many.String(),
		"not a text": "{" + many.String() + "\"\xff::m\": {}}",
		"more after": "{" + strings.TrimSuffix(many.String(), ", ") + "} {",
	} {
		w := newTest(t)
		write(t, w, historyPath, text)
		if _, err := w.AdoptHistory(context.Background()); CodeOf(err) != CodeBrokenFile {
			t.Errorf("%s: got %v", name, err)
		}
		if sessions, err := w.names(sessionsDir, evidenceEnding); err != nil || len(sessions) > 0 {
			t.Errorf("%s: %d session files, %v", name, len(sessions), err)
		}
	}
}
