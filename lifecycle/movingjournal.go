package lifecycle

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

const journalFile = "journal.jsonl"

// A batch of events is written under one lock. Each of its days is an open file.
const (
	importEvents = 1000
	importDays   = 64
)

// journal brings in the events. Their ids follow from the lines, so that those
// which are here already are known.
func (m *mover) journal(ctx context.Context) error {
	here, err := m.knownEvents()
	if err != nil {
		return err
	}
	b := eventBatch{days: map[string]bool{}}
	repeats := map[string]int{}
	err = m.lines(ctx, journalFile, func(_ int, line []byte) error {
		event, err := m.event(line)
		if err != nil {
			return err
		}
		same := digest(string(line))
		event.ID = digest(fmt.Sprint("import ", repeats[same], " ", same))[:16]
		repeats[same]++
		if here[event.ID] {
			m.result.Known.Events++
			return nil
		}
		if b.add(event); b.isFull() {
			return m.write(ctx, &b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return m.write(ctx, &b)
}

func (m *mover) knownEvents() (map[string]bool, error) {
	ids, err := workspace.EventsBy(m.Workspace, workspace.JournalFilter{}, func(line []byte) (string, error) {
		var head struct {
			ID string `json:"id"`
		}
		err := json.Unmarshal(line, &head)
		return head.ID, err
	})
	here := make(map[string]bool, len(ids))
	for _, id := range ids {
		here[id] = true
	}
	return here, err
}

type eventBatch struct {
	events []workspace.Event
	days   map[string]bool
}

func (b *eventBatch) add(event workspace.Event) {
	b.events = append(b.events, event)
	b.days[event.TS.String()[:len("2006-01-02")]] = true
}

func (b *eventBatch) isFull() bool { return len(b.events) >= importEvents || len(b.days) >= importDays }

func (m *mover) write(ctx context.Context, b *eventBatch) error {
	if len(b.events) == 0 {
		return nil
	}
	err := m.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		for _, event := range b.events {
			if _, err := tx.JournalAs(event, nil); err != nil {
				return err
			}
			m.result.Took.Events++
		}
		return nil
	})
	b.events = b.events[:0]
	clear(b.days)
	return err
}

// event translates a line: what was the id of its subject becomes notice_id or
// rule_id, since a line's id is its own here.
func (m *mover) event(line []byte) (event workspace.Event, err error) {
	var head struct {
		TS        workspace.Time `json:"ts"`
		Type      string         `json:"type"`
		ID        string         `json:"id"`
		SessionID string         `json:"session_id"`
		RuleID    string         `json:"rule_id"`
	}
	if err := workspace.DecodeInput("", line, &head); err != nil {
		return event, err
	}
	if head.TS.IsZero() || head.Type == "" {
		return event, workspace.Errorf(workspace.CodeBadInput, "has no ts or no type")
	}
	fields, err := m.eventFields(line)
	if err != nil {
		return event, err
	}
	event = workspace.Event{TS: head.TS, Type: head.Type, SessionID: head.SessionID, RuleID: head.RuleID}
	switch {
	case head.Type == EventNotice && workspace.CheckNoticeID(head.ID) == nil:
		fields["notice_id"], _ = jsontext.AppendQuote(nil, head.ID)
	case workspace.CheckRuleID(head.ID) == nil:
		event.RuleID = head.ID
	}
	event.Data, err = json.Marshal(fields, json.Deterministic(true))
	return event, err
}

// eventFields are those that are no part of every event, without what [redact]
// patterns match.
func (m *mover) eventFields(line []byte) (fields map[string]jsontext.Value, err error) {
	clean, err := m.redactor().JSON(line)
	if err == nil {
		err = workspace.DecodeInput("", clean, &fields)
	}
	for _, name := range []string{"ts", "type", "id", "session_id", "rule_id"} {
		delete(fields, name)
	}
	return fields, err
}
