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
	days, err := w.journalDays()
	if err != nil {
		return nil, err
	}
	var newestFirst [][]Event
	found, lookedAt := 0, 0
	for _, day := range days {
		if !f.Since.IsZero() && day.date < f.Since.t.Format("2006-01-02") {
			break
		}
		events, lines, err := w.eventsOfDay(day, f, f.Last-found)
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

// eventsOfDay returns the day's chosen events in order, of more than last > 0
// the newest ones, and how many lines the day has.
func (w *Workspace) eventsOfDay(day journalDay, f JournalFilter, last int) (events []Event, lines int, err error) {
	var heads []lineHead
	since, about := sortable(f.Since), f.words()
	for _, rel := range day.files {
		data, err := w.readOptional(rel)
		if err != nil {
			return nil, 0, err
		}
		if len(f.Types) == 0 {
			heads = slices.Grow(heads, bytes.Count(data, []byte{'\n'})+1)
		}
		readLines(data, func(number int, line []byte) {
			lines++
			head, kind, err := readHead(line)
			switch {
			case err != nil:
				w.Warn(brokenLine(rel, number))
			case f.wantsType(kind) && bytes.Compare(head.at, since) >= 0 && containsAll(line, about):
				heads = append(heads, head)
			}
		})
	}
	slices.SortFunc(heads, lineHead.compare)
	heads = slices.CompactFunc(heads, func(a, b lineHead) bool { return bytes.Equal(a.id, b.id) })
	return w.decodeHeads(heads, f, last), lines, nil
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

// decodeHeads decodes lines from the newest backward until it has last > 0 of
// them that fit.
func (w *Workspace) decodeHeads(heads []lineHead, f JournalFilter, last int) []Event {
	var events []Event
	for _, head := range slices.Backward(heads) {
		var e Event
		if err := json.Unmarshal(head.line, &e); err != nil {
			w.Warn(&Error{Code: CodeBrokenFile, File: journalDir, Message: "the event " + clip(string(head.id)) + " is no whole record; it is passed over"})
			continue
		}
		if cmp.Or(f.SessionID, e.SessionID) == e.SessionID && cmp.Or(f.RuleID, e.RuleID) == e.RuleID {
			events = append(events, e)
			if len(events) == last {
				break
			}
		}
	}
	slices.Reverse(events)
	return events
}
