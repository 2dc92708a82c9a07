package workspace

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

const trialsDir = "state/trials"

// Kinds of trial lines.
const (
	Observation = "observation"    // a session was seen while the candidate was in force
	Attempt     = "replay_attempt" // a replay round was inconclusive
)

// TrialLine is one piece of evidence on a rule (docs/workspace.md, "Trials").
type TrialLine struct {
	TS        Time           `json:"ts"`
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	SessionID string         `json:"session_id,omitempty"` // of an observation
	Breached  bool           `json:"breached,omitzero"`    // of an observation: it hit the rule's family
	Reason    string         `json:"reason_code,omitempty"`
	Tested    string         `json:"tested,omitempty"` // of an observation: Rule.Digest; of an attempt: digest of text, cases, command
	Unknown   jsontext.Value `json:",embed"`
}

// AppendTrial appends a line of evidence on the rule; ts and id are set here
// unless they are given. size is how many bytes the evidence grew by.
func (tx *Tx) AppendTrial(ruleID string, line TrialLine) (size int64, err error) {
	if err := CheckRuleID(ruleID); err != nil {
		return 0, err
	}
	rel := trialFile(ruleID, tx.writer)
	if line.TS.IsZero() {
		if line.TS, err = tx.stampKnown(rel); err != nil {
			return 0, err
		}
	}
	if line.ID == "" {
		line.ID = newLineID()
	}
	return tx.appendKnown(rel, line.TS, line)
}

func trialFile(ruleID, writer string) string {
	return trialsDir + "/" + ruleID + "." + writer + evidenceEnding
}

// TrialSize returns the bytes of evidence on the rule from every writer.
func (tx *Tx) TrialSize(ruleID string) (size int64, err error) {
	if err := CheckRuleID(ruleID); err != nil {
		return 0, err
	}
	writers, err := tx.knownWriters()
	for _, writer := range writers {
		size += tx.w.size(trialFile(ruleID, writer))
	}
	return size, err
}

// TrialLines returns the evidence on the rule from every writer, in order.
func (w *Workspace) TrialLines(ruleID string) ([]TrialLine, error) {
	files, err := w.trialFiles(ruleID)
	if err != nil {
		return nil, err
	}
	return w.trialLinesIn(files)
}

// TrialLines does the same under the lock, listing the folder at most once.
func (tx *Tx) TrialLines(ruleID string) ([]TrialLine, error) {
	if err := CheckRuleID(ruleID); err != nil {
		return nil, err
	}
	writers, err := tx.knownWriters()
	if err != nil {
		return nil, err
	}
	return tx.w.trialLinesIn(tx.w.ofWriters(writers, func(writer string) string { return trialFile(ruleID, writer) }))
}

func (w *Workspace) trialLinesIn(files []string) ([]TrialLine, error) {
	return decodeLines(w, files, func(l *TrialLine) (Time, string) { return l.TS, l.ID })
}

func (w *Workspace) trialFiles(ruleID string) ([]string, error) {
	if err := CheckRuleID(ruleID); err != nil {
		return nil, err
	}
	writers, err := w.writers()
	return w.ofWriters(writers, func(writer string) string { return trialFile(ruleID, writer) }), err
}

// SyncTrial makes the evidence on a rule durable, whoever wrote it, so that no
// verdict outlives what it rests on.
func (w *Workspace) SyncTrial(ruleID string) error {
	files, err := w.trialFiles(ruleID)
	if err != nil {
		return err
	}
	for _, rel := range files {
		if err := syncPath(w.path(rel)); err != nil {
			return ioError("cannot sync", rel, err)
		}
	}
	return nil
}

// JoinTrial fills in the evidence of the rule: the window, which is the first
// window distinct sessions by time and id, those of it that breached, and the
// inconclusive replay rounds. Sessions that ran under another text of the rule
// are no evidence on this one.
func (r *Rule) JoinTrial(lines []TrialLine, window int) {
	t := &r.Trial
	t.BaselineRate = t.rate()
	t.ObservedSessions, t.BreachedSessions, t.ReplayAttempts = []string{}, []string{}, 0
	breached := map[string]bool{}
	seen := map[string]bool{}
	for _, line := range lines {
		switch {
		case line.Type == Attempt:
			t.ReplayAttempts++
		case r.IsEvidence(line):
			if !seen[line.SessionID] && len(t.ObservedSessions) < window {
				t.ObservedSessions = append(t.ObservedSessions, line.SessionID)
			}
			seen[line.SessionID] = true
			breached[line.SessionID] = breached[line.SessionID] || line.Breached
		}
	}
	for _, session := range t.ObservedSessions {
		if breached[session] {
			t.BreachedSessions = append(t.BreachedSessions, session)
		}
	}
}

// IsEvidence tells an observation of the rule's text from another line, and
// from one of a session that ran under another text.
func (r Rule) IsEvidence(line TrialLine) bool {
	return line.Type == Observation && (line.Tested == "" || line.Tested == r.Digest())
}

// Rate is the share of the observed sessions that breached; 0 without any.
func (t Trial) Rate() float64 {
	if len(t.ObservedSessions) == 0 {
		return 0
	}
	return float64(len(t.BreachedSessions)) / float64(len(t.ObservedSessions))
}

// Breached tells whether the session is in the window and breached.
func (t Trial) Breached(session string) bool { return slices.Contains(t.BreachedSessions, session) }

// Enrolled tells whether the session is in the window.
func (t Trial) Enrolled(session string) bool { return slices.Contains(t.ObservedSessions, session) }

// AllTrialLines returns the evidence on each of the rules, by rule id, listing
// the folder once.
func (w *Workspace) AllTrialLines(rules []Rule) (map[string][]TrialLine, error) {
	files, err := w.trialFilesOf(rules)
	if err != nil {
		return nil, err
	}
	evidence := map[string][]TrialLine{}
	for id, names := range files {
		slices.Sort(names)
		if evidence[id], err = w.trialLinesIn(names); err != nil {
			return nil, err
		}
	}
	return evidence, nil
}

// trialFilesOf finds the evidence on each of the rules, in no order: the folder
// holds that on every rule there ever was, and sorting it would cost most.
func (w *Workspace) trialFilesOf(rules []Rule) (map[string][]string, error) {
	files := map[string][]string{}
	if len(rules) == 0 {
		return files, nil
	}
	if st, err := os.Stat(w.path(trialsDir)); err == nil && !st.IsDir() {
		return nil, ioError("cannot list", trialsDir, errNoFolder) // to open a pipe would take for ever
	}
	dir, err := os.Open(w.path(trialsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	if err != nil {
		return nil, ioError("cannot list", trialsDir, err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, ioError("cannot list", trialsDir, err)
	}
	wanted := map[string]bool{}
	for _, r := range rules {
		wanted[r.ID] = true
	}
	for _, name := range names {
		if id, _, ok := splitEvidenceName(name); ok && wanted[id] && isVisible(name, evidenceEnding) {
			files[id] = append(files[id], trialsDir+"/"+name)
		}
	}
	return files, nil
}
