package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortScores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for size := range 300 {
		scores := []float64{0, 1, math.SmallestNonzeroFloat64, 0.5, math.Nextafter(1, 0), math.Nextafter(0.5, 0), 0.1, 1e-300}
		for range size {
			scores = append(scores, math.Round(r.Float64()*100)/100, r.Float64())
		}
		scores = scores[:size]
		want := slices.Sorted(slices.Values(scores))
		sortScores(scores, make([]float64, size))
		if !slices.Equal(scores, want) {
			t.Fatalf("%v, want %v", scores, want)
		}
	}
}
