package lifecycle

import (
	"fmt"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Context renders what goes into the agent's system prompt now: the active
// rules, then the candidates under their own heading with how far each trial
// is. With a query, and unless rule_retrieval is off, only the most relevant
// tagged rules are given; candidates are never left out
// (docs/closed-loop.md, "The context").
func (e *Engine) Context(query string) (string, error) {
	rules, err := e.Rules()
	if err != nil {
		return "", err
	}
	active, candidates := byStatus(rules)
	omitted := 0
	if query != "" && e.Config.RuleRetrieval {
		active, omitted = selectRules(active, query, e.Config.RulesContextTopK)
	}
	return renderSelected(active, omitted, candidates, e.progress), nil
}

func (e *Engine) progress(r workspace.Rule) string {
	return fmt.Sprintf("trial: %d of %s observed, %d breached", len(r.Trial.ObservedSessions),
		plural(e.Config.RuleTrialMinSessions, "session"), len(r.Trial.BreachedSessions))
}

func byStatus(rules []workspace.Rule) (active, candidates []workspace.Rule) {
	for _, r := range rules {
		switch r.Status {
		case workspace.Active:
			active = append(active, r)
		case workspace.Candidate:
			candidates = append(candidates, r)
		}
	}
	return active, candidates
}

// renderNow writes harness_rules.md for the rules as they are under the lock. A
// failure is told and mended by the next writer: the rules are in their files.
func (e *Engine) renderNow(tx *workspace.Tx) {
	stamp, err := e.Workspace.RulesStamp()
	if err == nil {
		err = e.renderFor(tx, stamp)
	}
	if err != nil {
		e.Workspace.Warn(fmt.Errorf("the rendered rules are stale: %w", err))
	}
}

// renderIfStale is what writers call that changed no rule.
func (e *Engine) renderIfStale(tx *workspace.Tx) {
	if stamp, err := e.Workspace.RulesStamp(); err != nil || !e.Workspace.RenderedIsCurrent(stamp) {
		e.renderNow(tx)
	}
}

func (e *Engine) renderFor(tx *workspace.Tx, stamp string) error {
	rules, _, err := e.Workspace.LiveRules()
	if err != nil {
		return err
	}
	active, candidates := byStatus(rules)
	return tx.PutRendered([]byte(renderRules(active, candidates, nil)), stamp)
}
