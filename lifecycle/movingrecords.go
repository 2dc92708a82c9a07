package lifecycle

import (
	"context"
	"maps"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

const casesFolder = "evalset"

// notices takes the acknowledged ones first: the Python harness may have left
// one in both folders.
func (m *mover) notices(ctx context.Context) error {
	if err := m.noticesIn(ctx, "mailbox/processed", workspace.Acknowledged); err != nil {
		return err
	}
	return m.noticesIn(ctx, "mailbox/pending", workspace.Pending)
}

func (m *mover) noticesIn(ctx context.Context, folder, status string) error {
	return m.documents(ctx, folder, func(rel string, data []byte) error {
		var n workspace.Notice
		if err := workspace.DecodeInput(rel, data, &n); err != nil {
			return err
		}
		n.Status = status
		n, err := m.cleanNotice(n)
		if err != nil {
			return err
		}
		return m.add(ctx, &m.result.Took.Notices, &m.result.Known.Notices, func(tx *workspace.Tx) (bool, error) {
			if _, err := m.Workspace.Notice(n.ID); workspace.CodeOf(err) != workspace.CodeNotFound {
				return false, nil
			}
			return true, tx.PutNotice(n)
		})
	})
}

func (m *mover) cleanNotice(n workspace.Notice) (workspace.Notice, error) {
	if err := workspace.CheckNoticeID(n.ID); err != nil {
		return n, badField("id", err.Error())
	}
	if err := workspace.CheckSessionID(n.SessionID); err != nil {
		return n, badField("session_id", err.Error())
	}
	if n.CreatedAt.IsZero() {
		return n, badField("created_at", "is missing")
	}
	n.Summary = m.clean(n.Summary)
	for i := range n.Metrics {
		n.Metrics[i].Reason = m.clean(n.Metrics[i].Reason)
	}
	if n.Resolution != nil {
		n.Resolution.Note = m.clean(n.Resolution.Note)
	}
	for i, trace := range n.FlaggedTraces {
		n.FlaggedTraces[i] = m.clean(trace)
	}
	return n, m.redactUntyped(&n)
}

// redactUntyped redacts what of a notice may hold anything, names too.
func (m *mover) redactUntyped(n *workspace.Notice) (err error) {
	redact := m.redactor()
	signals, err := json.Marshal(n.SignalBreakdown)
	if err == nil {
		signals, err = redact.JSON(signals)
	}
	if err == nil {
		n.SignalBreakdown = nil
		err = json.Unmarshal(signals, &n.SignalBreakdown)
	}
	for i := range n.Metrics {
		if err == nil {
			n.Metrics[i].Unknown, err = redact.JSON(n.Metrics[i].Unknown)
		}
	}
	if err == nil {
		n.Unknown, err = redact.JSON(n.Unknown)
	}
	return err
}

// cases takes all of them: eval_case_max is for captures.
func (m *mover) cases(ctx context.Context) error {
	return m.documents(ctx, casesFolder, func(rel string, data []byte) error {
		c, err := m.pythonCase(rel, data)
		if err != nil {
			return err
		}
		return m.add(ctx, &m.result.Took.Cases, &m.result.Known.Cases, func(tx *workspace.Tx) (bool, error) {
			if _, err := m.Workspace.Case(c.ID); workspace.CodeOf(err) != workspace.CodeNotFound {
				return false, nil
			}
			return true, tx.PutCase(c)
		})
	})
}

func (m *mover) pythonCase(rel string, data []byte) (c workspace.Case, err error) {
	if data, err = withoutNullScores(rel, data); err != nil {
		return c, err
	}
	if err := workspace.DecodeInput(rel, data, &c); err != nil {
		return c, err
	}
	if err := c.Check(); err != nil {
		return c, err // before prepareCase, which would make up an id and a time
	}
	if c.Unknown, err = m.redactor().JSON(c.Unknown); err != nil {
		return c, err
	}
	return m.prepareCase(c)
}

// withoutNullScores leaves out the baseline scores that are null, which the
// Python harness writes for scores that are not there.
func withoutNullScores(rel string, data []byte) ([]byte, error) {
	var doc map[string]jsontext.Value
	if err := workspace.DecodeInput(rel, data, &doc); err != nil {
		return nil, err
	}
	var scores map[string]jsontext.Value
	if json.Unmarshal(doc["baseline_scores"], &scores) != nil {
		return data, nil // told when the case is read
	}
	maps.DeleteFunc(scores, func(_ string, score jsontext.Value) bool { return score.Kind() == 'n' })
	clean, err := json.Marshal(scores)
	if err != nil {
		return nil, err
	}
	doc["baseline_scores"] = clean
	return json.Marshal(doc)
}
