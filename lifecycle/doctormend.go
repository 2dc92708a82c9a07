package lifecycle

import (
	"fmt"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// ackFaults tells of acknowledgements that were journaled while the notice
// stayed pending.
func ackFaults(x *workspace.Examination) (faults []journalFault) {
	for _, e := range x.Events {
		if e.Type != EventAck {
			continue
		}
		n, ok := x.Notices[ackedNotice(e)]
		if !ok || n.Status != workspace.Pending {
			continue
		}
		faults = append(faults, journalFault{kind: faultAck, event: e, finding: workspace.Finding{
			Kind: workspace.KindUnfinishedAck, File: e.File, Line: e.Line, Severity: workspace.SeverityWarning,
			Message:    fmt.Sprintf("says that notice %s was acknowledged, but it is pending: a crash came between", n.ID),
			Mend:       "acknowledge it with what the line says",
			Repairable: true}})
	}
	return faults
}

func ackedNotice(e workspace.FoundEvent) string {
	var ack ackEvent
	if e.Decode(&ack) != nil {
		return ""
	}
	return ack.NoticeID
}

// mendJournal brings the journal and the files together. What holds no more
// under the lock is left alone.
func (d Doctor) mendJournal(tx *workspace.Tx, x diagnosis) (mended []workspace.Mended, err error) {
	for _, f := range x.journal {
		if !f.finding.Repairable || !d.holds(f) {
			continue
		}
		done, err := d.mendFault(tx, f)
		if err != nil {
			return mended, err
		}
		mended = append(mended, workspace.Mended{Kind: f.finding.Kind, File: f.finding.File, Done: done})
	}
	return mended, nil
}

func (d Doctor) mendFault(tx *workspace.Tx, f journalFault) (done string, err error) {
	switch f.kind {
	case faultVoid:
		_, err = tx.Journal(workspace.Event{Type: EventVoid, RuleID: f.ruleID},
			voided{Voids: f.event.ID, Reason: fmt.Sprintf("doctor: the %s of %s did not come about", f.event.Type, f.event.TS)})
		return fmt.Sprintf("voided the event %s", f.event.ID), err
	case faultRecord:
		return d.record(tx, f.ruleID)
	default:
		return d.finishAck(tx, f.event)
	}
}

// record journals a transition that the rule file has and the journal not.
func (d Doctor) record(tx *workspace.Tx, id string) (string, error) {
	rule, err := d.Workspace.Rule(id)
	if err != nil {
		return "", err
	}
	t := transition{From: workspace.Candidate, Validator: "manual", Details: map[string]string{"recorded_by": "doctor"}}
	kind := EventPromote
	if rule.Status == workspace.Retired {
		kind = EventRetire
		t.From = "" // nobody knows
	}
	_, t.Reason, _ = strings.Cut(rule.Trial.Verdict, ":")
	if t.Reason == "" {
		t.Reason = "the rule's file says so"
	}
	_, err = tx.Journal(workspace.Event{Type: kind, RuleID: id}, t)
	return "journaled the " + kind, err
}

// finishAck does what the journal says.
func (d Doctor) finishAck(tx *workspace.Tx, e workspace.FoundEvent) (string, error) {
	n, err := d.Workspace.Notice(ackedNotice(e))
	if err != nil {
		return "", err
	}
	var ack ackEvent
	if err := e.Decode(&ack); err != nil {
		return "", err
	}
	n.Status = workspace.Acknowledged
	n.Resolution = &workspace.Resolution{AckedAt: e.TS, RuleID: workspace.Text(e.RuleID), Note: ack.Note}
	return "acknowledged notice " + n.ID, tx.PutNotice(n)
}
