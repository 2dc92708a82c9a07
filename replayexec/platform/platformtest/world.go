package platformtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// world is the scenario, and what the calls before have done to it.
type world struct {
	*Scenario
	state *state
	clock time.Time
	rows  map[string][]row // by target: session, trace
	runs  map[string]*run
	turns map[string]int // evaluations so far, by target, id and metric
}

func newWorld(scenario *Scenario, s *state) (*world, error) {
	w := &world{Scenario: scenario, state: s, rows: map[string][]row{}, runs: map[string]*run{}, turns: map[string]int{}}
	var err error
	if w.clock, err = parseTime(scenario.Clock); err != nil {
		return nil, err
	}
	number := 0
	for _, target := range []string{"session", "trace"} {
		for _, entry := range *w.targets(target) {
			for _, given := range entry.Scores {
				number++
				if err := w.put(target, entry.ID, given, fmt.Sprintf("5c000000-0000-4000-8000-%012d", number)); err != nil {
					return nil, err
				}
			}
		}
	}
	for id, spec := range scenario.Runs {
		if err := w.addRun(id, spec); err != nil {
			return nil, err
		}
	}
	for i, ordered := range s.Orders {
		if _, err := w.start(i+1, ordered); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *world) targets(target string) *Targets {
	if target == "session" {
		return &w.Sessions
	}
	return &w.Traces
}

// visible gives the scores that the platform shows now, newest first.
func (w *world) visible(target string) []row {
	var shown []row
	for _, r := range w.rows[target] {
		if r.EvalRunID != nil && w.runs[*r.EvalRunID] != nil && w.runs[*r.EvalRunID].target == target {
			from := w.runs[*r.EvalRunID]
			if max(0, slices.Index(from.ids, r.id)) >= w.done(from) {
				if from.spec.WhileRunning != "pending" {
					continue
				}
				r.Value, r.Status, r.Reason, r.Metadata = nil, "PENDING", nil, jsontext.Value("{}")
			}
		}
		shown = append(shown, r)
	}
	slices.SortStableFunc(shown, func(a, b row) int { return b.when.Compare(a.when) })
	return shown
}

func parseTime(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly} {
		if when, err := time.Parse(layout, text); err == nil {
			return when, nil
		}
	}
	return time.Time{}, cannotf("scenario: not a time: %q", text)
}

// isoTime prints a time as the platform does: the fraction only when there is one.
func isoTime(when time.Time) string {
	if when.Nanosecond() == 0 {
		return when.Format("2006-01-02T15:04:05-07:00")
	}
	return when.Format("2006-01-02T15:04:05.000000-07:00")
}

func or(given, fallback string) string {
	if given != "" {
		return given
	}
	return fallback
}
