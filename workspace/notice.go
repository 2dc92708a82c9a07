package workspace

import (
	"errors"
	"io/fs"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	pendingDir   = "state/mailbox/pending"
	processedDir = "state/mailbox/processed"
)

// Statuses of a notice.
const (
	Pending      = "pending"
	Acknowledged = "acknowledged"
)

// Notice tells that a session went wrong in a way that was not told yet
// (docs/workspace.md, "Mailbox").
type Notice struct {
	ID              string                               `json:"id"`
	CreatedAt       Time                                 `json:"created_at"`
	SessionID       string                               `json:"session_id"`
	TurnIndex       *int64                               `json:"turn_index"`
	Severity        string                               `json:"severity"` // breach, relative, trend or needs_human
	Status          string                               `json:"status"`   // Pending or Acknowledged
	Summary         string                               `json:"summary"`
	Signatures      []string                             `json:"signatures"`
	Metrics         []NoticeMetric                       `json:"metrics"`
	FlaggedTraces   []string                             `json:"flagged_traces"`
	SignalBreakdown map[string]map[string]jsontext.Value `json:"signal_breakdown"` // trace id -> signal -> value
	Resolution      *Resolution                          `json:"resolution"`
	Unknown         jsontext.Value                       `json:",embed"`
}

// NoticeMetric is a metric that showed a condition.
type NoticeMetric struct {
	Name       string         `json:"name"`
	Value      *float64       `json:"value"`
	Threshold  *float64       `json:"threshold"`
	Reason     string         `json:"reason"`
	Conditions []string       `json:"conditions"`
	Unknown    jsontext.Value `json:",embed"`
}

// Resolution is how a notice was acknowledged.
type Resolution struct {
	AckedAt Time   `json:"acked_at"`
	RuleID  Text   `json:"rule_id"`
	Note    string `json:"note"`
}

// Notice returns the notice with the id, pending or processed. Where a crash
// has left it in both folders, it is processed.
func (w *Workspace) Notice(id string) (Notice, error) {
	if err := CheckNoticeID(id); err != nil {
		return Notice{}, err
	}
	// In this order a notice that moves meanwhile is found.
	pending, pendingErr := w.readNotice(pendingDir, id+jsonEnding)
	processed, err := w.readNotice(processedDir, id+jsonEnding)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return processed, err
	case !errors.Is(pendingErr, fs.ErrNotExist):
		return pending, pendingErr
	}
	return Notice{}, Errorf(CodeNotFound, "no notice %s; `pandaprobe-harness notice list` names the notices", id)
}

// Notices returns the pending notices, oldest first, and with all also those
// that were acknowledged.
func (w *Workspace) Notices(all bool) ([]Notice, error) {
	notices, err := w.noticesIn(pendingDir, func(name string) bool { return !exists(w.path(processedDir + "/" + name)) })
	if err == nil && all {
		var processed []Notice
		processed, err = w.noticesIn(processedDir, func(string) bool { return true })
		notices = append(notices, processed...)
	}
	sortByTimeID(notices, func(n *Notice) (Time, string) { return n.CreatedAt, n.ID })
	return notices, err
}

func (w *Workspace) noticesIn(dir string, wanted func(name string) bool) (notices []Notice, err error) {
	names, err := w.names(dir, jsonEnding)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !wanted(name) {
			continue
		}
		n, err := w.readNotice(dir, name)
		if err == nil {
			notices = append(notices, n)
		} else if !errors.Is(err, fs.ErrNotExist) {
			w.Warn(err)
		}
	}
	return notices, nil
}

func (w *Workspace) readNotice(dir, name string) (Notice, error) {
	rel := dir + "/" + name
	data, err := readFile(w.path(rel))
	if err != nil {
		return Notice{}, ioError("cannot read", rel, err)
	}
	var n Notice
	if err := decodeDocument(rel, data, &n); err != nil {
		return n, err
	}
	if n.ID+jsonEnding != name {
		return n, &Error{Code: CodeBrokenFile, File: rel, Field: "id", Message: "is \"" + clip(n.ID) + "\" but the file is named " + name + "; make them equal"}
	}
	return n.whole(), nil
}

// PutNotice writes the notice where its status belongs.
func (tx *Tx) PutNotice(n Notice) error {
	if err := CheckNoticeID(n.ID); err != nil {
		return err
	}
	doc, err := encodeDocument(n.whole())
	if err != nil {
		return Errorf(CodeBadInput, "cannot write notice %s: %v", n.ID, err)
	}
	pending := pendingDir + "/" + n.ID + jsonEnding
	if n.Status != Acknowledged {
		return tx.replaceSoon(pending, doc)
	}
	return tx.Atomically(func() error {
		err := tx.replaceLike(processedDir+"/"+n.ID+jsonEnding, pending, doc)
		if err == nil && exists(tx.w.path(pending)) {
			err = tx.remove(pending)
		}
		return err
	})
}

// whole gives lists that are absent their empty form.
func (n Notice) whole() Notice {
	n.Signatures, n.FlaggedTraces = orEmpty(n.Signatures), orEmpty(n.FlaggedTraces)
	if n.Metrics == nil {
		n.Metrics = []NoticeMetric{}
	}
	if n.SignalBreakdown == nil {
		n.SignalBreakdown = map[string]map[string]jsontext.Value{}
	}
	return n
}

// keepPending keeps the folder of the pending notices in git when the last of
// them was acknowledged. Else a merge takes it for renamed, and wants to move
// what another branch posted after the acknowledged ones.
func (tx *Tx) keepPending() error { return tx.replace(pendingDir+"/.gitkeep", nil) }
