package workspace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// reported observes a session once at each of the times, each in an Update of
// its own, and returns its reports in the order in which they are read.
func reported(t *testing.T, w *Workspace, times ...string) (order []string) {
	t.Helper()
	for i, text := range times {
		at(w, text)
		update(t, w, func(tx *Tx) error {
			_, _, err := tx.AppendSession(SessionLine{SessionID: "s", RunID: fmt.Sprint(i)})
			return err
		})
	}
	lines, err := w.SessionLines("s")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		order = append(order, line.RunID)
	}
	return order
}

func TestLinesStandInTheOrderOfWritingWhateverTheClock(t *testing.T) {
	for name, times := range map[string][]string{
		"goes on":             {"2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z", "2026-01-01T10:00:02Z"},
		"stands still":        {"2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z"},
		"is set back":         {"2026-01-01T10:00:00Z", "2026-01-01T09:30:00Z", "2026-01-01T09:30:01Z"},
		"is set back by days": {"2026-01-01T00:00:00Z", "2025-12-31T23:59:00Z", "2025-12-31T23:59:01Z"},
		"moves below a µs":    {"2026-01-01T10:00:00.0000001Z", "2026-01-01T10:00:00.0000009Z", "2026-01-01T10:00:00.0000005Z"},
		"another zone":        {"2026-01-01T10:00:00Z", "2026-01-01T12:00:01+02:00", "2026-01-01T05:00:02-05:00"},
	} {
		w := newTest(t)
		if got := reported(t, w, times...); !slices.Equal(got, []string{"0", "1", "2"}) {
			t.Errorf("the clock %s: got the order %v", name, got)
		}
	}
}

// TestAClockThatWasFarAheadCostsOneLineOnly: what was written under a wrong year
// must not carry on into all that follows.
func TestAClockThatWasFarAheadCostsOneLineOnly(t *testing.T) {
	w := newTest(t)
	if got := reported(t, w, "2036-01-01T10:00:00Z", "2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z"); !slices.Equal(got, []string{"1", "2", "0"}) {
		t.Errorf("got the order %v", got)
	}
	lines, err := w.SessionLines("s")
	if err != nil || lines[0].TS.String() != "2026-01-01T10:00:00.000000Z" {
		t.Errorf("stamped %s, want the clock's time (%v)", lines[0].TS, err)
	}
}

func TestEventsOfOneUpdateKeepTheirOrder(t *testing.T) {
	w := newTest(t)
	at(w, "2026-01-01T10:00:00Z")
	want := []string{"a", "b", "c", "d", "e"}
	journal(t, w, want...)
	at(w, "2026-01-01T09:59:00Z")
	journal(t, w, "f")
	if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, append(want, "f")) {
		t.Errorf("got %v", got)
	}
}

func TestTrialWindowKeepsTheOrderOfWriting(t *testing.T) {
	w := newTest(t)
	rule := exampleRule("r-0123456789")
	for i, text := range []string{"2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z", "2026-01-01T09:45:00Z"} {
		at(w, text)
		update(t, w, func(tx *Tx) error {
			_, err := tx.AppendTrial(rule.ID, TrialLine{Type: Observation, SessionID: fmt.Sprint("s-", i)})
			return err
		})
	}
	lines, err := w.TrialLines(rule.ID)
	if err != nil {
		t.Fatal(err)
	}
	if rule.JoinTrial(lines, 2); !slices.Equal(rule.Trial.ObservedSessions, []string{"s-0", "s-1"}) {
		t.Errorf("a clock set back put %v into the window", rule.Trial.ObservedSessions)
	}
}

func TestReadTail(t *testing.T) {
	line := func(second int) string { return fmt.Sprintf(`{"ts":"2026-01-01T10:00:%02d.000000Z","id":"x"}`, second) }
	long := `{"ts":"2026-01-01T10:00:09.000000Z","text":"` + strings.Repeat("x", 9<<10) + `"}`
	for _, c := range []struct {
		name, content string
		torn          bool
		second        int // -1 = not known
	}{
		{"empty", "", false, -1},
		{"one line", line(1) + "\n", false, 1},
		{"two lines", line(1) + "\n" + line(2) + "\n", false, 2},
		{"a torn tail", line(1) + "\n" + line(2)[:30], true, 1},
		{"only a torn tail", line(2)[:30], true, -1},
		{"a long line", line(1) + "\n" + long + "\n", false, 9},
		{"another writer's line", line(1) + "\n" + `{"id":"x","ts":"2026-01-01T10:00:05Z"}` + "\n", false, -1},
		{"a line that is too long", line(1) + "\n" + strings.Repeat("y", 300<<10) + "\n", false, -1},
		{"conflict markers", line(1) + "\n>>>>>>> x\n", false, -1},
		{"CRLF", line(1) + "\r\n" + line(2) + "\r\n", false, 2},
	} {
		torn, last, err := readTail(strings.NewReader(c.content), int64(len(c.content)))
		second := -1
		if !last.IsZero() {
			second = last.Std().Second()
		}
		if err != nil || torn != c.torn || second != c.second {
			t.Errorf("%s: torn %v, second %d, %v; want %v, %d", c.name, torn, second, err, c.torn, c.second)
		}
	}
}

// TestAStampIsNotOfTheFuture: whatever stands in the file, no line is stamped
// further ahead than clocks may differ.
func TestAStampIsNotOfTheFuture(t *testing.T) {
	w := newTest(t)
	w.Writer = "aaaaaa"
	now := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	for ahead := range 7 {
		last := now.Add(time.Duration(ahead) * mostSetBack / 4)
		write(t, w, sessionFile("s", "aaaaaa"), fmt.Sprintf(`{"ts":%q,"id":"0123456789abcdef","session_id":"s"}`+"\n", NewTime(last)))
		w.Now = func() time.Time { return now }
		update(t, w, func(tx *Tx) error {
			kept, _, err := tx.AppendSession(SessionLine{SessionID: "s"})
			if late := kept.TS.Std().Sub(now); late > mostSetBack {
				t.Errorf("stamped %s ahead", late)
			}
			return err
		})
	}
}
