package calibrate

import "math"

// Interval is where a ratio lies with 95% confidence, by Wilson's score method:
// it stays within [0, 1] and is fair for few labels, too.
type Interval struct {
	High float64 `json:"high"`
	Low  float64 `json:"low"`
}

// z95 leaves 2.5% of the normal distribution on either side.
const z95 = 1.959963984540054

// wilson returns nil when the whole is 0: nothing is then known.
func wilson(part, whole int) *Interval {
	if whole == 0 {
		return nil
	}
	n, p := float64(whole), ratio(part, whole)
	scale := 1 + z95*z95/n
	center := (p + z95*z95/(2*n)) / scale
	half := z95 / scale * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
	i := &Interval{High: min(center+half, 1), Low: max(center-half, 0)}
	// At the ends one bound is the ratio itself, but for rounding.
	if part == 0 {
		i.Low = 0
	}
	if part == whole {
		i.High = 1
	}
	return i
}
