package workspace

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoIDLeavesItsFolder gives ids that lead elsewhere to all that takes one,
// with a file lying there.
func TestNoIDLeavesItsFolder(t *testing.T) {
	w := newTest(t)
	notice := Notice{SessionID: "s", Status: Acknowledged}
	for _, name := range []string{"state/outside.toml", "state/outside.json", "state/mailbox/outside.json", "state/outside.aaaaaa.jsonl"} {
		write(t, w, name, "status = 1\n")
	}
	w.Writer = "aaaaaa"
	before := snapshot(t, w)
	id := "../outside"
	for name, ask := range map[string]func(tx *Tx) error{
		"Rule":             func(*Tx) error { _, err := w.Rule(id); return err },
		"AddRule":          func(tx *Tx) error { return tx.AddRule(exampleRule(id)) },
		"SetStatus":        func(tx *Tx) error { return tx.SetStatus(id, Active, "") },
		"FinishRetirement": func(tx *Tx) error { return tx.FinishRetirement(id) },
		"AppendTrial":      func(tx *Tx) error { _, err := tx.AppendTrial(id, TrialLine{Type: Attempt}); return err },
		"TrialSize":        func(tx *Tx) error { _, err := tx.TrialSize(id); return err },
		"Tx.TrialLines":    func(tx *Tx) error { _, err := tx.TrialLines(id); return err },
		"TrialLines":       func(*Tx) error { _, err := w.TrialLines(id); return err },
		"SyncTrial":        func(*Tx) error { return w.SyncTrial(id) },
		"Case":             func(*Tx) error { _, err := w.Case(id); return err },
		"PutCase":          func(tx *Tx) error { return tx.PutCase(Case{ID: id, SessionID: "s", Kind: Win}) },
		"RemoveCase":       func(tx *Tx) error { return tx.RemoveCase(id) },
		"Notice":           func(*Tx) error { _, err := w.Notice(id); return err },
		"PutNotice":        func(tx *Tx) error { notice.ID = id; return tx.PutNotice(notice) },
	} {
		err := w.Update(context.Background(), ask)
		if code := CodeOf(err); code != CodeBadInput {
			t.Errorf("%s: got %v, want it refused as bad input", name, err)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, w)); diff != "" {
		t.Errorf("files changed (-before +after):\n%s", diff)
	}
}

// TestNoWriterLeavesItsFolder: what names a writer stands in files, too.
func TestNoWriterLeavesItsFolder(t *testing.T) {
	w := newTest(t)
	line := func(id string) string {
		return `{"ts":"2026-01-01T10:00:00Z","id":"` + id + `","session_id":"s"}` + "\n"
	}
	write(t, w, "state/sessions/s.aaaaaa.jsonl", line("inside"))
	write(t, w, "state/s.jsonl", line("outside"))
	write(t, w, writerFile, "../../\n")
	update(t, w, func(tx *Tx) error {
		if err := CheckWriter(tx.writer); err != nil {
			t.Error(err)
		}
		_, _, err := tx.AppendSession(SessionLine{SessionID: "another"}) // lists the writers
		return err
	})
	write(t, w, writersFile, strings.Replace(read(t, w, writersFile), `"aaaaaa"`, `"aaaaaa","/../../s"`, 1))
	fresh, err := Open(w.Root)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := fresh.SessionLines("s")
	if err != nil || len(lines) != 1 || lines[0].ID != "inside" {
		t.Errorf("got %+v, %v", lines, err)
	}
}

// TestALineOfAnotherSessionDoesNotCount where it lies: a merge by hand may have
// put it there.
func TestALineOfAnotherSessionDoesNotCount(t *testing.T) {
	w := newTest(t)
	line := func(session string) string {
		return `{"ts":"2026-01-01T10:00:00Z","id":"` + session + `","session_id":"` + session + `","scores":{"m":0.5},"signatures":[]}` + "\n"
	}
	write(t, w, "state/sessions/s-1.aaaaaa.jsonl", line("s-2")+line("s-1"))
	lines, err := w.SessionLines("s-1")
	if err != nil || len(lines) != 1 || lines[0].SessionID != "s-1" {
		t.Errorf("got %+v, %v", lines, err)
	}
}

// TestNamesHoldTheWholeDigest: ids with the same readable part are told apart by
// 32 digits of it.
func TestNamesHoldTheWholeDigest(t *testing.T) {
	seen := map[string]bool{}
	for n := range 1 << 12 {
		name := sessionName(strings.Repeat("\u00e9", 1+n%30) + strings.Repeat("\u00e8", n/30))
		_, digits, _ := strings.Cut(name, "~")
		if seen[name] || len(digits) != 32 || !allIn(digits, hexDigits) {
			t.Fatalf("%d names are made, and then %s", n, name)
		}
		seen[name] = true
	}
}
