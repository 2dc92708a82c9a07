package workspace

import (
	"strings"

	"github.com/xrash/smetrics"
)

// closeEnough is the similarity from which on a word is worth suggesting; one
// typing error in a word of four letters still reaches it.
const closeEnough = 0.8

// Nearest returns the known word most like the given one, upper and lower
// case, "-" and "_" being alike. It reports whether the two are so close that
// a typing error is likely; the nearest word is returned all the same, and ""
// only when none is known. Of equals the first wins.
func Nearest(word string, known []string) (string, bool) {
	best, bestScore := "", -1.0
	for _, k := range known {
		score := smetrics.JaroWinkler(folded(word), folded(k), 0.7, 4)
		if score > bestScore {
			best, bestScore = k, score
		}
	}
	return best, bestScore >= closeEnough
}

func folded(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "-", "_")
}
