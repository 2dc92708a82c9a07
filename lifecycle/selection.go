package lifecycle

import (
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// How many cases a replay runs at most (docs/replay.md, "Which cases").
const (
	mostFailures = 3
	mostWins     = 2
)

// targets are the signatures that a rule speaks to, case-folded: its own, those
// among its tags, and the breach of its metric.
func targets(rule workspace.Rule) map[string]bool {
	set := map[string]bool{}
	for _, s := range rule.Signatures {
		set[fold(s)] = true
	}
	for _, tag := range rule.Tags {
		if strings.Contains(tag, ":") {
			set[fold(tag)] = true
		}
	}
	if rule.Metric != "" {
		set[fold("breach:"+string(rule.Metric))] = true
	}
	return set
}

// selectCases chooses what a candidate is replayed on: the newest replayable
// failures that meet a target, then the newest replayable wins. Without such a
// failure it chooses nothing. cases are sorted oldest first.
func selectCases(rule workspace.Rule, cases []workspace.Case) []workspace.Case {
	wanted := targets(rule)
	var failures, wins []workspace.Case
	for _, c := range slices.Backward(cases) {
		switch {
		case !c.Replayable():
		case c.Kind == workspace.Win && len(wins) < mostWins:
			wins = append(wins, c)
		case c.Kind == workspace.Failure && len(failures) < mostFailures && meets(c, wanted):
			failures = append(failures, c)
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return append(failures, wins...)
}

func meets(c workspace.Case, wanted map[string]bool) bool {
	return slices.ContainsFunc(c.Signature, func(s string) bool { return wanted[fold(s)] })
}

// targetMetric is the metric that has to improve, case-folded: the rule's own,
// else that of the first signature of the newest selected failure; "" means any.
func targetMetric(rule workspace.Rule, selected []workspace.Case) string {
	if rule.Metric != "" {
		return fold(string(rule.Metric))
	}
	if len(selected) == 0 || len(selected[0].Signature) == 0 {
		return ""
	}
	_, metric, _ := strings.Cut(selected[0].Signature[0], ":")
	return fold(metric)
}

// noMatchReason says why no case was selected for the rule.
func noMatchReason(rule workspace.Rule) string {
	wanted := sortedKeys(targets(rule))
	if len(wanted) == 0 {
		return "it names no metric and no signature by which a captured failure could be found"
	}
	return "no captured failure with a replay input shows " + strings.Join(wanted, " or ")
}
