package lifecycle

import (
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// trialCache is the open trials as they are on disk, kept between batches while
// no rule file changed.
type trialCache struct {
	stamp  string
	loaded bool
	open   []*openTrial
	needed int
}

type openTrial struct {
	rule workspace.Rule
	size int64 // of the trial's files when they were read
}

// refresh reads the candidates and their evidence where they changed. The
// caller has the write lock.
func (c *trialCache) refresh(e *Engine, tx *workspace.Tx) error {
	stamp, err := e.Workspace.RulesStamp()
	if err != nil {
		return err
	}
	c.needed = e.Config.RuleTrialMinSessions
	if !c.loaded || stamp != c.stamp {
		live, _, err := e.Workspace.LiveRules()
		if err != nil {
			return err
		}
		_, candidates := byStatus(live)
		c.open = nil
		for _, rule := range candidates {
			c.open = append(c.open, &openTrial{rule: rule, size: -1})
		}
		c.stamp, c.loaded = stamp, true
	}
	return c.readEvidence(tx)
}

func (c *trialCache) readEvidence(tx *workspace.Tx) error {
	for _, trial := range c.open {
		size, err := tx.TrialSize(trial.rule.ID)
		if err != nil {
			return err
		}
		if trial.size == size {
			continue
		}
		var lines []workspace.TrialLine
		if size > 0 {
			if lines, err = tx.TrialLines(trial.rule.ID); err != nil {
				return err
			}
		}
		trial.rule.JoinTrial(lines, c.needed)
		trial.size = size
	}
	return nil
}

// observe enrols the session in each open trial that has room, and marks it as
// breached once one of its reports hits the rule's family. What is known
// already is not written again.
func (c *trialCache) observe(tx *workspace.Tx, session string, signatures []string) error {
	for _, trial := range c.open {
		if err := trial.observe(tx, session, hitsFamily(signatures, string(trial.rule.Metric)), c.needed); err != nil {
			return err
		}
	}
	return nil
}

func (t *openTrial) observe(tx *workspace.Tx, session string, breached bool, needed int) error {
	evidence := &t.rule.Trial
	enrolled := evidence.Enrolled(session)
	switch {
	case !enrolled && len(evidence.ObservedSessions) >= needed:
		return nil
	case enrolled && (!breached || evidence.Breached(session)):
		return nil
	}
	size, err := tx.AppendTrial(t.rule.ID, workspace.TrialLine{
		Type: workspace.Observation, SessionID: session, Breached: breached, Tested: t.rule.Digest(),
	})
	if err != nil {
		return err
	}
	t.size += size
	if !enrolled {
		evidence.ObservedSessions = append(evidence.ObservedSessions, session)
	}
	if breached {
		evidence.BreachedSessions = append(evidence.BreachedSessions, session)
	}
	return nil
}
