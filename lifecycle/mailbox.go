package lifecycle

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Notices returns the pending notices, oldest first, and with all also those
// that were acknowledged (docs/cli.md, "notice list").
func (e *Engine) Notices(all bool) ([]workspace.Notice, error) { return e.Workspace.Notices(all) }

// Notice returns the notice with the id, pending or acknowledged. Errors:
// CodeBadInput for what is no notice id, CodeNotFound for an unknown one.
func (e *Engine) Notice(id string) (workspace.Notice, error) { return e.Workspace.Notice(id) }

// Ack says how a notice was dealt with.
type Ack struct {
	NoticeID string
	RuleID   string // the rule that answers it, live or retired; "" = none
	Note     string // for people; cleaned before it is kept
}

// AckNotice acknowledges a pending notice: it is journaled and moved to the
// processed ones with its resolution. One that was acknowledged before is
// returned as it is, with acked false, so that a caller may safely try again
// (docs/cli.md, "notice ack"). Errors: CodeBadInput for what is no id,
// CodeNotFound for an unknown notice or rule.
func (e *Engine) AckNotice(ctx context.Context, a Ack) (notice workspace.Notice, acked bool, err error) {
	a.Note = e.clean(a.Note)
	err = e.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		if notice, err = e.Workspace.Notice(a.NoticeID); err != nil {
			return err
		}
		if a.RuleID != "" {
			if _, err := e.Workspace.Rule(a.RuleID); err != nil {
				return err
			}
		}
		if notice.Status == workspace.Acknowledged {
			return nil
		}
		acked = true
		err := e.ack(tx, &notice, a)
		e.renderIfStale(tx)
		return err
	})
	return notice, acked && err == nil, err
}

type ackEvent struct {
	NoticeID string `json:"notice_id"`
	Note     string `json:"note"`
}

// ack writes the journal line, then the notice; the line is taken back when the
// notice cannot be written.
func (e *Engine) ack(tx *workspace.Tx, n *workspace.Notice, a Ack) error {
	return tx.Atomically(func() error {
		mark, err := tx.Journal(
			workspace.Event{Type: EventAck, SessionID: n.SessionID, RuleID: a.RuleID},
			ackEvent{NoticeID: n.ID, Note: a.Note})
		if err != nil {
			return err
		}
		if err := tx.SyncJournal(mark); err != nil {
			return err
		}
		n.Status = workspace.Acknowledged
		n.Resolution = &workspace.Resolution{AckedAt: workspace.NewTime(e.Workspace.Now()), RuleID: workspace.Text(a.RuleID), Note: a.Note}
		return tx.PutNotice(*n)
	})
}
