package workspace

import (
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

// JournalMark is where an event was written.
type JournalMark struct{ mark }

// Journal appends an event; ts and id are set here. data is a struct or map
// that becomes the event's other fields, or nil.
func (tx *Tx) Journal(e Event, data any) (JournalMark, error) {
	var err error
	if e.TS, err = tx.stamp(tx.journalFile(NewTime(tx.w.Now()))); err != nil {
		return JournalMark{}, err
	}
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
	m, err := tx.append(tx.journalFile(e.TS), e.TS, e)
	return JournalMark{m}, err
}

func (tx *Tx) journalFile(at Time) string {
	return journalDir + "/" + at.t.Format("2006-01-02") + "." + tx.writer + evidenceEnding
}

// SyncJournal makes the event durable before what follows from it is written.
func (tx *Tx) SyncJournal(m JournalMark) error {
	if err := tx.syncEvidence(m.path); err != nil {
		return ioError("cannot sync", tx.w.rel(m.path), err)
	}
	return nil
}
