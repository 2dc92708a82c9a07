package workspace

import (
	"context"
	"os"
	"strings"
	"testing"
)

// oddSessionIDs are legal ids that make bad file names.
var oddSessionIDs = []string{
	"s-1", "S-1", "a/b", "a\\b", "../../etc/passwd", ".", "..", "...", "a.b", "a:b", "a b", " a", "con", "CON", "nul", "com1", "lpt9", "com10", "aux.txt",
	"caf\u00e9", "cafe\u0301", "\u212b", "\u00c5", "\U0001f600", "trailing.", "trailing ", "~", "s-1~", "-", "_", "%2e", "a\u202eb",
	strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 512), strings.Repeat("\U0001f600", 128), strings.Repeat("X", 64),
	"stra\u00dfe", "STRASSE", "\u0131", "I", "i",
}

func TestSessionNamesAreLegalAndDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, id := range oddSessionIDs {
		if err := CheckSessionID(id); err != nil {
			t.Errorf("%q is refused: %v", id, err)
			continue
		}
		name := sessionName(id)
		if folded := strings.ToLower(name); folded != name {
			t.Errorf("%q gives %q, which is not lower-case", id, name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q share the name %q", id, other, name)
		}
		seen[name] = id
		if strings.Trim(name, plainChars+"~") != "" || len(name) > 80 || isReservedName(name) || name == "" {
			t.Errorf("%q gives the name %q, which is not legal everywhere", id, name)
		}
	}
}

func TestSessionNamesAreNotForgedByOtherIDs(t *testing.T) {
	// The name of one session must not be reachable as the plain id of another.
	for _, id := range oddSessionIDs {
		if name := sessionName(id); name != id && sessionName(name) == name {
			t.Errorf("the id %q is named %q, which is also the name of the session %q", id, name, name)
		}
	}
}

func TestSessionFilesStayApart(t *testing.T) {
	w := newTest(t)
	update(t, w, func(tx *Tx) error {
		for _, id := range oddSessionIDs {
			if _, _, err := tx.AppendSession(SessionLine{SessionID: id}); err != nil {
				return err
			}
		}
		return nil
	})
	entries, err := os.ReadDir(w.path(sessionsDir))
	if err != nil || len(entries) != len(oddSessionIDs) {
		t.Errorf("%d files for %d sessions (%v)", len(entries), len(oddSessionIDs), err)
	}
	for _, id := range oddSessionIDs {
		lines, err := w.SessionLines(id)
		if err != nil || len(lines) != 1 || lines[0].SessionID != id {
			t.Errorf("%q: got %v, %v", id, lines, err)
		}
	}
}

func TestBadSessionIDs(t *testing.T) {
	w := newTest(t)
	for _, id := range []string{"", "  ", "a\nb", "a\x00b", "\xff", strings.Repeat("x", 513), "\u0085"} {
		err := w.Update(context.Background(), func(tx *Tx) error {
			_, _, err := tx.AppendSession(SessionLine{SessionID: id})
			return err
		})
		if CodeOf(err) != CodeBadInput {
			t.Errorf("%q: got %v, want it refused", id, err)
		}
	}
}
