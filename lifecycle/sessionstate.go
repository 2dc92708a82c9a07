package lifecycle

import (
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// sessionState is what the lines of a session come to: the averages and the
// last values of each metric, and where its notice gate stands.
type sessionState struct {
	size   int64 // of the session's files when they were read
	last   workspace.Time
	series map[string]*seriesState
	gate   gateState
}

type seriesState struct {
	average workspace.EWMA
	window  []float64 // the last values, oldest first, at most percentile_window
}

// mostRemembered bounds how many sessions an Observer remembers.
const mostRemembered = 10_000

// session returns the state of a session, read anew when another process wrote
// to it since.
func (o *Observer) session(tx *workspace.Tx, id string) (*sessionState, error) {
	size, err := tx.SessionSize(id)
	if err != nil {
		return nil, err
	}
	if s := o.sessions[id]; s != nil && s.size == size {
		return s, nil
	}
	lines, err := tx.SessionLines(id)
	if err != nil {
		return nil, err
	}
	if len(o.sessions) >= mostRemembered {
		o.sessions = map[string]*sessionState{}
	}
	s := newSessionState(lines, o.engine.Config)
	s.size = size
	o.sessions[id] = s
	return s, nil
}

// newSessionState folds the lines of a session, which are in order, so that the
// result is the same whoever wrote them and however they were merged.
func newSessionState(lines []workspace.SessionLine, cfg workspace.Config) *sessionState {
	s := &sessionState{series: map[string]*seriesState{}, gate: gateFrom(lines)}
	for _, line := range lines {
		s.fold(line, cfg)
		s.last = line.TS
	}
	return s
}

// took brings the state up to date with a line that was just written. One that
// stands before another writer's, whose clock is ahead, has it read anew.
func (s *sessionState) took(line workspace.SessionLine, size int64, cfg workspace.Config) {
	s.fold(line, cfg)
	s.size += size
	if line.TS.Compare(s.last) < 0 {
		s.size = -1
	}
	s.last = line.TS
}

func (s *sessionState) fold(line workspace.SessionLine, cfg workspace.Config) {
	if line.Replay || line.Unresolved {
		return
	}
	for metric, value := range line.Scores {
		if value == nil {
			continue
		}
		next := s.next(metric, *value, cfg)
		if adopted, ok := line.EWMA[metric]; ok && line.Adopted {
			next.average = adopted
		}
		s.series[metric] = next
	}
}

// next is the series after one more value.
func (s *sessionState) next(metric string, value float64, cfg workspace.Config) *seriesState {
	before := s.series[metric]
	if before == nil {
		before = &seriesState{}
	}
	after := &seriesState{average: updateEWMA(before.average, value, knobsOf(cfg))}
	if most := cfg.PercentileWindow; most > 0 {
		after.window = append(slices.Clone(before.window), value)
		after.window = after.window[max(0, len(after.window)-most):]
	}
	return after
}

// read derives the conditions that a report shows, given what came before it,
// sorted, and the averages after it. It changes nothing.
func (s *sessionState) read(r Report, cfg workspace.Config) (signatures []string, averages map[string]workspace.EWMA) {
	signatures, averages = append([]string{}, r.Signatures...), map[string]workspace.EWMA{}
	for metric, value := range r.values() {
		after := s.next(metric, value, cfg)
		averages[metric] = after.average
		for _, condition := range conditionsOf(value, cfg.Threshold(metric), after, cfg) {
			signatures = append(signatures, signatureOf(condition, metric))
		}
	}
	slices.Sort(signatures)
	return slices.Compact(signatures), averages
}

func conditionsOf(value, threshold float64, after *seriesState, cfg workspace.Config) []string {
	var conditions []string
	if value < threshold {
		conditions = append(conditions, "breach")
	}
	declining, relative, percentile := seriesConditions(after.average, after.window, value, knobsOf(cfg))
	for _, c := range []struct {
		shown bool
		name  string
	}{{relative, "relative"}, {declining, "trend"}, {percentile, "percentile"}} {
		if c.shown {
			conditions = append(conditions, c.name)
		}
	}
	return conditions
}

func knobsOf(cfg workspace.Config) conditionKnobs {
	return conditionKnobs{
		EnableTrend:        cfg.EnableTrend,
		EWMAFastSpan:       float64(cfg.EWMAFastSpan),
		EWMASlowSpan:       float64(cfg.EWMASlowSpan),
		TrendMarginCross:   cfg.TrendMarginCross,
		TrendMinSamples:    cfg.TrendMinSamples,
		AdaptiveThreshold:  cfg.AdaptiveThreshold,
		AdaptiveMarginDrop: cfg.AdaptiveMarginDrop,
		PercentileWindow:   cfg.PercentileWindow,
		PercentileFloor:    cfg.PercentileFloor,
	}
}
