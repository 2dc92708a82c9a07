package calibrate

import "math"

const buckets = 10

// histogram judges each score against the decimal bounds: 0.3 belongs to the
// fourth bucket, though 0.3*10 may not reach 3 in binary.
func histogram(sorted []float64) (counts [buckets]int) {
	below := 0
	for i := range buckets - 1 {
		through := countBelow(sorted, float64(i+1)/buckets)
		counts[i] = through - below
		below = through
	}
	counts[buckets-1] = len(sorted) - below
	return counts
}

// mean adds up the distances from the smallest score: equal scores then give
// exactly themselves.
func mean(sorted []float64) float64 {
	sum := 0.0
	for _, value := range sorted {
		sum += value - sorted[0]
	}
	return sorted[0] + sum/float64(len(sorted))
}

func median(sorted []float64) float64 {
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

func stdev(values []float64, mean float64) *float64 {
	if len(values) < 2 {
		return nil
	}
	sum := 0.0
	for _, value := range values {
		sum += (value - mean) * (value - mean)
	}
	return new(math.Sqrt(sum / float64(len(values)-1)))
}
