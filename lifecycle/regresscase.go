package lifecycle

import (
	"context"
	"fmt"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// What became of a case in a regression run.
const (
	Regressed = "regressed" // a metric fell by more than rule_regress_margin
	Improved  = "improved"  // none did, and one rose by at least rule_promote_margin
	Unchanged = "unchanged"
	Skipped   = "skipped" // it could not be compared
)

// Reason codes of cases that a regression run skips without replaying them
// (docs/cli.md, "Reason codes"); those of a replay are in package replayexec.
const (
	CodeNoReplayInput   = "no_replay_input"
	CodeNoReplayCommand = "no_replay_command"
)

// CaseOutcome is one case of a regression run. Deltas are the replay's score
// minus the baseline, for the metrics that both have.
type CaseOutcome struct {
	CaseID          string             `json:"case_id"`
	Kind            string             `json:"kind"`
	Status          string             `json:"status"` // Regressed, Improved, Unchanged or Skipped
	ReplaySessionID workspace.Text     `json:"replay_session_id"`
	BaselineScores  map[string]float64 `json:"baseline_scores"`
	ReplayScores    map[string]float64 `json:"replay_scores"`
	Deltas          map[string]float64 `json:"deltas"`
	Reason          string             `json:"reason"`
	ReasonCode      string             `json:"reason_code,omitempty"` // when skipped
	DurationS       float64            `json:"duration_s"`
	StderrTail      string             `json:"stderr_tail,omitempty"` // when skipped; never journaled
}

func (r *Regression) add(c CaseOutcome) {
	r.Results = append(r.Results, c)
	r.TotalCases++
	switch c.Status {
	case Skipped:
		r.Skipped++
		return
	case Improved:
		r.Improved++
	case Unchanged:
		r.Unchanged++
	case Regressed:
		r.Regressed++
		r.Gate = []string{GateRegressed}
	}
	r.Replayed++
	r.Clean = r.Regressed == 0
}

// outcomeOf replays one case. An error ends the run; what concerns only this
// case makes it a skipped one.
func (r *regression) outcomeOf(ctx context.Context, c workspace.Case, rendered string, step RegressStep) (CaseOutcome, error) {
	switch {
	case !c.Replayable():
		return skipped(c, CodeNoReplayInput, "it has no replay input; give it one with `pandaprobe-harness case attach "+c.ID+"`"), nil
	case r.Agent == nil:
		return skipped(c, CodeNoReplayCommand, "there is no replay command"), nil
	}
	result, err := r.replayStep(ctx, c, rendered, step)
	if err != nil {
		return CaseOutcome{}, err
	}
	outcome := CaseOutcome{
		CaseID: c.ID, Kind: c.Kind, ReplaySessionID: workspace.Text(result.SessionID),
		BaselineScores: orNone(c.BaselineScores), ReplayScores: orNone(result.scores), Deltas: result.Deltas, DurationS: result.DurationS,
	}
	if result.ReasonCode != "" {
		outcome.Status, outcome.ReasonCode = Skipped, result.ReasonCode
		outcome.Reason, outcome.StderrTail = result.Reason, result.StderrTail
		return outcome, nil
	}
	outcome.Status, outcome.Reason = classify(result, r.Config.RulePromoteMargin, r.Config.RuleRegressMargin)
	return outcome, nil
}

// replayStep replays a case in the given context. What concerns only this
// replay is part of the result.
func (r *regression) replayStep(ctx context.Context, c workspace.Case, rendered string, step RegressStep) (CaseResult, error) {
	if r.options.Progress != nil {
		r.options.Progress(step)
	}
	r.replays++
	result, err := r.replay(ctx, c, "", rendered, r.named)
	if err != nil && !endsRound(ctx, err) {
		result.ReasonCode, result.Reason = "error", r.Redact(err.Error())
		return result, nil
	}
	return result, err
}

// classify compares a replay that has deltas.
func classify(result CaseResult, promoteMargin, regressMargin float64) (status, reason string) {
	one := []CaseResult{result}
	if worst, metric := worstDrop(one); droppedBeyond(worst.Deltas[metric], regressMargin) {
		return Regressed, fmt.Sprintf("%s, more than the margin %s", result.describe(metric), num(regressMargin))
	}
	if metric := highestRise(result.Deltas); improvedBy(result.Deltas[metric], promoteMargin) {
		return Improved, fmt.Sprintf("%s, at least the margin %s", result.describe(metric), num(promoteMargin))
	}
	return Unchanged, fmt.Sprintf("nothing fell by more than %s or rose by at least %s", num(regressMargin), num(promoteMargin))
}

// highestRise is the metric with the highest delta, the first by name on a tie.
func highestRise(deltas map[string]float64) (best string) {
	for i, metric := range sortedKeys(deltas) {
		if i == 0 || deltas[metric] > deltas[best] {
			best = metric
		}
	}
	return best
}

func skipped(c workspace.Case, code, reason string) CaseOutcome {
	return CaseOutcome{
		CaseID: c.ID, Kind: c.Kind, Status: Skipped, ReasonCode: code, Reason: reason,
		BaselineScores: orNone(c.BaselineScores), ReplayScores: map[string]float64{}, Deltas: map[string]float64{},
	}
}

func orNone(scores map[string]float64) map[string]float64 {
	if scores == nil {
		return map[string]float64{}
	}
	return scores
}
