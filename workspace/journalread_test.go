package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestTimesOfAllWritersSortTogether mixes lines whose head is read in place
// with lines that have to be decoded, down to the nanosecond.
func TestTimesOfAllWritersSortTogether(t *testing.T) {
	w := newTest(t)
	own := func(ts, kind string) string {
		return fmt.Sprintf(`{"ts":%q,"id":"id%s","type":%q}`+"\n", ts, kind, kind)
	}
	foreign := func(ts, kind string) string {
		return fmt.Sprintf(`{"type": %q, "ts": %q, "id": "id%s"}`+"\n", kind, ts, kind)
	}
	write(t, w, journalDir+"/2026-01-01.aaaaaa.jsonl", ""+
		own("2026-01-01T12:00:00.100001Z", "4")+
		foreign("2026-01-01T12:00:00.100000001Z", "3")+
		foreign("2026-01-01T13:00:00.1+01:00", "1")+
		own("2026-01-01T12:00:00.100000Z", "2")+
		foreign("2026-01-01T12:00:00.1000010001Z", "5")+
		own("2026-01-01T12:00:01.000000Z", "6"))
	if got := journalTypes(t, w, JournalFilter{}); !slices.Equal(got, []string{"1", "2", "3", "4", "5", "6"}) {
		t.Errorf("got %v", got)
	}
	since, _ := ParseTime("2026-01-01T12:00:00.100001Z")
	if got := journalTypes(t, w, JournalFilter{Since: since}); !slices.Equal(got, []string{"4", "5", "6"}) {
		t.Errorf("since %v: got %v", since, got)
	}
}

// TestATimeThatOnlyLooksLikeOneIsPassedOver: it is found when its line is
// decoded, and the next line takes its place among the last.
func TestATimeThatOnlyLooksLikeOneIsPassedOver(t *testing.T) {
	w := newTest(t)
	write(t, w, journalDir+"/2026-01-01.aaaaaa.jsonl", ""+
		`{"ts":"2026-01-01T12:00:00.000000Z","id":"000000000000000a","type":"one"}`+"\n"+
		`{"ts":"2026-13-01T12:00:00.000000Z","id":"000000000000000b","type":"two"}`+"\n")
	var warned []string
	w.Warn = func(err error) { warned = append(warned, err.Error()) }
	if got := journalTypes(t, w, JournalFilter{Last: 1}); !slices.Equal(got, []string{"one"}) || len(warned) == 0 {
		t.Errorf("got %v, warnings %q", got, warned)
	}
}

func TestHasTimeLayout(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-01-31T09:30:00.000000Z":  true,
		"2026-01-31T09:30:00.00000Z":   false,
		"2026-01-31T09:30:00.0000000Z": false,
		"2026-01-31T09:30:00,000000Z":  false,
		"2026-01-31 09:30:00.000000Z":  false,
		"2026-01-31T09:30:00.000000z":  false,
		"2026-01-31T09:30:00.00000aZ":  false,
		"x026-01-31T09:30:00.000000Z":  false,
		"":                             false,
	} {
		if got := hasTimeLayout([]byte(text)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// TestIdsOfEveryKindChooseTheirEvents: an id is looked for in the raw line only
// where JSON has one way to write it.
func TestIdsOfEveryKindChooseTheirEvents(t *testing.T) {
	for _, session := range []string{"s-1", "S.1:a", "caf\u00e9 \"1\"", "a/b", "<&>", "\u2028"} {
		w := newTest(t)
		update(t, w, func(tx *Tx) error {
			for _, id := range []string{session, session + "2"} {
				if _, err := tx.Journal(Event{Type: "x", SessionID: id, RuleID: "r-0123456789"}, map[string]string{"note": session}); err != nil {
					return err
				}
			}
			return nil
		})
		events, err := w.Events(JournalFilter{SessionID: session, RuleID: "r-0123456789"})
		if err != nil || len(events) != 1 || events[0].SessionID != session {
			t.Errorf("%q: got %v, %v", session, events, err)
		}
		if events, _ := w.Events(JournalFilter{SessionID: session, RuleID: "r-0123456780"}); len(events) != 0 {
			t.Errorf("%q of another rule: got %v", session, events)
		}
	}
}

func TestWithinLooksAtWholeDays(t *testing.T) {
	w := newTest(t)
	for _, day := range []string{"2026-01-01", "2026-01-02", "2026-01-03"} {
		at(w, day+"T10:00:00Z")
		journal(t, w, "x", strings.TrimPrefix(day, "2026-01-"))
	}
	for within, want := range map[int]string{0: "010203", 1: "03", 2: "03", 3: "0203", 4: "0203", 5: "010203", 99: "010203"} {
		got := journalTypes(t, w, JournalFilter{Types: []string{"01", "02", "03"}, Within: within})
		if strings.Join(got, "") != want {
			t.Errorf("within %d: got %v, want %s", within, got, want)
		}
	}
	if got := journalTypes(t, w, JournalFilter{Types: []string{"01", "02"}, Within: 4, Last: 2}); !slices.Equal(got, []string{"02"}) {
		t.Errorf("last 2 within 4: got %v", got)
	}
}

// TestWalkEventsGivesWhatEventsGives, in the same order, and ends at an error.
func TestWalkEventsGivesWhatEventsGives(t *testing.T) {
	w := newTest(t)
	for _, day := range []string{"2026-01-03", "2026-01-01", "2026-01-02"} {
		for second := range 3 {
			at(w, fmt.Sprintf("%sT10:00:%02dZ", day, 3-second))
			journal(t, w, fmt.Sprintf("%s:%d", day, 3-second), "x")
		}
	}
	since, _ := ParseTime("2026-01-02T10:00:02Z")
	for _, f := range []JournalFilter{{}, {Last: 4}, {Within: 1}, {Types: []string{"x"}}, {Since: since}, {SessionID: "s-x"}, {SessionID: "none"}} {
		want, err := w.Events(f)
		if err != nil {
			t.Fatal(err)
		}
		var got []Event
		if err := w.WalkEvents(f, func(e Event) error { got = append(got, e); return nil }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", f, diff)
		}
	}
	stop, seen := errors.New("enough"), 0
	err := w.WalkEvents(JournalFilter{}, func(Event) error {
		if seen++; seen == 4 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || seen != 4 {
		t.Errorf("got %v after %d events", err, seen)
	}
}
