package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func journalTypes(t *testing.T, w *Workspace, f JournalFilter) []string {
	t.Helper()
	events, err := w.Events(f)
	if err != nil {
		t.Fatal(err)
	}
	types := []string{}
	for _, e := range events {
		types = append(types, e.Type)
	}
	return types
}

func journal(t *testing.T, w *Workspace, types ...string) {
	t.Helper()
	update(t, w, func(tx *Tx) error {
		for _, kind := range types {
			if _, err := tx.Journal(Event{Type: kind, SessionID: "s-" + kind}, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

var tornTails = map[string]string{
	"half a record":            `{"ts":"2026-01-01T00:00:00.000000Z","type":"not`,
	"inside a character":       "{\"ts\":\"2026-01-01T00:00:00.000000Z\",\"id\":\"x\",\"type\":\"caf\xc3",
	"a single brace":           "{",
	"a NUL block":              "\x00\x00\x00\x00",
	"a head without a body":    `{"ts":"2026-01-01T00:00:00.000000Z","id":"x","type":"y"`,
	"another kind of document": `["ts"]`,
}

// TestTornLines is the kind of R-07: a crash in the middle of a write, wherever
// its rest ends up.
func TestTornLines(t *testing.T) {
	w := newTest(t)
	at(w, "2026-01-01T10:00:00Z")
	w.Writer = "aaaaaa"
	journal(t, w, "one")
	rel := journalDir + "/2026-01-01.aaaaaa.jsonl"
	whole := read(t, w, rel)

	for name, tail := range tornTails {
		write(t, w, rel, whole+tail)
		at(w, "2026-01-01T10:00:01Z")
		journal(t, w, "two")
		if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("%s at the end: got %v", name, got)
		}
		write(t, w, rel, tail+"\n"+whole)
		if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, []string{"one"}) {
			t.Errorf("%s at the beginning: got %v", name, got)
		}
	}
}

// TestTornLinesOfSessionsAndTrials is the same for the evidence that is read file
// by file.
func TestTornLinesOfSessionsAndTrials(t *testing.T) {
	for name, tail := range tornTails {
		w := newTest(t)
		w.Writer = "aaaaaa"
		for range 2 {
			update(t, w, func(tx *Tx) error {
				_, _, err := tx.AppendSession(SessionLine{SessionID: "s"})
				_, err2 := tx.AppendTrial("r-0123456789", TrialLine{Type: Attempt})
				return errors.Join(err, err2)
			})
			for _, rel := range []string{sessionFile("s", "aaaaaa"), trialFile("r-0123456789", "aaaaaa")} {
				write(t, w, rel, read(t, w, rel)+tail)
			}
		}
		sessions, err1 := w.SessionLines("s")
		trials, err2 := w.TrialLines("r-0123456789")
		if err := errors.Join(err1, err2); err != nil || len(sessions) != 2 || len(trials) != 2 {
			t.Errorf("%s: %d reports and %d attempts are left, %v", name, len(sessions), len(trials), err)
		}
	}
}

func TestAWholeLineWithoutANewlineIsKept(t *testing.T) {
	w := newTest(t)
	w.Writer = "aaaaaa"
	at(w, "2026-01-01T10:00:00Z")
	journal(t, w, "one")
	rel := journalDir + "/2026-01-01.aaaaaa.jsonl"
	write(t, w, rel, strings.TrimSuffix(read(t, w, rel), "\n"))
	at(w, "2026-01-01T10:00:01Z")
	journal(t, w, "two")
	if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("got %v", got)
	}
}

func TestRepeatedLinesCountOnceInAnyOrder(t *testing.T) {
	w := newTest(t)
	line := func(second int, id, kind string) string {
		return fmt.Sprintf(`{"ts":"2026-01-01T10:00:%02d.000000Z","id":%q,"type":%q}`+"\n", second, id, kind)
	}
	a, b, c := line(1, "a", "one"), line(2, "b", "two"), line(2, "c", "three")
	want := []string{"one", "two", "three"}
	for _, content := range []string{a + b + c, c + b + a, b + a + b + c + a, a + "<<<<<<< HEAD\n" + b + "=======\n" + c + ">>>>>>> x\n"} {
		write(t, w, journalDir+"/2026-01-01.aaaaaa.jsonl", content)
		write(t, w, journalDir+"/2026-01-01.bbbbbb.jsonl", b)
		if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", content, got, want)
		}
	}
}

// TestOrderIsByInstant is the kind of R-12: times that sort otherwise as text.
func TestOrderIsByInstant(t *testing.T) {
	w := newTest(t)
	content := ""
	for _, line := range []struct{ ts, kind string }{
		{"2026-01-01T12:00:00.15Z", "4"}, {"2026-01-01T12:00:00.1Z", "2"}, {"2026-01-01T13:00:00.12+01:00", "3"},
		{"2026-01-01T12:00:00Z", "1"}, {"2026-01-01T12:00:00.150001+00:00", "5"},
	} {
		content += fmt.Sprintf(`{"type":%q,"id":%q,"ts":%q}`+"\n", line.kind, "id"+line.kind, line.ts)
	}
	write(t, w, journalDir+"/2026-01-01.aaaaaa.jsonl", content)
	if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, []string{"1", "2", "3", "4", "5"}) {
		t.Errorf("got %v", got)
	}
	if got := journalTypes(t, w, JournalFilter{Last: 2}); !slices.Equal(got, []string{"4", "5"}) {
		t.Errorf("last 2: got %v", got)
	}
}

func TestEventsAreChosen(t *testing.T) {
	w := newTest(t)
	for i, day := range []string{"2026-01-01", "2026-01-02", "2026-01-03"} {
		at(w, day+"T10:00:00Z")
		journal(t, w, fmt.Sprintf("n%d", i), "x")
	}
	since, _ := ParseTime("2026-01-02T00:00:00Z")
	for _, c := range []struct {
		filter JournalFilter
		want   []string
	}{
		{JournalFilter{}, []string{"n0", "x", "n1", "x", "n2", "x"}},
		{JournalFilter{Types: []string{"x"}, Last: 2}, []string{"x", "x"}},
		{JournalFilter{SessionID: "s-n1"}, []string{"n1"}},
		{JournalFilter{Since: since}, []string{"n1", "x", "n2", "x"}},
		{JournalFilter{Types: []string{"none"}}, []string{}},
	} {
		if diff := cmp.Diff(c.want, sortedSame(journalTypes(t, w, c.filter), c.want)); diff != "" {
			t.Errorf("%+v: %s", c.filter, diff)
		}
	}
}

// sortedSame brings events of one instant, whose order is that of random ids,
// into the wanted order.
func sortedSame(got, want []string) []string {
	if len(got) == len(want) && slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		return want
	}
	return got
}

// TestLastReadsNoMoreThanItNeeds: a day that is not needed may be unreadable.
func TestLastReadsNoMoreThanItNeeds(t *testing.T) {
	w := newTest(t)
	at(w, "2026-01-02T10:00:00Z")
	journal(t, w, "a", "b")
	if err := os.Mkdir(w.path(journalDir+"/2026-01-01.aaaaaa.jsonl.d"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", w.path(journalDir+"/2026-01-01.aaaaaa.jsonl")); err != nil {
		t.Fatal(err)
	}
	warned := 0
	w.Warn = func(error) { warned++ }
	if got := journalTypes(t, w, JournalFilter{Last: 2}); len(got) != 2 || warned != 0 {
		t.Errorf("got %v, %d warnings", got, warned)
	}
}

// TestFailedStepsLeaveTheStateOfBefore lets every step that changes a file fail
// in turn.
func TestFailedStepsLeaveTheStateOfBefore(t *testing.T) {
	for _, op := range []string{"open", "write", "sync", "create", "rename", "syncdir"} {
		t.Run(op, func(t *testing.T) {
			w := newTest(t)
			w.Writer = "aaaaaa"
			at(w, "2026-01-01T10:00:00Z")
			update(t, w, func(tx *Tx) error { return tx.AddRule(exampleRule("r-0123456789")) })
			journal(t, w, "before")
			before := snapshot(t, w)

			testOnlyFault = func(at, path string) error {
				if at == op {
					return errors.New("no space left on device")
				}
				return nil
			}
			err := w.Update(context.Background(), func(tx *Tx) error {
				return tx.Atomically(func() error {
					mark, err := tx.Journal(Event{Type: "rule_promote"}, nil)
					if err != nil {
						return err
					}
					if err := tx.SyncJournal(mark); err != nil {
						return err
					}
					return tx.SetStatus("r-0123456789", Active, "promoted:x")
				})
			})
			testOnlyFault = nil
			if err == nil || !strings.Contains(err.Error(), "no space left on device") {
				t.Fatalf("got %v, want the failure told", err)
			}
			if diff := cmp.Diff(before, snapshot(t, w)); diff != "" {
				t.Errorf("the state changed (-before +after):\n%s", diff)
			}
		})
	}
}

// snapshot is every committed file with its content.
func snapshot(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(w.Root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "/local/") {
			return err
		}
		b, err := os.ReadFile(path)
		files[w.rel(path)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestLinksAreNotWrittenThrough(t *testing.T) {
	outside := t.TempDir()
	for _, link := range []string{"state/rules", "state/journal", "state/evalset", "state/trials", "state/sessions"} {
		w := newTest(t)
		if err := os.RemoveAll(w.path(link)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, w.path(link)); err != nil {
			t.Fatal(err)
		}
		err := w.Update(context.Background(), func(tx *Tx) error {
			_, err := tx.Journal(Event{Type: "x"}, nil)
			_, err2 := tx.AppendTrial("r-0123456789", TrialLine{Type: Attempt})
			_, _, err3 := tx.AppendSession(SessionLine{SessionID: "s"})
			now, _ := ParseTime("2026-01-01T10:00:00Z")
			err4 := tx.PutCase(Case{ID: "c-0123456789", CreatedAt: now, SessionID: "s", Kind: Win})
			return errors.Join(err, err2, err3, err4, tx.AddRule(exampleRule("r-0123456789")))
		})
		if CodeOf(err) != CodeRefused {
			t.Errorf("%s: got %v, want it refused", link, err)
		}
		if entries, _ := os.ReadDir(outside); len(entries) != 0 {
			t.Fatalf("%s: %v was written outside", link, entries[0].Name())
		}
	}
}
