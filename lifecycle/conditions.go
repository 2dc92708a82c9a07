package lifecycle

import (
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// conditionKnobs are the knobs of the conditions that come from a series of
// scores (docs/closed-loop.md, "Conditions").
type conditionKnobs struct {
	EnableTrend        bool
	EWMAFastSpan       float64 // samples, at least 1
	EWMASlowSpan       float64 // samples, at least 1
	TrendMarginCross   float64
	TrendMinSamples    int
	AdaptiveThreshold  bool
	AdaptiveMarginDrop float64
	PercentileWindow   int // samples; 0 = off
	PercentileFloor    float64
}

// updateEWMA gives the averages after one more sample. The first sample is both
// averages.
func updateEWMA(prev workspace.EWMA, value float64, knobs conditionKnobs) workspace.EWMA {
	if prev.Count == 0 {
		return workspace.EWMA{Fast: value, Slow: value, Count: 1}
	}
	return workspace.EWMA{
		Fast:  follow(prev.Fast, value, knobs.EWMAFastSpan),
		Slow:  follow(prev.Slow, value, knobs.EWMASlowSpan),
		Count: prev.Count + 1,
	}
}

// follow is written so that equal values leave an average as it is, and rounds
// the product by itself: a fused multiply-add would give other last digits on
// other processors, in files that are shared.
func follow(average, value, span float64) float64 {
	alpha := 2 / (span + 1)
	return average + float64(alpha*(value-average))
}

// seriesConditions tells which conditions the newest value of a series shows.
// averages are those after the value; window holds the latest values, oldest
// first, the new one included.
func seriesConditions(averages workspace.EWMA, window []float64, value float64, knobs conditionKnobs) (declining, relative, percentile bool) {
	enough := averages.Count >= knobs.TrendMinSamples
	declining = knobs.EnableTrend && enough && averages.Fast < averages.Slow-knobs.TrendMarginCross
	relative = knobs.AdaptiveThreshold && enough && value < averages.Slow-knobs.AdaptiveMarginDrop
	return declining, relative, belowQuantile(window, value, knobs)
}

// belowQuantile asks for as many values as the trend does, but for no more than
// the window holds, and never for fewer than two.
func belowQuantile(window []float64, value float64, knobs conditionKnobs) bool {
	if knobs.PercentileWindow <= 0 {
		return false
	}
	window = window[max(0, len(window)-knobs.PercentileWindow):]
	if len(window) < max(2, min(knobs.TrendMinSamples, knobs.PercentileWindow)) {
		return false
	}
	return value < quantile(window, knobs.PercentileFloor)
}

// quantile interpolates linearly between the two nearest values. q lies in
// [0, 1], values is not empty.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	position := q * float64(len(sorted)-1)
	below := int(position)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + float64((position-float64(below))*(sorted[above]-sorted[below]))
}
