package lifecycle

import (
	"slices"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// verdictsLookedAt is how many of the last verdicts knownSession knows.
const verdictsLookedAt = 200

// knownSession says where a session that a replay named was met before that
// replay began, as the end of a sentence; "" = nowhere (docs/replay.md, "When it
// is inconclusive").
func (e *Engine) knownSession(id string, began time.Time) (string, error) {
	cases, _, err := e.Workspace.Cases()
	if err != nil {
		return "", err
	}
	captured := func(c workspace.Case) bool { return c.SessionID == id && c.CreatedAt.Std().Before(began) }
	if i := slices.IndexFunc(cases, captured); i >= 0 {
		return "was captured as " + cases[i].ID, nil
	}
	lines, err := e.Workspace.SessionLines(id)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(lines, func(l workspace.SessionLine) bool { return l.TS.Std().Before(began) }) {
		return "was reported before this replay began", nil
	}
	verdict, err := e.verdictOn(id)
	if err != nil || verdict == "" {
		return "", err
	}
	return "an earlier verdict rests on (" + verdict + ")", nil
}

// verdictOn finds a journaled verdict whose replays named the session.
func (e *Engine) verdictOn(session string) (eventID string, err error) {
	verdicts, err := e.Workspace.Events(workspace.JournalFilter{Types: []string{EventPromote, EventRetire}, Last: verdictsLookedAt})
	if err != nil {
		return "", err
	}
	kept := e.Redact(session) // as it is in the journal
	for _, verdict := range verdicts {
		var data struct {
			Details struct {
				Cases []struct {
					SessionID string `json:"session_id"`
				} `json:"cases"`
			} `json:"details"`
		}
		if verdict.Decode(&data) != nil {
			continue
		}
		for _, c := range data.Details.Cases {
			if c.SessionID == kept {
				return verdict.ID, nil
			}
		}
	}
	return "", nil
}
