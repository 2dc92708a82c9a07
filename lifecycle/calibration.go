package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// The sources of scores, each of which takes precedence over those before it,
// for each session and metric (docs/calibration.md, "Where the scores come
// from").
const (
	SourceEvalSet  = "evalset" // baseline scores of the captured cases
	SourceHistory  = "history" // state/score_history.json and the session files
	SourcePlatform = "cli"     // the platform, through its client
)

// ScoreSources names all sources, in the order of their precedence, the weakest
// first.
func ScoreSources() []string { return []string{SourceEvalSet, SourceHistory, SourcePlatform} }

// CodeNoScores is the code of the error that no source gave a score.
const CodeNoScores workspace.Code = "no_scores"

// ScoreSink takes scores; one for a session and metric that comes again takes the
// place of the earlier one. *calibrate.Scores is one.
type ScoreSink interface {
	Set(session, metric string, value float64) error
}

// ScoreLister lists the scores of the platform. *platform.Client is one.
type ScoreLister interface {
	NewestScores(ctx context.Context) (platform.Newest, error)
}

// ScoreOptions chooses the sources.
type ScoreOptions struct {
	Sources  []string    // some of ScoreSources; empty = all
	Platform ScoreLister // needed for SourcePlatform only
}

// GatheredScores tells where scores came from.
type GatheredScores struct {
	Sources  []string       // those that gave a score, in the order of ScoreSources
	LeftOut  map[string]int // scores that cannot be used, by reason (docs/calibration.md, "What is left out")
	Warnings []string       // sources that failed, and what they left out
}

// GatherScores puts the scores of all sources into the sink. A source that fails
// does so on its own and is told in a warning; when none gives a score, the error
// (CodeNoScores) says of each why. The only other error is the end of ctx.
func (e *Engine) GatherScores(ctx context.Context, sink ScoreSink, o ScoreOptions) (GatheredScores, error) {
	if len(o.Sources) == 0 {
		o.Sources = ScoreSources()
	}
	g := gathering{workspace: e.Workspace, sink: sink, platform: o.Platform}
	g.got.LeftOut = map[string]int{}
	var none []string
	for _, source := range ScoreSources() {
		found, why := false, "was not asked"
		if slices.Contains(o.Sources, source) {
			found, why = g.ask(ctx, source)
		}
		if ctx.Err() != nil {
			return GatheredScores{}, context.Cause(ctx)
		}
		if found {
			g.got.Sources = append(g.got.Sources, source)
		}
		none = append(none, fmt.Sprintf("%s %s", placeOf(source), why))
	}
	if len(g.got.Sources) == 0 {
		slices.Reverse(none)
		return g.got, workspace.Errorf(CodeNoScores, "there are no scores to calibrate on: %s", strings.Join(none, "; "))
	}
	return g.got, nil
}

func placeOf(source string) string {
	switch source {
	case SourceEvalSet:
		return "the eval set (evalset, state/evalset/)"
	case SourceHistory:
		return "the local history (history, state/score_history.json and state/sessions/)"
	}
	return "the platform (cli)"
}
