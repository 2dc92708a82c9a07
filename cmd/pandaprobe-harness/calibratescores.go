package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// openForCalibration also takes the current folder when it has a state and no
// harness.toml, as another tool may have left it: calibration needs no more.
func (e *env) openForCalibration() (*lifecycle.Engine, error) {
	engine, err := e.openEngine()
	if workspace.CodeOf(err) == workspace.CodeNoWorkspace && e.root == "" && e.variable("HARNESS_ROOT") == "" {
		e.root = "."
		if here, err := e.openEngine(); err == nil {
			return here, nil
		}
	}
	return engine, err
}

// calibrate gathers the scores and makes the report. Warnings are told.
func (e *env) calibrate(ctx context.Context, engine *lifecycle.Engine, o calibrateOptions) (*calibrate.Report, error) {
	gathering, stop := context.WithCancel(ctx)
	defer stop()
	wait := e.startLabels(ctx, stop, engine.Workspace, o)
	scores := calibrate.NewScores()
	found, scoresErr := e.gatherScores(gathering, engine, scores, o.sources)
	labels, err := wait()
	if err != nil {
		return nil, err
	}
	if scoresErr != nil {
		return nil, scoresErr
	}
	for _, warning := range found.Warnings {
		e.warn(warning)
	}
	options := calibrate.Options{TargetPrecision: &o.target, Sources: found.Sources, LeftOut: found.LeftOut}
	if labels != nil {
		if err := calibrate.CheckMatch(scores, labels.labels); err != nil {
			return nil, &workspace.Error{Code: workspace.CodeBadInput, File: labels.source, Message: err.Error(), Err: err}
		}
		options.Labels = labels.labels
	}
	options.Thresholds = e.thresholdsFor(scores.Metrics(), engine.Config, o.thresholds)
	report, err := calibrate.Run(scores, options)
	if err == nil && report.Labels != nil && report.Labels.Unmatched > 0 {
		e.warn(fmt.Sprintf("%d of %s name no session with a score", report.Labels.Unmatched, count(report.Labels.Given, "label")))
	}
	return report, err
}

// thresholdsFor settles the thresholds of the metrics, and says which are not the
// configured ones.
func (e *env) thresholdsFor(metrics []string, config workspace.Config, instead map[string]float64) map[string]float64 {
	thresholds := map[string]float64{}
	for _, metric := range metrics {
		thresholds[metric] = config.Threshold(metric)
	}
	for _, metric := range slices.Sorted(maps.Keys(instead)) {
		configured, scored := thresholds[metric]
		if !scored {
			e.warn(fmt.Sprintf("--threshold: no session has a score of the metric %q", metric))
			continue
		}
		thresholds[metric] = instead[metric]
		e.tell(fmt.Sprintf("%s is judged by %s instead of %s", metric, number(instead[metric]), number(configured)))
	}
	return thresholds
}

func (e *env) gatherScores(ctx context.Context, engine *lifecycle.Engine, scores *calibrate.Scores, sources []string) (lifecycle.GatheredScores, error) {
	client := lifecycle.NewPlatformClient(engine.Config, e.environ)
	e.progress = startProgress(e.stderr)
	defer e.progress.stop()
	client.Progress = func(read, total int) {
		e.progress.show(fmt.Sprintf("reading the scores of the platform, %d of %d", read, total))
	}
	return engine.GatherScores(ctx, scores, lifecycle.ScoreOptions{Sources: sources, Platform: client})
}
