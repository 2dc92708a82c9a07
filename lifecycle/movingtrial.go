package lifecycle

import (
	"fmt"
	"slices"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// pythonTrial is the trial of a rule as the Python harness keeps it.
type pythonTrial struct {
	BaselineBreachedSessions int             `json:"baseline_breached_sessions"`
	BaselineSessions         int             `json:"baseline_sessions"`
	BaselineWindow           int             `json:"baseline_window"`
	TrialStartedAt           *workspace.Time `json:"trial_started_at"`
	ObservedSessions         []string        `json:"observed_sessions"`
	BreachedSessions         []string        `json:"breached_sessions"`
	ReplayAttempts           int             `json:"replay_attempts"`
	Verdict                  string          `json:"verdict"`
}

// trial is what the rule's file holds of its trial.
func (m *mover) trial(from pythonRule) (workspace.Trial, error) {
	trial := workspace.Trial{TrialStartedAt: from.CreatedAt}
	t := from.Trial
	if t == nil {
		return trial, nil
	}
	if t.BaselineWindow < 0 || t.BaselineBreachedSessions < 0 || t.BaselineBreachedSessions > t.BaselineSessions {
		return trial, badField("trial", "has baseline counts below 0, or more breached sessions than sessions")
	}
	if t.TrialStartedAt != nil && !t.TrialStartedAt.IsZero() {
		trial.TrialStartedAt = *t.TrialStartedAt
	}
	trial.BaselineBreachedSessions, trial.BaselineSessions, trial.BaselineWindow = t.BaselineBreachedSessions, t.BaselineSessions, t.BaselineWindow
	trial.Verdict = m.clean(t.Verdict)
	return trial, nil
}

// mostAttempts bounds the replay attempts of a rule that are believed.
const mostAttempts = 100

// evidence is the trial as lines, in its order. There is no time for them but
// that they lie behind the start, so they stand a microsecond apart. Their ids
// follow from the content, so that another import, also one in another clone,
// has the same lines.
func (m *mover) evidence(rule workspace.Rule, from pythonRule) (lines []workspace.TrialLine) {
	if from.Trial == nil {
		return nil
	}
	at := rule.Trial.TrialStartedAt.Std()
	add := func(line workspace.TrialLine, key string) {
		at = at.Add(time.Microsecond)
		line.TS, line.ID = workspace.NewTime(at), digest("import " + rule.ID + " " + key)[:16]
		lines = append(lines, line)
	}
	seen := map[string]bool{}
	for _, session := range from.Trial.ObservedSessions {
		if err := workspace.CheckSessionID(session); err != nil {
			m.leaveOut(rulesFile, from.line, "trial.observed_sessions: "+err.Error())
		} else if !seen[session] {
			seen[session] = true
			breached := slices.Contains(from.Trial.BreachedSessions, session)
			add(workspace.TrialLine{Type: workspace.Observation, SessionID: session, Breached: breached}, "session "+session)
		}
	}
	m.longest = max(m.longest, len(seen))
	for i := range min(from.Trial.ReplayAttempts, mostAttempts) {
		add(workspace.TrialLine{Type: workspace.Attempt, Reason: CodeInconclusive}, fmt.Sprint("attempt ", i))
	}
	return lines
}

// addEvidence leaves out the lines that an import wrote which was cut off.
func (m *mover) addEvidence(tx *workspace.Tx, ruleID string, lines []workspace.TrialLine) error {
	have, err := m.Workspace.TrialLines(ruleID)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if slices.ContainsFunc(have, func(h workspace.TrialLine) bool { return h.ID == line.ID }) {
			m.result.Known.Trials++
			continue
		}
		if _, err := tx.AppendTrial(ruleID, line); err != nil {
			return err
		}
		m.result.Took.Trials++
	}
	return nil
}
