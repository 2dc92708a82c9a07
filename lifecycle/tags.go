package lifecycle

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

const (
	maxTags   = 16
	maxTagLen = 48 // code points
)

// buildTags gives a new rule's tags: the explicit ones, then those of the
// notice that it answers, each clean and once; and the notice's signatures,
// whole (docs/closed-loop.md, "Adding a rule"). notice may be nil.
func buildTags(explicit []string, notice *workspace.Notice) (tags, signatures []string) {
	wanted := slices.Clone(explicit)
	signatures = []string{}
	if notice != nil {
		wanted = append(wanted, noticeTags(*notice)...)
		signatures = append(signatures, notice.Signatures...)
	}
	tags = []string{}
	for _, text := range wanted {
		tag := cleanTag(text)
		if tag != "" && len(tags) < maxTags && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags, signatures
}

func noticeTags(n workspace.Notice) []string {
	tags := slices.Clone(n.Signatures)
	for _, metric := range n.Metrics {
		tags = append(tags, metric.Name)
	}
	for _, trace := range sortedKeys(n.SignalBreakdown) {
		tags = append(tags, sortedKeys(n.SignalBreakdown[trace])...)
	}
	return append(tags, n.Severity)
}

// cleanTag trims again after the cut, which may fall behind a blank.
func cleanTag(text string) string {
	tag := []rune(fold(strings.TrimSpace(stripControls(text))))
	if len(tag) > maxTagLen {
		tag = tag[:maxTagLen]
	}
	return strings.TrimRightFunc(string(tag), unicode.IsSpace)
}
