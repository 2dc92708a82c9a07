package workspace

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// newFuzz makes one workspace for all inputs of a target.
func newFuzz(f *testing.F) *Workspace {
	f.Helper()
	w, err := Init(context.Background(), f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	w.Writer = "aaaaaa"
	return w
}

// put writes a file, and fails only for a reason of its own.
func put(t *testing.T, w *Workspace, rel string, data []byte) {
	t.Helper()
	if err := os.WriteFile(w.path(rel), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// FuzzRule reads rule files. What is read has a status that is one, can be
// written and read again, and takes a verdict without losing anything else.
func FuzzRule(f *testing.F) {
	const id = "r-0123456789"
	f.Add([]byte(formatRule(exampleRule(id))))
	f.Add([]byte("id = \"r-0123456789\"\ncreated_at = 2026-01-01T00:00:00Z\nrule = '''\na\r\nb'''\nstatus = \"active\" # why\nnew = [1, {a = 2}]\n"))
	f.Add([]byte("\xef\xbb\xbfid='r-0123456789'\nrule='x'\nstatus='retired'\ncreated_at='2026-01-01T00:00:00+01:00'\n[trial]\nverdict='retired:x'\n[other]\ny=1\n"))
	f.Add([]byte("<<<<<<< HEAD\nstatus = \"active\"\n=======\nstatus = \"retired\"\n>>>>>>> x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseRule("state/rules/"+id+".toml", id, data)
		if err != nil {
			if CodeOf(err) != CodeBrokenFile || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		if !r.Status.Live() && r.Status != Retired {
			t.Fatalf("%q reads as a rule of the status %q", data, r.Status)
		}
		again, err := parseRule("x", id, []byte(formatRule(r)))
		if diff := cmp.Diff(r, again, cmpopts.EquateComparable(Time{})); err != nil || diff != "" {
			t.Fatalf("%q: written and read again: %v %s", data, err, diff)
		}
		edited, err := SetTOML(data, "", "status", TOMLString("active"))
		if err == nil {
			edited, err = SetTOML(edited, "trial", "verdict", TOMLString("promoted:x"))
		}
		if err != nil {
			return // a layout that is refused is told, and the file left alone
		}
		want := r
		want.Status, want.Trial.Verdict = Active, "promoted:x"
		got, err := parseRule("x", id, edited)
		if diff := cmp.Diff(want, got, cmpopts.EquateComparable(Time{})); err != nil || diff != "" {
			t.Fatalf("%q became %q: %v %s", data, edited, err, diff)
		}
	})
}

// FuzzCase reads case files. What is read is written with the same meaning, and
// written again with the same bytes.
func FuzzCase(f *testing.F) {
	w := newFuzz(f)
	const id = "c-0123456789"
	f.Add([]byte(`{"id":"c-0123456789","created_at":"2026-01-01T00:00:00.15+01:00","session_id":"s","kind":"win","signature":["a"],"baseline_scores":{"m":0.30},"replay_input":{"n":1.10,"e":1E400},"notes":"","more":[1]}`))
	f.Add([]byte("\xef\xbb\xbf" + `{"id":"c-0123456789","created_at":"2026-01-01T00:00:00Z","session_id":"s","kind":"failure","signature":null,"baseline_scores":null,"replay_input":null,"notes":"\u0000"}`))
	f.Add([]byte(`{"id":"c-0123456789","id":"c-0123456789"}`))
	f.Add([]byte(`{"baseline_scores":{"m":2}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rel := casesDir + "/" + id + jsonEnding
		put(t, w, rel, data)
		c, err := w.Case(id)
		if err != nil {
			return
		}
		update(t, w, func(tx *Tx) error { return tx.PutCase(c) })
		first := read(t, w, rel)
		again, err := w.Case(id)
		if err != nil || again.Identity() != c.Identity() || again.Replayable() != c.Replayable() || !cmp.Equal(again.BaselineScores, c.BaselineScores, cmpopts.EquateEmpty()) {
			t.Fatalf("%q became %q: %v", data, first, err)
		}
		update(t, w, func(tx *Tx) error { return tx.PutCase(again) })
		if second := read(t, w, rel); second != first {
			t.Fatalf("%q, then %q", first, second)
		}
	})
}

// FuzzNotice does the same with notices, and acknowledges them.
func FuzzNotice(f *testing.F) {
	w := newFuzz(f)
	const id = "n-20260131T093000000000-0123abcd"
	f.Add([]byte(`{"id":"` + id + `","created_at":"2026-01-31T09:30:00Z","session_id":"s","turn_index":3,"severity":"breach","status":"pending","summary":"m=0.1",
 "signatures":["breach:m"],"metrics":[{"name":"m","value":0.1,"threshold":0.5,"reason":"","conditions":["breach"],"x":1}],"flagged_traces":["t"],"signal_breakdown":{"t":{"a":1}},"resolution":null,"y":2}`))
	f.Add([]byte(`{"id":"` + id + `"}`))
	f.Add([]byte(`{"id":"` + id + `","signal_breakdown":{"t":null},"metrics":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		os.Remove(w.path(processedDir + "/" + id + jsonEnding))
		put(t, w, pendingDir+"/"+id+jsonEnding, data)
		n, err := w.Notice(id)
		if err != nil {
			return
		}
		n.Status = Acknowledged
		update(t, w, func(tx *Tx) error { return tx.PutNotice(n) })
		acked, err := w.Notice(id)
		if err != nil || acked.Status != Acknowledged || acked.SessionID != n.SessionID || acked.Summary != n.Summary || !slices.Equal(acked.Signatures, n.Signatures) {
			t.Fatalf("%q was acknowledged and reads as %+v, %v", data, acked, err)
		}
	})
}

// FuzzEvidence reads arbitrary files as a journal, a session and a trial, and
// appends to them. Whatever stands there, what is read is in order and once, all
// readers agree, and the new line is among it.
func FuzzEvidence(f *testing.F) {
	w := newFuzz(f)
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	w.Now = func() time.Time { return now }
	const day, session, trial = journalDir + "/2026-01-01.aaaaaa.jsonl", sessionsDir + "/s.aaaaaa.jsonl", trialsDir + "/r-0123456789.aaaaaa.jsonl"
	line := `{"ts":"2026-01-01T10:00:00.000000Z","id":"0123456789abcdef","type":"x","session_id":"s","rule_id":"r-0123456789","scores":{"m":0.5},"signatures":["breach:m"]}`
	for _, text := range []string{line, line + "\n" + line + "\n", line[:50], line + "\n<<<<<<< HEAD\n" + line + "\n=======\n>>>>>>> x\n", "\xef\xbb\xbf" + line + "\r\n",
		`{"type":"observation","id":"b","ts":"2026-01-01T11:00:00+01:00","session_id":"s","breached":true}` + "\n", "\x00\x00\n{}\n[]\nnull\n", strings.Replace(line, "10:00", "13:30", 1) + "\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, rel := range []string{day, session, trial} {
			put(t, w, rel, data)
		}
		before, err := w.Events(JournalFilter{})
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, data, before)
		update(t, w, func(tx *Tx) error {
			_, err := tx.Journal(Event{Type: "new"}, map[string]int{"n": 1})
			_, _, err2 := tx.AppendSession(SessionLine{SessionID: "s", RunID: "new"})
			_, err3 := tx.AppendTrial("r-0123456789", TrialLine{Type: Observation, SessionID: "new"})
			return cmpErr(err, err2, err3)
		})
		after, err := w.Events(JournalFilter{})
		if err != nil || len(after) != len(before)+1 || !slices.ContainsFunc(after, func(e Event) bool { return e.Type == "new" }) {
			t.Fatalf("%q: %d events and a new one are %d, %v", data, len(before), len(after), err)
		}
		checkOrder(t, data, after)
		last, err := w.Events(JournalFilter{Last: 2})
		if want := after[max(0, len(after)-2):]; err != nil || !slices.EqualFunc(last, want, func(a, b Event) bool { return a.ID == b.ID }) {
			t.Fatalf("%q: the last two are %v, want %v", data, last, want)
		}
		lines, err := w.SessionLines("s")
		if err != nil || !slices.ContainsFunc(lines, func(l SessionLine) bool { return l.RunID == "new" }) {
			t.Fatalf("%q: the new line is not among the session's: %v, %v", data, lines, err)
		}
		evidence, err := w.TrialLines("r-0123456789")
		if err != nil || !slices.ContainsFunc(evidence, func(l TrialLine) bool { return l.SessionID == "new" }) {
			t.Fatalf("%q: the new line is not among the trial's: %v, %v", data, evidence, err)
		}
		rule := exampleRule("r-0123456789")
		rule.JoinTrial(evidence, 5)
	})
}

func cmpErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkOrder(t *testing.T, data []byte, events []Event) {
	t.Helper()
	seen := map[string]bool{}
	for i, e := range events {
		if key := e.TS.String() + e.ID; seen[key] {
			t.Fatalf("%q: the event %q is there twice", data, e.ID)
		} else {
			seen[key] = true
		}
		if i > 0 && CompareTimeID(events[i-1].TS, events[i-1].ID, e.TS, e.ID) > 0 {
			t.Fatalf("%q: %s comes before %s", data, events[i-1].TS, e.TS)
		}
	}
}

// FuzzTail reads the end of files: torn is what does not end in a newline.
func FuzzTail(f *testing.F) {
	f.Add([]byte(`{"ts":"2026-01-01T10:00:00.000000Z","id":"x"}` + "\n"))
	f.Add([]byte(`{"ts":"2026-01-01T10:00:00.000000Z"`))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		torn, last, err := readTail(bytes.NewReader(data), int64(len(data)))
		if err != nil || torn != (len(data) > 0 && data[len(data)-1] != '\n') {
			t.Fatalf("%q: torn %v, %v", data, torn, err)
		}
		if !last.IsZero() && !bytes.Contains(data, []byte(beforeTime)) {
			t.Fatalf("%q has the time %s", data, last)
		}
	})
}

// FuzzWriters reads a spoilt cache of writers: a bad one costs a listing, never
// a writer that is there.
func FuzzWriters(f *testing.F) {
	w := newFuzz(f)
	if err := os.WriteFile(w.path(sessionsDir+"/s.bbbbbb.jsonl"), []byte(`{"ts":"2026-01-01T10:00:00Z","id":"b","session_id":"s"}`+"\n"), 0o666); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"mod_times":{},"listed_at":0,"writers":[]}`))
	f.Add([]byte(`{"mod_times":null,"writers":["../../x"]}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		put(t, w, writersFile, data)
		fresh := newWorkspace(w.Root)
		lines, err := fresh.SessionLines("s")
		if err != nil || len(lines) != 1 {
			t.Fatalf("%q: %d lines, %v", data, len(lines), err)
		}
		if matches, _ := filepath.Glob(filepath.Join(w.Root, "..", "x*")); len(matches) > 0 {
			t.Fatalf("%q made %v", data, matches)
		}
	})
}
