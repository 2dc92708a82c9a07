package lifecycle

import (
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// joinTrial fills in the evidence of a rule. The sessions in the window of a
// candidate are looked up in their own files as well: a clone whose own window
// was full before a merge did not note what it saw of the other's sessions, and
// a breach on either side stays a breach (docs/closed-loop.md, "Forward
// trials").
func (e *Engine) joinTrial(rule *workspace.Rule, lines []workspace.TrialLine) error {
	return e.joinTrialWith(rule, lines, e.Workspace.SessionLines)
}

// joinTrialWith does it with reports that the caller may have read before.
func (e *Engine) joinTrialWith(rule *workspace.Rule, lines []workspace.TrialLine, reports readReports) error {
	rule.JoinTrial(lines, e.Config.RuleTrialMinSessions)
	if rule.Status != workspace.Candidate {
		return nil
	}
	trial := &rule.Trial
	var breached []string
	for _, session := range trial.ObservedSessions {
		hit := trial.Breached(session)
		if !hit {
			var err error
			if hit, err = breachedSince(*rule, session, lines, reports); err != nil {
				return err
			}
		}
		if hit {
			breached = append(breached, session)
		}
	}
	trial.BreachedSessions = append([]string{}, breached...)
	return nil
}

type readReports func(session string) ([]workspace.SessionLine, error)

// onceEach reads the reports of a session once, however many trials have it in
// their window.
func onceEach(read readReports) readReports {
	known := map[string][]workspace.SessionLine{}
	return func(session string) ([]workspace.SessionLine, error) {
		if lines, ok := known[session]; ok {
			return lines, nil
		}
		lines, err := read(session)
		if err == nil {
			known[session] = lines
		}
		return lines, err
	}
}

// breachedSince tells whether a report of the session, since the trial first saw
// it, hit the rule's family.
func breachedSince(rule workspace.Rule, session string, lines []workspace.TrialLine, reportsOf readReports) (bool, error) {
	first := slices.IndexFunc(lines, func(l workspace.TrialLine) bool { return l.SessionID == session && rule.IsEvidence(l) })
	if first < 0 {
		return false, nil
	}
	reports, err := reportsOf(session)
	return slices.ContainsFunc(reports, func(r workspace.SessionLine) bool {
		return !r.Replay && !r.Unresolved && !r.Adopted && r.TS.Compare(lines[first].TS) >= 0 && hitsFamily(r.Signatures, string(rule.Metric))
	}), err
}

// noteBreaches writes down what only the sessions' files told, so that the
// evidence is with the rule once it is judged.
func (e *Engine) noteBreaches(tx *workspace.Tx, rule workspace.Rule) error {
	lines, err := e.Workspace.TrialLines(rule.ID)
	if err != nil {
		return err
	}
	noted := rule
	noted.JoinTrial(lines, e.Config.RuleTrialMinSessions)
	for _, session := range rule.Trial.BreachedSessions {
		if noted.Trial.Breached(session) {
			continue
		}
		line := workspace.TrialLine{Type: workspace.Observation, SessionID: session, Breached: true, Tested: rule.Digest()}
		if _, err := tx.AppendTrial(rule.ID, line); err != nil {
			return err
		}
	}
	return nil
}
