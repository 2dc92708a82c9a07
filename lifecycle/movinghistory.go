package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

const historyFile = "state/score_history.json"

// history brings the samples into the sessions' files, so that averages go on
// from where they were. Of a file that is broken somewhere, what stands before
// the fault is taken.
func (m *mover) history(ctx context.Context) error {
	adopted, err := m.Workspace.AdoptHistoryOf(ctx, m.dir)
	m.result.Took.Samples, m.result.Known.Samples = adopted.Samples, adopted.Known
	for _, reason := range sortedKeys(adopted.LeftOut) {
		m.result.LeftOut = append(m.result.LeftOut, LeftOut{File: historyFile, Count: adopted.LeftOut[reason], Reason: historyReason(reason)})
	}
	var broken *workspace.Error
	if errors.As(err, &broken) && broken.Code == workspace.CodeBrokenFile {
		m.leaveOut(historyFile, broken.Line, broken.Message+"; what stands before that was taken")
		return nil
	}
	return err
}

func historyReason(reason string) string {
	switch reason {
	case workspace.LeftAbsent:
		return "no score: the value is missing or null"
	case workspace.LeftNotNumber:
		return "no score: the value is no finite number"
	case workspace.LeftOutOfRange:
		return "no score: the value lies outside 0 to 1"
	case workspace.LeftNoTime:
		return "a score without a time, which has no place in the order"
	case workspace.LeftEntry:
		return "an entry that is no series of a session and metric"
	}
	return reason
}

// lookAfter says what of the knobs does not fit what was brought in.
func (m *mover) lookAfter() error {
	note := func(format string, args ...any) {
		m.result.Notes = append(m.result.Notes, fmt.Sprintf(format, args...))
	}
	if needed := m.Config.RuleTrialMinSessions; m.longest > needed {
		note("a trial there observed %d sessions, and rule_trial_min_sessions is %d here: only the first %d count until it is raised in harness.toml", m.longest, needed, needed)
	}
	live, _, err := m.Workspace.LiveRules()
	if err != nil {
		return err
	}
	if most := m.Config.MaxActiveRules; most > 0 && len(live) > most {
		note("there are %d live rules, more than max_active_rules (%d): none can be added until some are retired", len(live), most)
	}
	cases, _, err := m.Workspace.Cases()
	if err != nil {
		return err
	}
	if most := m.Config.EvalCaseMax; most > 0 && len(cases) > most {
		note("there are %d eval cases, more than eval_case_max (%d): the next capture removes the oldest failures; raise it in harness.toml to keep them", len(cases), most)
	}
	return nil
}
