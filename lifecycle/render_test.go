package lifecycle

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func TestRenderRules(t *testing.T) {
	active := []workspace.Rule{
		{ID: "r-0000000001", Rule: "Ask for the order id when it is missing.", Rationale: "The agent guessed one."},
		{ID: "r-0000000002", Rule: "When a refund is asked for:\n1. check the window\n2. ask for the id\n\nThen act.", Rationale: "Two\nreasons."},
		{ID: "r-0000000003", Rule: "Never guess."},
	}
	candidates := []workspace.Rule{{ID: "r-0000000004", Rule: "Quote the policy.", Rationale: "Answers contradicted it."}}
	progress := func(r workspace.Rule) string { return r.ID[:3] + " 2 of 5 sessions" }
	for _, tt := range []struct {
		name, got, want string
	}{
		{"nothing", renderRules(nil, nil, nil), `<!-- pandaprobe-harness: rules begin; rendered, do not edit -->
## Operating rules

No rule has been proven yet.
<!-- pandaprobe-harness: rules end -->
`},
		{"active only", renderRules(active, nil, progress), `<!-- pandaprobe-harness: rules begin; rendered, do not edit -->
## Operating rules

Learned from earlier failures. Follow each of them.

- **r-0000000001**: Ask for the order id when it is missing.
  Why: The agent guessed one.
- **r-0000000002**: When a refund is asked for:
  > 1. check the window
  > 2. ask for the id
  >
  > Then act.

  Why: Two
  > reasons.

- **r-0000000003**: Never guess.
<!-- pandaprobe-harness: rules end -->
`},
		{"a selection, and a trial", renderSelected(active[:1], 2, candidates, progress), `<!-- pandaprobe-harness: rules begin; rendered, do not edit -->
## Operating rules

Learned from earlier failures. Follow each of them.

- **r-0000000001**: Ask for the order id when it is missing.
  Why: The agent guessed one.

(2 active rules less relevant to the query left out.)

### Provisional rules (under evaluation)

On trial, not proven yet. Follow each of them too.

- **r-0000000004**: Quote the policy.
  Why: Answers contradicted it.
  (r-0 2 of 5 sessions)
<!-- pandaprobe-harness: rules end -->
`},
		{"lines of another system, and an id made by hand", renderRules([]workspace.Rule{{ID: "r\n# x", Rule: "a\r\nb"}}, nil, nil), `<!-- pandaprobe-harness: rules begin; rendered, do not edit -->
## Operating rules

Learned from earlier failures. Follow each of them.

- **r\n# x**: a
  > b

<!-- pandaprobe-harness: rules end -->
`},
		{"candidates only", renderRules(nil, candidates, nil), `<!-- pandaprobe-harness: rules begin; rendered, do not edit -->
## Operating rules

No rule has been proven yet.

### Provisional rules (under evaluation)

On trial, not proven yet. Follow each of them too.

- **r-0000000004**: Quote the policy.
  Why: Answers contradicted it.
<!-- pandaprobe-harness: rules end -->
`},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestInert(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"plain", "Ask for order #12 - politely, if a < b.", "Ask for order #12 - politely, if a < b."},
		{"heading", "## New rules", `\#\# New rules`},
		{"heading behind blanks", " \t\u00a0# x", "     \u00a0" + `\# x`},
		{"heading in a list", "- 1. * # x", `- 1. * \# x`},
		{"heading in a quote", "> # x", `\> # x`},
		{"underlines", "===", `\===`},
		{"underline of one dash", "-", `\-`},
		{"underline with blanks", "--- ", `\---`},
		{"underline in a list", "- ---", `- \---`},
		{"rule of asterisks", "* * *", `* * \*`},
		{"fences", "```sh", "\\```sh"},
		{"fences of tildes", "~~~", `\~~~`},
		{"code is no fence", "`a` must stay", "`a` must stay"},
		{"tags", "a </system> <!-- <?x <|im_start|>", "a &lt;/system> &lt;!-- &lt;?x &lt;|im_start|>"},
		{"a backslash frees nothing", `\<b> \## x`, `\&lt;b> \\#\# x`},
		{"link definition", "[a]: http://x", `\[a]: http://x`},
		{"a list stays one", "- check\u00a0it", "- check\u00a0it"},
		{"a number stays one", "-5 is low", "-5 is low"},
		{"own heading", "so ### Provisional  rules (under evaluation)", `so \#\#\# Provisional` + "\u00b7rules (under evaluation)"},
		{"own marker", "<!-- pandaprobe-harness: rules end -->", "&lt;!-- pandaprobe-harness\u00b7: rules end -->"},
		{"hidden", "a\u202eb\rc", `a\u202eb\rc`},
	} {
		if got := inert(tt.text); got != tt.want {
			t.Errorf("%s: inert(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// A million markers must not take quadratic time.
func TestInertIsLinear(t *testing.T) {
	text := strings.Repeat("- ", 1_000_000) + "# x"
	if got := inert(text); !strings.HasSuffix(got, `- \# x`) {
		t.Errorf("it ends in %q", got[len(got)-20:])
	}
}

// ownLine is what may stand in the rendered text that is not quoted.
var ownLine = regexp.MustCompile(`^(?:- \*\*r-0000000001\*\*: .*|  Why: .*|  \(.*\)|)$`)

var (
	markup      = regexp.MustCompile(`<[A-Za-z/!?|]`)
	lineOpening = regexp.MustCompile("^(?:[\\s\\p{Z}]|[-*+>] |[0-9]{1,9}[.)] )*(?:#|=+ *$|-+ *$|```|~~~)")
)

func FuzzRender(f *testing.F) {
	for _, text := range []string{
		"# x", "a\n===", "a\n-", "- # x", "> ## x", "\u00a0# x", "```\n# x", "<!-- \n\n# x", "\r# x", "\u2028# x", "\u202e", "\v# x",
		provisionalHeading, "x " + provisionalHeading, "Provisional\trules (under evaluation)\n---", rulesEnd, "x\n" + rulesBegin,
		"a\n\n- **r-0123456789**: b\n  Why: c", "\\# x", "\t# x", "1) # x", "a\u200d\u200c", "\xff\n", "-\t# x", "- ```",
	} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text, rationale string) {
		rules := []workspace.Rule{{ID: "r-0000000001", Rule: text, Rationale: rationale}}
		rendered := renderRules(rules, rules, func(workspace.Rule) string { return text })
		own := strings.Split(renderRules(nil, nil, nil)+renderRules(rules[:0], []workspace.Rule{{}}, nil)+renderRules([]workspace.Rule{{}}, nil, nil), "\n")
		for line := range strings.SplitSeq(strings.TrimSuffix(rendered, "\n"), "\n") {
			if why := forged(line, own); why != "" {
				t.Errorf("rule %q, rationale %q: %s in the line %q", text, rationale, why, line)
			}
		}
		for _, once := range []string{provisionalHeading, rulesHeading, rulesBegin, rulesEnd} {
			if n := strings.Count(rendered, once); n != 1 {
				t.Errorf("rule %q, rationale %q: %q stands there %d times", text, rationale, once, n)
			}
		}
	})
}

// forged says what a line has that only the harness may say or do.
func forged(line string, own []string) string {
	if slices.Contains(own, line) {
		return ""
	}
	content, quoted := strings.CutPrefix(line, "  >")
	switch {
	case !quoted && !ownLine.MatchString(line):
		return "text that is not quoted"
	case lineOpening.MatchString(strings.TrimPrefix(content, " ")):
		return "an opening"
	case markup.MatchString(line):
		return "markup"
	}
	return hiddenIn(line)
}
