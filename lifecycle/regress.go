package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Regress replays the eval set against the rules in force, wins first, newest
// first (docs/replay.md, "Regression runs"). An error ends the run: what was
// found before it stands in the Regression that is returned beside it, and is
// journaled only when every case had its turn. Two errors come after a whole
// run: that of a file that could not be read (CodeBrokenFile), and that nothing
// could be replayed (CodeNothingReplayed).
func (e *Engine) Regress(ctx context.Context, o RegressOptions) (Regression, error) {
	r := &regression{Engine: e, options: o, named: map[string]bool{}, result: Regression{
		DryRun: o.DryRun, Gate: []string{}, ContextRules: []string{}, Results: []CaseOutcome{},
	}}
	if !o.DryRun {
		release, err := e.lockRound(ctx, RoundOptions{Wait: o.Wait, Waiting: o.Waiting})
		if err != nil {
			return r.result, err
		}
		defer release()
	}
	err := r.run(ctx)
	r.result.OK = err == nil
	r.result.Clean = r.result.Clean && err == nil
	return r.result, err
}

// regression is one regression run under way.
type regression struct {
	*Engine
	options            RegressOptions
	result             Regression
	active, candidates []workspace.Rule // in force when the run began
	named              map[string]bool  // sessions that replays of this run named
	cases              []workspace.Case // as they were when the run began
	replays            int              // made so far
}

func (r *regression) run(ctx context.Context) error {
	if r.Agent == nil {
		r.log("warning: there is no replay command, so nothing can be replayed; set [replay] command in harness.toml, or put a command behind --")
	}
	live, brokenRules, err := r.Workspace.LiveRules()
	if err != nil {
		return err
	}
	r.active, r.candidates = byStatus(live)
	cases, brokenCases, err := r.Workspace.Cases()
	if err != nil {
		return err
	}
	r.cases = cases
	if err := r.replayAll(ctx, cases); err != nil {
		return err
	}
	blamed, journaled := r.blame(ctx), r.journal()
	if blamed == nil && journaled == nil {
		blamed = r.retireBlamed(ctx)
	}
	return errors.Join(blamed, journaled, r.incomplete(brokenRules, brokenCases))
}

// replayAll replays the cases of this run with all rules in force.
func (r *regression) replayAll(ctx context.Context, cases []workspace.Case) error {
	r.result.EvalSet = len(cases)
	chosen := sampled(cases, r.sample())
	if r.Agent != nil && replayable(chosen) > 0 {
		if err := r.Agent.Preflight(); err != nil {
			return &SetupError{err}
		}
	}
	rendered := renderRules(r.active, r.candidates, nil)
	r.result.ContextRules = append(ruleIDs(r.active), ruleIDs(r.candidates)...)
	r.result.ContextSHA256 = digest(rendered)
	for _, c := range chosen {
		outcome, err := r.outcomeOf(ctx, c, rendered, RegressStep{Number: r.replays + 1, Of: replayable(chosen), CaseID: c.ID})
		if err != nil {
			return err
		}
		r.result.add(outcome)
	}
	return nil
}

func (r *regression) sample() int {
	if r.options.Sample == 0 {
		return r.Config.RegressionSample
	}
	return r.options.Sample
}

// sampled puts the wins first and the newest first, and ends with the case that
// is the most-th to be replayed; 0 and less take all. cases are sorted oldest first.
func sampled(cases []workspace.Case, most int) []workspace.Case {
	var ordered []workspace.Case
	for _, kind := range []string{workspace.Win, workspace.Failure} {
		for _, c := range slices.Backward(cases) {
			if c.Kind == kind {
				ordered = append(ordered, c)
			}
		}
	}
	for i := range ordered {
		if most > 0 && replayable(ordered[:i+1]) == most {
			return ordered[:i+1]
		}
	}
	return ordered
}

func replayable(cases []workspace.Case) (n int) {
	for _, c := range cases {
		if c.Replayable() {
			n++
		}
	}
	return n
}

// incomplete is the error of a run that ended but could not look at everything.
func (r *regression) incomplete(brokenRules, brokenCases []error) error {
	var missing []error
	if n := len(brokenRules); n > 0 {
		missing = append(missing, fmt.Errorf("%s could not be read, so the replays ran without it: %w", plural(n, "rule file"), brokenRules[0]))
	}
	if n := len(brokenCases); n > 0 {
		missing = append(missing, fmt.Errorf("%s could not be read and was not replayed: %w", plural(n, "eval case"), brokenCases[0]))
	}
	if r.result.TotalCases > 0 && r.result.Replayed == 0 {
		missing = append(missing, nothingReplayed(r.result.Results))
	}
	return errors.Join(missing...)
}

func nothingReplayed(skipped []CaseOutcome) error {
	if len(skipped) == 1 {
		return workspace.Errorf(CodeNothingReplayed, "the one case could not be replayed: %s", skipped[0].Reason)
	}
	return workspace.Errorf(CodeNothingReplayed, "none of the %d cases could be replayed; the first: %s", len(skipped), skipped[0].Reason)
}
