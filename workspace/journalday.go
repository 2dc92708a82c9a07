package workspace

import (
	"bytes"
	"slices"
)

type journalDay struct {
	date  string
	files []string
}

func (d journalDay) isBefore(since Time) bool {
	return !since.IsZero() && d.date < since.t.Format("2006-01-02")
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

func newDayReader[T any](w *Workspace, f JournalFilter, decode func(line []byte) (T, error)) dayReader[T] {
	return dayReader[T]{w: w, filter: f, decode: decode, scanner: &lineScanner{w: w, block: scanBlock}}
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
