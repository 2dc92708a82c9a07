package workspace

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const journalDir = "state/journal"

// Event is one line of the journal. What a type of event carries beside these
// fields is in docs/workspace.md, "Journal".
type Event struct {
	TS        Time           `json:"ts"` // the moment of writing
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	SessionID string         `json:"session_id,omitempty"`
	RuleID    string         `json:"rule_id,omitempty"`
	Data      jsontext.Value `json:",embed"` // a JSON object with the other fields, or nil
}

// Decode reads the other fields of the event into v.
func (e Event) Decode(v any) error {
	if len(e.Data) == 0 {
		return nil
	}
	return json.Unmarshal(e.Data, v)
}

// JournalMark is the place of an event that may have to be taken back.
type JournalMark struct{ mark }

// Journal appends an event; ts and id are set here. data is a struct or map
// that becomes the event's other fields, or nil.
func (tx *Tx) Journal(e Event, data any) (JournalMark, error) {
	e.TS = NewTime(tx.w.Now())
	e.ID = newLineID()
	return tx.JournalAs(e, data)
}

// JournalAs appends an event that has its ts and id already (import).
func (tx *Tx) JournalAs(e Event, data any) (JournalMark, error) {
	if data != nil {
		raw, err := json.Marshal(data, json.Deterministic(true))
		if err != nil {
			return JournalMark{}, Errorf(CodeBadInput, "cannot write the event %s: %v", e.Type, err)
		}
		e.Data = raw
	}
	m, err := tx.append(journalDir+"/"+e.TS.t.Format("2006-01-02")+"."+tx.writer+evidenceEnding, e)
	return JournalMark{m}, err
}

// TakeBack removes the event again, and all that was journaled after it.
func (tx *Tx) TakeBack(m JournalMark) error { return tx.takeBack(m.mark) }

// SyncJournal makes the event durable before what follows from it is written.
func (tx *Tx) SyncJournal(m JournalMark) error {
	if err := tx.syncEvidence(m.path); err != nil {
		return ioError("cannot sync", tx.w.rel(m.path), err)
	}
	return nil
}

// JournalFilter chooses events. Zero values choose all.
type JournalFilter struct {
	Types     []string
	SessionID string
	RuleID    string
	Since     Time
	Last      int // at most so many, the newest ones; 0 = all
}

// Events returns the chosen events, oldest first. Days are read from the
// newest backward and no more of them than Last needs.
func (w *Workspace) Events(f JournalFilter) ([]Event, error) {
	days, err := w.journalDays()
	if err != nil {
		return nil, err
	}
	var found []Event
	for _, day := range days {
		if !f.Since.IsZero() && day.date < f.Since.t.Format("2006-01-02") {
			break
		}
		events, err := w.eventsOfDay(day, f)
		if err != nil {
			return nil, err
		}
		found = append(events, found...)
		if f.Last > 0 && len(found) >= f.Last {
			return found[len(found)-f.Last:], nil
		}
	}
	return found, nil
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

// eventsOfDay returns the day's chosen events in order. The lines' times and
// types are looked at first, so that only what is wanted is decoded.
func (w *Workspace) eventsOfDay(day journalDay, f JournalFilter) ([]Event, error) {
	var heads []lineHead
	for _, rel := range day.files {
		data, err := w.readOptional(rel)
		if err != nil {
			return nil, err
		}
		readLines(data, func(number int, line []byte) {
			head, err := readHead(line)
			if err != nil {
				w.Warn(brokenLine(rel, number))
				return
			}
			if f.wantsType(head.kind) && head.ts.Compare(f.Since) >= 0 {
				heads = append(heads, head)
			}
		})
	}
	sortByTimeID(heads, func(h *lineHead) (Time, string) { return h.ts, h.id })
	heads = slices.CompactFunc(heads, func(a, b lineHead) bool { return a.id == b.id })
	return w.decodeHeads(heads, f)
}

func (f JournalFilter) wantsType(kind string) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, kind)
}

func (w *Workspace) decodeHeads(heads []lineHead, f JournalFilter) ([]Event, error) {
	var events []Event
	for _, head := range slices.Backward(heads) {
		var e Event
		if err := json.Unmarshal(head.line, &e); err != nil {
			w.Warn(&Error{Code: CodeBrokenFile, File: journalDir, Message: "the event " + head.id + " is no whole record; it is passed over"})
			continue
		}
		if (f.SessionID == "" || e.SessionID == f.SessionID) && (f.RuleID == "" || strings.EqualFold(e.RuleID, f.RuleID)) {
			events = append(events, e)
			if f.Last > 0 && len(events) == f.Last {
				break
			}
		}
	}
	slices.Reverse(events)
	return events, nil
}
