package workspace

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/go-json-experiment/json"
)

// JournalFilter chooses events. Zero values choose all.
type JournalFilter struct {
	Types     []string
	SessionID string
	RuleID    string
	Since     Time
	Last      int // at most so many, the newest ones; 0 = all
	Within    int // look at the last so many events only, in whole days; 0 = all
}

// Events returns the chosen events, oldest first. Days are read from the
// newest backward and no more of them than Last and Within need.
func (w *Workspace) Events(f JournalFilter) ([]Event, error) {
	return EventsBy(w, f, decodeEvent)
}

// EventsBy is Events for who needs little of many events: decode takes that from
// a line, which it may keep. A line that it refuses is passed over.
func EventsBy[T any](w *Workspace, f JournalFilter, decode func(line []byte) (T, error)) ([]T, error) {
	days, err := w.journalDays()
	if err != nil {
		return nil, err
	}
	var newestFirst [][]T
	reader := newDayReader(w, f, decode)
	found, lookedAt := 0, 0
	for _, day := range days {
		if day.isBefore(f.Since) {
			break
		}
		events, lines, err := reader.events(day, f.Last-found)
		if err != nil {
			return nil, err
		}
		newestFirst = append(newestFirst, events)
		found, lookedAt = found+len(events), lookedAt+lines
		if f.Last > 0 && found == f.Last || f.Within > 0 && lookedAt >= f.Within {
			break
		}
	}
	slices.Reverse(newestFirst)
	return slices.Concat(newestFirst...), nil
}

// WalkEvents hands out the chosen events one after the other, oldest first, and
// stops at visit's first error. Without Last it has no more than a day of them
// in memory.
func (w *Workspace) WalkEvents(f JournalFilter, visit func(Event) error) error {
	if f.Last > 0 || f.Within > 0 {
		events, err := w.Events(f)
		if err != nil {
			return err
		}
		return visitAll(events, visit)
	}
	days, err := w.journalDays()
	if err != nil {
		return err
	}
	reader := newDayReader(w, f, decodeEvent)
	for _, day := range slices.Backward(days) {
		if day.isBefore(f.Since) {
			continue
		}
		events, _, err := reader.events(day, 0)
		if err == nil {
			err = visitAll(events, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func visitAll(events []Event, visit func(Event) error) error {
	for _, e := range events {
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

func decodeEvent(line []byte) (e Event, err error) {
	err = json.Unmarshal(line, &e)
	return e, err
}

// wantsType takes the type as it stands in the line, which costs no copy.
func (f JournalFilter) wantsType(kind []byte) bool {
	return len(f.Types) == 0 || slices.ContainsFunc(f.Types, func(t string) bool { return t == string(kind) })
}

// words are texts without which no line is about the session and rule, so that
// most lines need no decoding. An id with characters that JSON may escape in
// more ways than one gives none.
func (f JournalFilter) words() (words [][]byte) {
	for _, id := range []string{f.SessionID, f.RuleID} {
		if allIn(id, plainChars+"ABCDEFGHIJKLMNOPQRSTUVWXYZ.:") {
			words = append(words, []byte(id))
		}
	}
	return words
}

func containsAll(line []byte, words [][]byte) bool {
	return !slices.ContainsFunc(words, func(word []byte) bool { return !bytes.Contains(line, word) })
}

// isAbout tells whether a line is about the session and the rule.
func (f JournalFilter) isAbout(line []byte) (bool, error) {
	if f.SessionID == "" && f.RuleID == "" {
		return true, nil
	}
	var e Event
	err := json.Unmarshal(line, &e)
	return cmp.Or(f.SessionID, e.SessionID) == e.SessionID && cmp.Or(f.RuleID, e.RuleID) == e.RuleID, err
}
