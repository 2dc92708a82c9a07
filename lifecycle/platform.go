package lifecycle

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// PlatformScorer has the platform score sessions (docs/platform.md).
type PlatformScorer struct {
	Client  *platform.Client
	Metrics []string // what the platform is asked to score
}

// NewPlatformScorer makes one from the configuration.
func NewPlatformScorer(cfg workspace.Config, env []string) PlatformScorer {
	return PlatformScorer{Client: NewPlatformClient(cfg, env), Metrics: cfg.SessionMetrics}
}

// NewPlatformClient makes the platform client that the configuration asks for.
// The environment is passed on as it is.
func NewPlatformClient(cfg workspace.Config, env []string) *platform.Client {
	return &platform.Client{
		Binary:       cfg.CLIBinary,
		Timeout:      workspace.Seconds(cfg.CLITimeoutS),
		Env:          env,
		Tries:        cfg.EvalRetryAttempts,
		Backoff:      workspace.Seconds(cfg.EvalRetryBackoffS),
		Polls:        cfg.PollMaxAttempts,
		PollInterval: workspace.Seconds(cfg.PollIntervalS),
	}
}

// Score evaluates the session. A platform that cannot be asked at all is a
// *SetupError; any other failure is inconclusive, never a zero.
func (p PlatformScorer) Score(ctx context.Context, sessionID string) (map[string]float64, error) {
	evaluation, err := p.Client.Evaluate(ctx, sessionID, p.Metrics)
	var failed *platform.Error
	switch {
	case err == nil:
		return evaluation.Scores, nil
	case ctx.Err() != nil || !errors.As(err, &failed):
		return nil, err
	case platform.IsSetup(err):
		return nil, &SetupError{err}
	}
	return nil, &replayexec.Inconclusive{Code: replayexec.ScorerFailed, Detail: "could not be scored: " + err.Error(), SessionID: sessionID}
}

// Report evaluates the session and returns what observing it needs: its scores,
// null where the platform has none.
func (p PlatformScorer) Report(ctx context.Context, sessionID string) (Report, error) {
	if err := workspace.CheckSessionID(sessionID); err != nil {
		return Report{}, err
	}
	evaluation, err := p.Client.Evaluate(ctx, sessionID, p.Metrics)
	if platform.IsSetup(err) {
		return Report{}, &SetupError{err}
	}
	report := Report{SessionID: sessionID, RunID: evaluation.RunID, HasScores: true}
	for _, metric := range slices.Sorted(maps.Keys(evaluation.Scores)) {
		value := evaluation.Scores[metric]
		report.Scores = append(report.Scores, Score{Name: metric, Value: &value})
	}
	for _, metric := range slices.Sorted(maps.Keys(evaluation.Absent)) {
		report.Scores = append(report.Scores, Score{Name: metric, Reason: evaluation.Absent[metric]})
	}
	return report, err
}
