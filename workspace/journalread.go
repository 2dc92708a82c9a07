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
	return EventsBy(w, f, func(line []byte) (e Event, err error) {
		err = json.Unmarshal(line, &e)
		return e, err
	})
}

// EventsBy is Events for who needs little of many events: decode takes that from
// a line, which it may keep. A line that it refuses is passed over.
func EventsBy[T any](w *Workspace, f JournalFilter, decode func(line []byte) (T, error)) ([]T, error) {
	days, err := w.journalDays()
	if err != nil {
		return nil, err
	}
	var newestFirst [][]T
	reader := dayReader[T]{w: w, filter: f, decode: decode, scanner: &lineScanner{w: w, block: scanBlock}}
	found, lookedAt := 0, 0
	for _, day := range days {
		if !f.Since.IsZero() && day.date < f.Since.t.Format("2006-01-02") {
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

type journalDay struct {
	date  string
	files []string
}

// journalDays lists the days that have events, newest first.
func (w *Workspace) journalDays() ([]journalDay, error) {
	names, err := w.names(journalDir, evidenceEnding)
	if err != nil {
		return nil, err
	}
	var days []journalDay
	for _, name := range slices.Backward(names) {
		date, _, ok := splitEvidenceName(name)
		if !ok {
			continue
		}
		if len(days) == 0 || days[len(days)-1].date != date {
			days = append(days, journalDay{date: date})
		}
		last := &days[len(days)-1]
		last.files = append(last.files, journalDir+"/"+name)
	}
	return days, nil
}

// dayReader reads the events of one day after the other.
type dayReader[T any] struct {
	w       *Workspace
	filter  JournalFilter
	decode  func(line []byte) (T, error)
	scanner *lineScanner
}

// events returns the day's chosen events in order, of more than last > 0 the
// newest ones, and how many lines the day has.
func (r dayReader[T]) events(day journalDay, last int) (events []T, lines int, err error) {
	heads, lines, err := r.heads(day, max(0, last))
	if err != nil {
		return nil, 0, err
	}
	events = r.decodeLast(heads.heads, last)
	if heads.dropped && len(events) < last {
		// Some were not what they looked like: older ones take their place.
		heads, _, err = r.heads(day, 0)
		events = r.decodeLast(heads.heads, last)
	}
	return events, lines, err
}

func (r dayReader[T]) heads(day journalDay, most int) (heads newestHeads, lines int, err error) {
	heads.most = most
	since, about := sortable(r.filter.Since), r.filter.words()
	for _, rel := range day.files {
		err := r.scanner.scan(rel, func(line []byte) {
			lines++
			if kind, ok := ownKind(line); ok && !r.filter.wantsType(kind) {
				return // as most lines are, when only rare events are wanted
			}
			head, kind, err := readHead(line)
			switch {
			case err != nil:
				r.w.Warn(brokenLine(rel, r.scanner.number()))
			case r.filter.wantsType(kind) && bytes.Compare(head.at, since) >= 0 && containsAll(line, about):
				heads.add(head)
			}
		})
		if err != nil {
			return heads, lines, err
		}
	}
	heads.settle()
	return heads, lines, nil
}

// decodeLast decodes lines from the newest backward until it has last > 0 of
// them that fit.
func (r dayReader[T]) decodeLast(heads []lineHead, last int) []T {
	var events []T
	for _, head := range slices.Backward(heads) {
		about, err := r.filter.isAbout(head.line)
		if err == nil && about {
			var e T
			if e, err = r.decode(head.line); err == nil {
				events = append(events, e)
			}
		}
		if err != nil {
			r.w.Warn(&Error{Code: CodeBrokenFile, File: journalDir, Message: "the event " + clip(string(head.id)) + " is no whole record; it is passed over"})
		}
		if last > 0 && len(events) == last {
			break
		}
	}
	slices.Reverse(events)
	return events
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
