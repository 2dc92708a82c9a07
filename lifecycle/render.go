package lifecycle

import (
	"fmt"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// The harness's own lines. No stored text can bring them forth: in it, the
// colon behind "harness" is broken and "<!" is escaped.
const (
	rulesBegin         = "<!-- pandaprobe-harness: rules begin; rendered, do not edit -->"
	rulesEnd           = "<!-- pandaprobe-harness: rules end -->"
	rulesHeading       = "## Operating rules"
	provisionalHeading = "### Provisional rules (under evaluation)"
)

// renderRules gives the block of Markdown that goes into an agent's system
// prompt and into harness_rules.md: the active rules, then, when there are any,
// the candidates under a heading of their own, in the order given. progress says
// how far a candidate's trial is; nil leaves that out (docs/closed-loop.md, "The
// context"). The text ends in a newline and is the same for the same rules.
func renderRules(active, candidates []workspace.Rule, progress func(workspace.Rule) string) string {
	return renderSelected(active, 0, candidates, progress)
}

// renderSelected does the same after a selection that left out some active
// rules, and says how many.
func renderSelected(active []workspace.Rule, omitted int, candidates []workspace.Rule, progress func(workspace.Rule) string) string {
	var b strings.Builder
	b.WriteString(rulesBegin + "\n" + rulesHeading + "\n\n")
	if len(active) > 0 {
		b.WriteString("Learned from earlier failures. Follow each of them.\n\n")
		for _, r := range active {
			writeRule(&b, r)
		}
	} else if omitted == 0 {
		b.WriteString("No rule has been proven yet.\n")
	}
	if omitted > 0 {
		fmt.Fprintf(&b, "\n(%s less relevant to the query left out.)\n", plural(omitted, "active rule"))
	}
	if len(candidates) > 0 {
		b.WriteString("\n" + provisionalHeading + "\n\nOn trial, not proven yet. Follow each of them too.\n\n")
		for _, r := range candidates {
			writeRule(&b, r)
			if progress != nil {
				b.WriteString("  (" + inert(progress(r)) + ")\n")
			}
		}
	}
	b.WriteString(rulesEnd + "\n")
	return b.String()
}

func writeRule(b *strings.Builder, r workspace.Rule) {
	writeText(b, "- **"+inert(r.ID)+"**: ", r.Rule)
	if r.Rationale != "" {
		writeText(b, "  Why: ", r.Rationale)
	}
}

// writeText quotes every line but the first, so that none of them can stand
// where the harness's own lines do. The blank line ends the quote.
func writeText(b *strings.Builder, label, text string) {
	lines := inertLines(text)
	b.WriteString(label + lines[0] + "\n")
	for _, line := range lines[1:] {
		b.WriteString(strings.TrimRight("  > "+line, " ") + "\n")
	}
	if len(lines) > 1 {
		b.WriteString("\n")
	}
}
