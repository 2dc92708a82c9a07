package workspace

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

const sessionsDir = "state/sessions"

// SessionLine is one report of a session as it is kept (docs/workspace.md,
// "Session files").
type SessionLine struct {
	TS         Time                `json:"ts"` // the moment of writing
	ID         string              `json:"id"`
	SessionID  string              `json:"session_id"`
	ScoreTS    *Time               `json:"score_ts,omitempty"` // the report's own ts: when it was scored
	TurnIndex  *int64              `json:"turn_index,omitempty"`
	RunID      string              `json:"run_id,omitempty"`
	Scores     map[string]*float64 `json:"scores,omitempty"` // null: asked for but not there
	EWMA       map[string]EWMA     `json:"ewma,omitempty"`   // averages after this report, of its metrics
	Signatures []string            `json:"signatures"`
	Unresolved bool                `json:"unresolved,omitzero"` // every score was null: it changed nothing
	Replay     bool                `json:"replay,omitzero"`     // seen inside a replay
	Adopted    bool                `json:"adopted,omitzero"`    // brought in from score_history.json
	NoticeID   string              `json:"notice_id,omitempty"` // the notice that it posted
	Held       bool                `json:"held,omitzero"`       // the circuit breaker held its notice back
	Unknown    jsontext.Value      `json:",embed"`
}

// EWMA is the pair of running averages of a series after Count samples.
type EWMA struct {
	Fast  float64 `json:"fast"`
	Slow  float64 `json:"slow"`
	Count int     `json:"count"`
}

// SampleTime is when the line's scores were given.
func (l SessionLine) SampleTime() Time {
	if l.ScoreTS != nil {
		return *l.ScoreTS
	}
	return l.TS
}

// AppendSession appends a report to its session's file; ts and id are set here
// unless they are given. size is how many bytes the session's files grew by.
func (tx *Tx) AppendSession(line SessionLine) (kept SessionLine, size int64, err error) {
	if err := CheckSessionID(line.SessionID); err != nil {
		return line, 0, err
	}
	rel := sessionFile(line.SessionID, tx.writer)
	if line.TS.IsZero() {
		if line.TS, err = tx.stampKnown(rel); err != nil {
			return line, 0, err
		}
	}
	if line.ID == "" {
		line.ID = newLineID()
	}
	line.Signatures = orEmpty(line.Signatures)
	size, err = tx.appendKnown(rel, line.TS, line)
	return line, size, err
}

// SessionSize returns the bytes of the session's files from every writer.
func (tx *Tx) SessionSize(session string) (size int64, err error) {
	writers, err := tx.knownWriters()
	for _, writer := range writers {
		size += tx.w.size(sessionFile(session, writer))
	}
	return size, err
}

// SessionLines returns the session's reports from every writer, in order.
func (w *Workspace) SessionLines(session string) ([]SessionLine, error) {
	writers, err := w.writers()
	if err != nil {
		return nil, err
	}
	return w.sessionLinesOf(session, writers)
}

// SessionLines does the same under the lock, listing the folder at most once.
func (tx *Tx) SessionLines(session string) ([]SessionLine, error) {
	writers, err := tx.knownWriters()
	if err != nil {
		return nil, err
	}
	return tx.w.sessionLinesOf(session, writers)
}

func (w *Workspace) sessionLinesOf(session string, writers []string) ([]SessionLine, error) {
	files := w.ofWriters(writers, func(writer string) string { return sessionFile(session, writer) })
	lines, err := decodeLines(w, files, sessionKey)
	return slices.DeleteFunc(lines, func(l SessionLine) bool { return l.SessionID != session }), err
}

func sessionKey(l *SessionLine) (Time, string) { return l.TS, l.ID }

func sessionFile(session, writer string) string {
	return sessionsDir + "/" + sessionName(session) + "." + writer + evidenceEnding
}
