package lifecycle

import (
	"math"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func defaultKnobs() conditionKnobs {
	return conditionKnobs{
		EnableTrend: true, EWMAFastSpan: 3, EWMASlowSpan: 10, TrendMarginCross: 0.05, TrendMinSamples: 4,
		AdaptiveMarginDrop: 0.15, PercentileFloor: 0.25,
	}
}

// vectorConfig reads what a vector changes about the knobs.
type vectorConfig struct {
	EWMAFastSpan       *float64 `json:"ewma_fast_span"`
	EWMASlowSpan       *float64 `json:"ewma_slow_span"`
	TrendMarginCross   *float64 `json:"trend_margin_cross"`
	TrendMinSamples    *int     `json:"trend_min_samples"`
	AdaptiveThreshold  *bool    `json:"adaptive_threshold"`
	AdaptiveMarginDrop *float64 `json:"adaptive_margin_drop"`
	PercentileWindow   *int     `json:"percentile_window"`
	PercentileFloor    *float64 `json:"percentile_floor"`
}

func (c vectorConfig) knobs() conditionKnobs {
	k := defaultKnobs()
	override(&k.EWMAFastSpan, c.EWMAFastSpan)
	override(&k.EWMASlowSpan, c.EWMASlowSpan)
	override(&k.TrendMarginCross, c.TrendMarginCross)
	override(&k.TrendMinSamples, c.TrendMinSamples)
	override(&k.AdaptiveThreshold, c.AdaptiveThreshold)
	override(&k.AdaptiveMarginDrop, c.AdaptiveMarginDrop)
	override(&k.PercentileWindow, c.PercentileWindow)
	override(&k.PercentileFloor, c.PercentileFloor)
	return k
}

func override[T any](value, given *T) {
	if given != nil {
		*value = *given
	}
}

type trendVector struct {
	Name     string       `json:"name"`
	Config   vectorConfig `json:"config"`
	Values   []float64    `json:"values"`
	Expected []struct {
		Fast             float64 `json:"fast"`
		Slow             float64 `json:"slow"`
		Count            int     `json:"count"`
		Declining        bool    `json:"declining"`
		RelativeBreach   bool    `json:"relative_breach"`
		PercentileBreach bool    `json:"percentile_breach"`
	} `json:"expected"`
}

func TestTrendVectors(t *testing.T) {
	for _, v := range readVectors[trendVector](t, "trend") {
		t.Run(v.Name, func(t *testing.T) {
			knobs := v.Config.knobs()
			var averages workspace.EWMA
			for i, value := range v.Values {
				averages = updateEWMA(averages, value, knobs)
				declining, relative, percentile := seriesConditions(averages, v.Values[:i+1], value, knobs)
				want := v.Expected[i]
				if averages.Count != want.Count || math.Abs(averages.Fast-want.Fast) > 1e-9 || math.Abs(averages.Slow-want.Slow) > 1e-9 {
					t.Errorf("value %d: averages are %+v, want %+v", i, averages, want)
				}
				if declining != want.Declining || relative != want.RelativeBreach || percentile != want.PercentileBreach {
					t.Errorf("value %d: declining %v, relative %v, percentile %v, want %+v", i, declining, relative, percentile, want)
				}
			}
		})
	}
}

func TestTrendSwitchedOffKeepsTheAverages(t *testing.T) {
	knobs := defaultKnobs()
	falling := workspace.EWMA{Fast: 0.4, Slow: 0.8, Count: 9}
	if declining, _, _ := seriesConditions(falling, nil, 0.3, knobs); !declining {
		t.Fatal("the series does not decline")
	}
	knobs.EnableTrend = false
	if declining, _, _ := seriesConditions(falling, nil, 0.3, knobs); declining {
		t.Error("enable_trend = false still tells a trend")
	}
	if got := updateEWMA(falling, 0.3, knobs); got.Count != 10 || got.Fast >= falling.Fast {
		t.Errorf("averages are %+v", got)
	}
}

// The average that a value is compared with has taken that value in already.
func TestRelativeComparesWithTheNewAverage(t *testing.T) {
	knobs := defaultKnobs()
	knobs.AdaptiveThreshold = true
	before := workspace.EWMA{Fast: 0.9, Slow: 0.9, Count: 5}
	for value, want := range map[float64]bool{0.74: false, 0.72: false, 0.71: true} {
		if _, relative, _ := seriesConditions(updateEWMA(before, value, knobs), nil, value, knobs); relative != want {
			t.Errorf("%v after an average of 0.9: relative = %v, want %v", value, relative, want)
		}
	}
}

func TestEqualValuesNeverDecline(t *testing.T) {
	knobs := defaultKnobs()
	knobs.TrendMarginCross, knobs.TrendMinSamples, knobs.PercentileWindow, knobs.PercentileFloor = 0, 1, 7, 0.9
	knobs.AdaptiveThreshold, knobs.AdaptiveMarginDrop = true, 0
	for hundredths := range 101 {
		value := float64(hundredths) / 100
		var averages workspace.EWMA
		var window []float64
		for range 50 {
			averages = updateEWMA(averages, value, knobs)
			window = append(window, value)
			if averages.Fast != value || averages.Slow != value {
				t.Fatalf("%v, again and again: the averages are %+v", value, averages)
			}
			if declining, relative, percentile := seriesConditions(averages, window, value, knobs); declining || relative || percentile {
				t.Fatalf("%v, again and again: %v, %v, %v", value, declining, relative, percentile)
			}
		}
	}
}

func TestPercentileNeedsItsSamples(t *testing.T) {
	for _, tt := range []struct {
		name            string
		window, samples int
		values          []float64
		want            bool
	}{
		{"off", 0, 1, []float64{0.9, 0.8, 0.1}, false},
		{"too few", 10, 4, []float64{0.9, 0.8, 0.1}, false},
		{"enough", 10, 4, []float64{0.9, 0.8, 0.8, 0.1}, true},
		{"a full window is enough", 3, 4, []float64{0.9, 0.8, 0.1}, true},
		{"never fewer than two", 10, 1, []float64{0.1}, false},
		{"only the window counts", 2, 2, []float64{0.9, 0.9, 0.1, 0.1}, false},
	} {
		knobs := defaultKnobs()
		knobs.PercentileWindow, knobs.TrendMinSamples = tt.window, tt.samples
		last := tt.values[len(tt.values)-1]
		if got := belowQuantile(tt.values, last, knobs); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	values := []float64{0.8, 0.2, 0.6, 0.4}
	for q, want := range map[float64]float64{0: 0.2, 1: 0.8, 0.5: 0.5, 0.25: 0.35, 0.1: 0.26} {
		if got := quantile(values, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if values[0] != 0.8 {
		t.Error("the values were sorted in place")
	}
}
