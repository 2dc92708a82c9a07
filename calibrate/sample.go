package calibrate

import (
	"math"
	"slices"
)

// sample holds the scores of one metric, each list sorted, so that what lies
// below a threshold is one binary search away.
type sample struct {
	all, failed, ok []float64
}

func newSample(c *column, classes []class) *sample {
	var counts [3]int
	for i, value := range c.values {
		if !math.IsNaN(value) {
			counts[classes[i]]++
		}
	}
	s := &sample{
		all:    make([]float64, 0, c.count),
		failed: make([]float64, 0, counts[failedSession]),
		ok:     make([]float64, 0, counts[okSession]),
	}
	for i, value := range c.values {
		if !math.IsNaN(value) {
			s.add(value, classes[i])
		}
	}
	spare := make([]float64, c.count)
	sortScores(s.all, spare)
	sortScores(s.failed, spare)
	sortScores(s.ok, spare)
	return s
}

func (s *sample) add(value float64, of class) {
	s.all = append(s.all, value)
	switch of {
	case failedSession:
		s.failed = append(s.failed, value)
	case okSession:
		s.ok = append(s.ok, value)
	}
}

// report needs at least one score.
func (s *sample) report(name string, threshold, target float64) Metric {
	average := mean(s.all)
	m := Metric{
		BreachCount: countBelow(s.all, threshold),
		Count:       len(s.all),
		Histogram:   histogram(s.all),
		Maximum:     s.all[len(s.all)-1],
		Mean:        average,
		Median:      median(s.all),
		Metric:      name,
		Minimum:     s.all[0],
		Stdev:       stdev(s.all, average),
		Sweep:       s.sweep(),
		Threshold:   threshold,
		thresholdText: digits(threshold, func(shown float64) bool {
			return countBelow(s.all, shown) == countBelow(s.all, threshold)
		}),
	}
	if s.labeled() > 0 {
		m.Labeled = s.compare(threshold, target, m.Sweep)
	}
	return m
}

func (s *sample) labeled() int { return len(s.failed) + len(s.ok) }

// countBelow returns how many of the sorted scores breach a threshold.
func countBelow(sorted []float64, threshold float64) int {
	below, _ := slices.BinarySearch(sorted, threshold)
	return below
}

// countThrough returns how many of the sorted scores are at most a value.
func countThrough(sorted []float64, value float64) int {
	return countBelow(sorted, math.Nextafter(value, math.Inf(1)))
}
