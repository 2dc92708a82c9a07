package calibrate

import "math"

// sortScores sorts numbers from 0 to 1. Their bits are in the order of the
// numbers, so a pass for each byte, the lowest first, does it at a cost that
// grows with their count alone. The spare list is as long, and is overwritten.
func sortScores(scores, spare []float64) {
	var starts [8][256]int
	for _, score := range scores {
		for i := range starts {
			starts[i][byteOf(score, i)]++
		}
	}
	from, to := scores, spare[:len(scores)]
	for i := range starts {
		next := 0
		for value, count := range starts[i] {
			starts[i][value] = next
			next += count
		}
		for _, score := range from {
			at := &starts[i][byteOf(score, i)]
			to[*at] = score
			*at++
		}
		from, to = to, from
	}
	// The number of passes is even, so the last one wrote into scores.
}

func byteOf(score float64, i int) byte {
	return byte(math.Float64bits(score) >> (8 * i))
}
