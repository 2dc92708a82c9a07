package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var errRefused = errors.New("the disk refuses")

// TestWhatFailsIsTakenBackWithAllBeforeIt changes a rule in many ways, and removes
// another one, and fails after each number of changes, also in a part of its own.
func TestWhatFailsIsTakenBackWithAllBeforeIt(t *testing.T) {
	ways := []func(tx *Tx) error{
		func(tx *Tx) error { _, err := tx.Journal(Event{Type: "x"}, nil); return err },
		func(tx *Tx) error { return tx.remove(rulesDir + "/r-00000000ff.toml") },
		func(tx *Tx) error { return tx.SetStatus("r-0123456789", Active, "promoted:x") },
		func(tx *Tx) error { return tx.SetStatus("r-0123456789", Retired, "retired:x") },
		func(tx *Tx) error { return tx.move(retiredDir+"/r-0123456789.toml", rulesDir+"/r-0123456789.toml") },
		func(tx *Tx) error { return tx.remove(rulesDir + "/r-0123456789.toml") },
		func(tx *Tx) error { return tx.AddRule(exampleRule("r-0123456789")) },
		func(tx *Tx) error { _, err := tx.Journal(Event{Type: "y"}, nil); return err },
	}
	for n := range len(ways) + 1 {
		for _, inAPart := range []bool{false, true} {
			w := newRepairTest(t)
			update(t, w, func(tx *Tx) error {
				return errors.Join(tx.AddRule(exampleRule("r-0123456789")), tx.AddRule(exampleRule("r-00000000ff")))
			})
			before := snapshot(t, w)
			err := w.Update(context.Background(), func(tx *Tx) error {
				return tx.Atomically(func() error {
					for _, way := range ways[:n] {
						if err := way(tx); err != nil {
							t.Error(err)
						}
					}
					if inAPart {
						return tx.Atomically(func() error { return errRefused })
					}
					return errRefused
				})
			})
			if !errors.Is(err, errRefused) {
				t.Errorf("%d changes: got %v", n, err)
			}
			if diff := cmp.Diff(before, snapshot(t, w)); diff != "" {
				t.Errorf("%d changes, failing in a part: %v (-before +after):\n%s", n, inAPart, diff)
			}
		}
	}
}

// TestATailThatIsTornAgainIsClosed appends in one Update behind a line that was
// taken back, and behind half a line that could not be.
func TestATailThatIsTornAgainIsClosed(t *testing.T) {
	for name, c := range map[string]struct {
		before string // the file
		fails  func(tx *Tx) error
	}{
		"a line was taken back behind a torn one": {dayLine(1) + `{"ts":"`, func(tx *Tx) error {
			return tx.Atomically(func() error {
				if _, err := tx.Journal(Event{Type: "taken back"}, nil); err != nil {
					t.Error(err)
				}
				return errRefused
			})
		}},
		"half a line cannot be cut off": {dayLine(1), func(tx *Tx) error {
			testOnlyFault = func(op, path string) error {
				if op == "write" {
					appendText(t, path, `{"ts":"`)
				}
				if op == "write" || op == "truncate" {
					return errRefused
				}
				return nil
			}
			defer func() { testOnlyFault = nil }()
			_, err := tx.Journal(Event{Type: "half written"}, nil)
			return err
		}},
	} {
		w := newTest(t)
		w.Writer = "aaaaaa"
		at(w, "2026-01-01T12:00:00Z")
		write(t, w, dayFile, c.before)
		update(t, w, func(tx *Tx) error {
			if err := c.fails(tx); !errors.Is(err, errRefused) {
				t.Errorf("%s: got %v", name, err)
			}
			_, err := tx.Journal(Event{Type: "next"}, nil)
			return err
		})
		if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, []string{"x", "next"}) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func appendText(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAFailureIsTold lets a file fail to be written in each of its steps.
func TestAFailureIsTold(t *testing.T) {
	for _, op := range []string{"create", "write", "sync", "close", "rename", "syncdir"} {
		w := newRepairTest(t)
		testOnlyFault = func(at, path string) error {
			if at == op && strings.Contains(path, "rules") {
				return fmt.Errorf("%s: %w", op, errRefused)
			}
			return nil
		}
		err := w.Update(context.Background(), func(tx *Tx) error { return tx.AddRule(exampleRule("r-0123456789")) })
		testOnlyFault = nil
		if !errors.Is(err, errRefused) {
			t.Errorf("%s: got %v", op, err)
		}
		if left, _ := os.ReadDir(w.path(rulesDir)); slices.ContainsFunc(left, func(e os.DirEntry) bool { return isLeftover(e.Name()) }) {
			t.Errorf("%s: left %v", op, left)
		}
	}
}

// TestEvidenceThatCouldNotBeSyncedIsTold: it stands, but nobody may rely on it.
func TestEvidenceThatCouldNotBeSyncedIsTold(t *testing.T) {
	for _, op := range []string{"sync", "syncdir"} {
		w := newRepairTest(t)
		testOnlyFault = func(at, path string) error {
			if at == op && strings.Contains(path, "journal") {
				return errRefused
			}
			return nil
		}
		err := w.Update(context.Background(), func(tx *Tx) error { _, err := tx.Journal(Event{Type: "x"}, nil); return err })
		testOnlyFault = nil
		var unsynced *UnsyncedError
		if !errors.As(err, &unsynced) || !errors.Is(err, errRefused) {
			t.Errorf("%s: got %v", op, err)
		}
	}
}
