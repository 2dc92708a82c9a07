package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// gathering asks one source of scores after the other.
type gathering struct {
	workspace *workspace.Workspace
	sink      ScoreSink
	platform  ScoreLister
	got       GatheredScores
}

// sourceResult is what a source has beside its scores.
type sourceResult struct {
	leftOut map[string]int
	broken  []error
}

// ask reads one source into the sink. What it could not read and what it left out
// become warnings; why says of a source that gave no score why not.
func (g *gathering) ask(ctx context.Context, source string) (found bool, why string) {
	refused := 0
	take := func(s workspace.SessionScore) bool {
		if g.sink.Set(s.SessionID, s.Metric, s.Value) == nil {
			found = true
		} else {
			refused++
		}
		return true
	}
	var r sourceResult
	switch source {
	case SourceEvalSet:
		r = g.fromEvalSet(take)
	case SourceHistory:
		r = g.fromHistory(ctx, take)
	case SourcePlatform:
		r = g.fromPlatform(ctx, take)
	}
	for _, err := range r.broken {
		g.got.Warnings = append(g.got.Warnings, fmt.Sprintf("%s: %v", source, err))
	}
	if refused > 0 {
		r.leftOut[workspace.LeftEntry] += refused
	}
	leftOut := g.leave(r.leftOut)
	if leftOut != "" {
		g.got.Warnings = append(g.got.Warnings, source+": "+leftOut)
	}
	switch {
	case found:
		return true, ""
	case len(r.broken) > 0:
		return false, "failed: " + r.broken[0].Error()
	case leftOut != "":
		return false, "has none that can be used: " + leftOut
	}
	return false, "has none"
}

func (g *gathering) fromEvalSet(take func(workspace.SessionScore) bool) sourceResult {
	b, err := g.workspace.Baselines()
	if err != nil {
		return sourceResult{broken: []error{err}}
	}
	for _, s := range b.Scores {
		take(s)
	}
	return sourceResult{b.LeftOut, b.Broken}
}

func (g *gathering) fromHistory(ctx context.Context, take func(workspace.SessionScore) bool) sourceResult {
	h, err := g.workspace.HistoryScores(ctx)
	if err != nil {
		return sourceResult{broken: []error{err}}
	}
	h.All()(take)
	return sourceResult{h.LeftOut, h.Broken}
}

func (g *gathering) fromPlatform(ctx context.Context, take func(workspace.SessionScore) bool) sourceResult {
	if g.platform == nil {
		return sourceResult{broken: []error{fmt.Errorf("there is no platform client")}}
	}
	list, err := g.platform.NewestScores(ctx)
	if err != nil {
		return sourceResult{broken: []error{err}}
	}
	for _, s := range list.Scores {
		take(workspace.SessionScore{SessionID: s.SessionID, Metric: s.Metric, Value: s.Value})
	}
	r := sourceResult{leftOut: list.LeftOut}
	if list.Read < list.Total {
		r.broken = []error{fmt.Errorf("the platform gave only %d of the %d scores that it has", list.Read, list.Total)}
	}
	return r
}

// leave counts what a source has left out, and says it; "" = nothing.
func (g *gathering) leave(leftOut map[string]int) string {
	var parts []string
	total := 0
	for _, reason := range slices.Sorted(maps.Keys(leftOut)) {
		n := leftOut[reason]
		total += n
		g.got.LeftOut[reason] += n
		parts = append(parts, fmt.Sprintf("%d %s", n, leftOutWords(reason)))
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%d left out: %s", total, strings.Join(parts, ", "))
}

// leftOutWords says what a reason means, after a number.
func leftOutWords(reason string) string {
	switch reason {
	case workspace.LeftAbsent:
		return "without a value"
	case workspace.LeftNotNumber:
		return "no finite number"
	case workspace.LeftOutOfRange:
		return "outside 0 to 1"
	case workspace.LeftEntry:
		return "without a usable key or series"
	case workspace.LeftReplay:
		return "from replays"
	case platform.LeftNoTime:
		return "without a readable time"
	case platform.LeftIncomplete:
		return "without id, session or metric"
	case platform.LeftStatus:
		return "of an unknown status"
	}
	return strings.ReplaceAll(reason, "_", " ") // failed, pending, not numeric
}
