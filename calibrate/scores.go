package calibrate

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"unicode/utf8"
)

// Scores holds at most one score for each session and metric. It keeps one
// column of numbers a metric, so that 100,000 sessions need a few megabytes.
// The zero value is not usable; it is not safe for use while it is changed.
type Scores struct {
	index    map[string]int
	sessions []string
	scored   []bool // whether a session has a score of any metric
	columns  map[string]*column
	last     int // of the sessions: the next score is often of the same one
}

// A column has a value for each session up to the last one that it knows; NaN
// stands for no score.
type column struct {
	values []float64
	count  int
}

// NewScores returns an empty store.
func NewScores() *Scores {
	return &Scores{index: map[string]int{}, columns: map[string]*column{}}
}

// FromMap takes scores as session -> metric -> score. It fails on the first
// score that [Scores.Set] refuses.
func FromMap(scores map[string]map[string]float64) (*Scores, error) {
	s := NewScores()
	for _, session := range slices.Sorted(maps.Keys(scores)) {
		s.Add(session)
		for metric, value := range scores[session] {
			if err := s.Set(session, metric, value); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// Add makes a session known. One that gets no score still counts as a session.
func (s *Scores) Add(session string) { s.position(session) }

// Set stores a score in place of an earlier one. It refuses NaN, infinities,
// numbers outside [0, 1], and a metric that is empty or not UTF-8; a refused
// score changes nothing.
func (s *Scores) Set(session, metric string, value float64) error {
	if !(value >= 0 && value <= 1) {
		return fmt.Errorf("session %q: score %v of metric %q is not a number from 0 to 1", session, value, metric)
	}
	if metric == "" || !utf8.ValidString(metric) {
		return fmt.Errorf("session %q: metric %q has no usable name: it must be UTF-8 text and not empty", session, metric)
	}
	c := s.columns[metric]
	if c == nil {
		c = &column{}
		s.columns[metric] = c
	}
	i := s.position(session)
	c.set(i, value)
	s.scored[i] = true
	return nil
}

// Get returns the score of a session, and whether there is one.
func (s *Scores) Get(session, metric string) (float64, bool) {
	i, known := s.index[session]
	c := s.columns[metric]
	if !known || c == nil || !c.has(i) {
		return 0, false
	}
	return c.values[i], true
}

// Fill takes from another store the sessions and scores that are missing here,
// and returns how many scores it took. Start with the source that takes
// precedence and fill from the others (docs/calibration.md, sources).
func (s *Scores) Fill(from *Scores) int {
	filled := 0
	for session := range from.Sessions() {
		s.Add(session)
	}
	for metric, theirs := range from.columns {
		ours := s.columns[metric]
		if ours == nil {
			ours = &column{}
			s.columns[metric] = ours
		}
		for i := range theirs.values {
			at := s.index[from.sessions[i]]
			if theirs.has(i) && !ours.has(at) {
				ours.set(at, theirs.values[i])
				s.scored[at] = true
				filled++
			}
		}
	}
	return filled
}

// Len returns the number of sessions, with or without a score.
func (s *Scores) Len() int { return len(s.sessions) }

// Count returns the number of scores.
func (s *Scores) Count() int {
	count := 0
	for _, c := range s.columns {
		count += c.count
	}
	return count
}

// Sessions yields the sessions in the order in which they became known.
func (s *Scores) Sessions() iter.Seq[string] { return slices.Values(s.sessions) }

// Metrics returns the metrics that have a score, sorted by code point.
func (s *Scores) Metrics() []string { return slices.Sorted(maps.Keys(s.columns)) }

func (s *Scores) position(session string) int {
	if s.last < len(s.sessions) && s.sessions[s.last] == session {
		return s.last
	}
	i, known := s.index[session]
	if !known {
		i = len(s.sessions)
		s.index[session] = i
		s.sessions = append(s.sessions, session)
		s.scored = append(s.scored, false)
	}
	s.last = i
	return i
}

func (c *column) has(i int) bool {
	return i < len(c.values) && !math.IsNaN(c.values[i])
}

func (c *column) set(i int, value float64) {
	for len(c.values) <= i {
		c.values = append(c.values, math.NaN())
	}
	if !c.has(i) {
		c.count++
	}
	// Adding zero turns a negative zero into a plain one.
	c.values[i] = value + 0
}
