package calibrate

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// What holds where the caller says nothing (docs/calibration.md).
const (
	DefaultThreshold       = 0.5
	DefaultTargetPrecision = 0.9
)

// Options is what a calibration takes besides the scores. The zero value has the
// defaults and no labels.
type Options struct {
	// Thresholds gives the breach threshold of a metric, in [0, 1]; any other
	// metric has DefaultThreshold. Names of metrics without scores do no harm.
	Thresholds map[string]float64
	// Labels may name sessions that have no score. With nil, and when none of
	// them matches, the report has no labeled part.
	Labels *Labels
	// TargetPrecision, in [0, 1], is what the second recommendation looks for;
	// nil stands for DefaultTargetPrecision.
	TargetPrecision *float64
	// Sources names where the scores came from, for the report only.
	Sources []string
	// LeftOut counts the scores that could not be used, by reason, for the
	// report only.
	LeftOut map[string]int
	// GeneratedAt goes into the report; zero stands for the present time.
	GeneratedAt time.Time
}

// Run calibrates every metric that has a score. It fails only on a threshold or
// target outside [0, 1]. The same input gives the same report, in whatever order
// the scores were set. The cost is one sort a metric.
func Run(scores *Scores, options Options) (*Report, error) {
	target := DefaultTargetPrecision
	if options.TargetPrecision != nil {
		target = *options.TargetPrecision
	}
	if err := checkOptions(options.Thresholds, target); err != nil {
		return nil, err
	}
	classes := classify(scores, options.Labels)
	report := &Report{
		Agreement:    agreement(scores, options.Thresholds),
		GeneratedAt:  moment(options.GeneratedAt),
		Labels:       countLabels(scores, options.Labels, classes),
		LeftOut:      maps.Clone(options.LeftOut),
		SessionCount: scores.Len(),
		Sources:      slices.Clone(options.Sources),
	}
	if report.LeftOut == nil {
		report.LeftOut = map[string]int{}
	}
	report.Metrics = calibrateMetrics(scores, classes, options.Thresholds, target)
	return report, nil
}

// calibrateMetrics takes two metrics at a time: enough for the usual two, and
// little memory for many.
func calibrateMetrics(scores *Scores, classes []class, thresholds map[string]float64, target float64) []Metric {
	const atOnce = 2
	names := scores.Metrics()
	metrics := make([]Metric, len(names))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(atOnce, len(names)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				s := newSample(scores.columns[names[i]], classes)
				metrics[i] = s.report(names[i], threshold(thresholds, names[i]), target)
			}
		})
	}
	workers.Wait()
	return metrics
}

func checkOptions(thresholds map[string]float64, target float64) error {
	for _, metric := range slices.Sorted(maps.Keys(thresholds)) {
		if t := thresholds[metric]; !(t >= 0 && t <= 1) {
			return fmt.Errorf("threshold %v of metric %q is not a number from 0 to 1", t, metric)
		}
	}
	if !(target >= 0 && target <= 1) {
		return fmt.Errorf("target precision %v is not a number from 0 to 1", target)
	}
	return nil
}

func moment(t time.Time) time.Time {
	if t.IsZero() {
		t = time.Now()
	}
	return t.UTC().Truncate(time.Second)
}

func threshold(configured map[string]float64, metric string) float64 {
	if t, ok := configured[metric]; ok {
		return t + 0 // never a negative zero
	}
	return DefaultThreshold
}

// class is what is known about a session.
type class byte

const (
	unlabeled class = iota
	okSession
	failedSession
)

// classify gives the class of every session, in the order of scores.sessions.
func classify(scores *Scores, labels *Labels) []class {
	classes := make([]class, scores.Len())
	for i, session := range scores.sessions {
		if failed, labeled := labels.Get(session); labeled && failed {
			classes[i] = failedSession
		} else if labeled {
			classes[i] = okSession
		}
	}
	return classes
}

func countLabels(scores *Scores, labels *Labels, classes []class) *LabelCounts {
	if labels == nil {
		return nil
	}
	counts := &LabelCounts{Given: labels.Len()}
	for i, c := range classes {
		if c != unlabeled && scores.scored[i] {
			counts.Matched++
		}
	}
	counts.Unmatched = counts.Given - counts.Matched
	return counts
}
