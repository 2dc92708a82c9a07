package lifecycle

import "strings"

// sameTextKey is equal for texts that make the same rule: equal after full case
// folding, collapsing white space and dropping white space and . ! ; , at the
// end (docs/closed-loop.md, "Adding a rule").
func sameTextKey(text string) string {
	words := strings.Join(strings.Fields(fold(text)), " ")
	return strings.TrimRight(words, " .!;,")
}
