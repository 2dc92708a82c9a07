package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Reason codes of a replay verdict (docs/cli.md, "Reason codes").
const (
	CodeRegression    = "regression"
	CodeImproved      = "improved"
	CodeNoImprovement = "no_improvement"
	CodeInconclusive  = "inconclusive"

	CodeUnreadableCase = "unreadable_case" // a promotion was withheld
	CodeChanged        = "changed"         // the rule or a case changed while it was tested
)

// judgeReplay decides on a candidate by what its replays came to
// (docs/replay.md, "The verdict"). target is "" for any metric.
func judgeReplay(results []CaseResult, target string, promoteMargin, regressMargin float64) (outcome, code, reason string) {
	if worst, metric := worstDrop(results); worst != nil && droppedBeyond(worst.Deltas[metric], regressMargin) {
		return Retire, CodeRegression, fmt.Sprintf("replay: %s fell by more than the margin %s", worst.describe(metric), num(regressMargin))
	}
	best, metric := bestRise(results, target)
	switch {
	case best == nil:
		return Pending, CodeInconclusive, "replay: inconclusive: " + whyInconclusive(results, target)
	case improvedBy(best.Deltas[metric], promoteMargin):
		return Promote, CodeImproved, fmt.Sprintf("replay: %s rose by at least the margin %s, and nothing fell by more than %s%s",
			best.describe(metric), num(promoteMargin), num(regressMargin), notCompared(results))
	}
	if lost := unscored(results); lost != nil {
		return Pending, CodeInconclusive, fmt.Sprintf("replay: inconclusive: nothing that was scored improved, but %s %s", lost.CaseID, lost.Reason)
	}
	return Retire, CodeNoImprovement, fmt.Sprintf("replay: no improvement: the best, %s, is less than the margin %s (failures replayed: %s)",
		best.describe(metric), num(promoteMargin), strings.Join(failureIDs(results), ", "))
}

// unscored finds a failure whose replay ran but whose session could not be
// scored: it may have improved, and an outage of the scorer retires nobody.
func unscored(results []CaseResult) *CaseResult {
	for i, r := range results {
		if r.Kind == workspace.Failure && (r.unscored || r.ReasonCode == replayexec.ScorerFailed) {
			return &results[i]
		}
	}
	return nil
}

// notCompared names the cases that a promotion does not rest on.
func notCompared(results []CaseResult) string {
	var left []string
	for _, r := range results {
		if r.ReasonCode != "" {
			left = append(left, fmt.Sprintf("%s %s", r.Kind, r.CaseID))
		}
	}
	if left == nil {
		return ""
	}
	return "; not compared: " + strings.Join(left, ", ")
}

// describe names the case, the metric and the signed delta.
func (r CaseResult) describe(metric string) string {
	return fmt.Sprintf("%s %s: %s %s (%s to %s)", r.Kind, r.CaseID, metric, signed(r.Deltas[metric]), num(r.baseline[metric]), num(r.scores[metric]))
}

// worstDrop finds the lowest delta of all, the first in order of replay and
// metric on a tie.
func worstDrop(results []CaseResult) (worst *CaseResult, metric string) {
	for i := range results {
		for _, m := range sortedKeys(results[i].Deltas) {
			if worst == nil || results[i].Deltas[m] < worst.Deltas[metric] {
				worst, metric = &results[i], m
			}
		}
	}
	return worst, metric
}

// bestRise finds the highest delta of the target among the failures, or nil
// when no failure measured it.
func bestRise(results []CaseResult, target string) (best *CaseResult, metric string) {
	for i := range results {
		if results[i].Kind != workspace.Failure {
			continue
		}
		for _, m := range sortedKeys(results[i].Deltas) {
			if (target == "" || fold(m) == target) && (best == nil || results[i].Deltas[m] > best.Deltas[metric]) {
				best, metric = &results[i], m
			}
		}
	}
	return best, metric
}

func whyInconclusive(results []CaseResult, target string) string {
	var why []string
	for _, r := range results {
		switch {
		case r.ReasonCode != "":
			why = append(why, r.CaseID+" "+r.Reason)
		case r.Kind == workspace.Failure:
			why = append(why, r.CaseID+" did not measure "+target)
		}
	}
	return strings.Join(why, "; ")
}

func failureIDs(results []CaseResult) []string {
	var ids []string
	for _, r := range results {
		if r.Kind == workspace.Failure {
			ids = append(ids, r.CaseID)
		}
	}
	return ids
}

func deltas(baseline, scores map[string]float64) map[string]float64 {
	d := map[string]float64{}
	for metric, before := range baseline {
		if after, ok := scores[metric]; ok {
			d[metric] = after - before
		}
	}
	return d
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
