package lifecycle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestGate plays sessions. A report is the letters of its conditions, "-" for
// none; a "!" behind it has the circuit breaker hold back what is due. An answer
// is "post", "hold" (due, held back), "rec" or "."
func TestGate(t *testing.T) {
	for _, tt := range []struct {
		name     string
		cooldown int
		reports  string
		want     string
	}{
		{"once until it recovers", 0, "a a a - a", "post . . rec post"},
		{"healthy is no recovery", 0, "- - -", ". . ."},
		{"one recovery", 0, "a - -", "post rec ."},
		{"new condition", 0, "a ab ba a ab", "post post . . post"},
		{"one for another", 0, "a b a", "post post post"},
		{"again after the cooldown", 2, "a a a a a", "post . . post ."},
		{"new within the cooldown", 3, "a ab ab ab ab ab", "post post . . . post"},
		{"shrinking waits but counts", 2, "ab ab a a a", "post . . post ."},
		{"shrinking after the cooldown", 1, "ab ab ab a a", "post . post . post"},
		{"recovery ends the cooldown", 9, "a - a", "post rec post"},
		{"a health report is no cooldown", 1, "- - -", ". . ."},
		{"order and repetition do not count", 0, "ab bab", "post ."},

		{"held is told again", 0, "a! a a", "hold post ."},
		{"held for long", 0, "a! a! a! a", "hold hold hold post"},
		{"only what was new is not told", 0, "a ab! a ab", "post hold . post"},
		{"old conditions of a held report stay told", 0, "a ab! ac! ac a", "post hold hold post ."},
		{"a condition that went before it was told", 0, "ab! a b b", "hold post post ."},
		{"held, then healthy, is a recovery", 0, "a! - a", "hold rec post"},
		{"a held reminder is tried again", 1, "a a a! a a", "post . hold post ."},
		{"a held report is a report of the cooldown", 2, "a ab! a a a", "post hold . post ."},
	} {
		var g gateState
		var lines []workspace.SessionLine
		var got []string
		for report := range strings.FieldsSeq(tt.reports) {
			answer, line := playReport(&g, report, tt.cooldown)
			got, lines = append(got, answer), append(lines, line)
			checkRebuilt(t, tt.name, g, lines)
		}
		if diff := cmp.Diff(strings.Fields(tt.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func playReport(g *gateState, report string, cooldown int) (string, workspace.SessionLine) {
	conditions, breakerIsOpen := strings.CutSuffix(report, "!")
	signatures := []string{}
	for _, c := range strings.Trim(conditions, "-") {
		signatures = append(signatures, string(c))
	}
	line := workspace.SessionLine{Signatures: signatures}
	d := g.next(signatures, cooldown)
	switch {
	case d.Post && breakerIsOpen:
		g.held()
		line.Held = true
		return "hold", line
	case d.Post:
		line.NoticeID = "n"
		return "post", line
	case d.Recovered:
		return "rec", line
	}
	return ".", line
}

// checkRebuilt holds the state against the one that the stored lines give, with
// lines among them that are no live reports.
func checkRebuilt(t *testing.T, name string, g gateState, lines []workspace.SessionLine) {
	t.Helper()
	stored := []workspace.SessionLine{{Adopted: true}}
	for _, line := range lines {
		stored = append(stored, line, workspace.SessionLine{Replay: true, Signatures: []string{"z"}}, workspace.SessionLine{Unresolved: true}, workspace.SessionLine{Adopted: true})
	}
	rebuilt := gateFrom(stored)
	if rebuilt.since != g.since || !sameSet(rebuilt.last, g.last) || !sameSet(rebuilt.told, g.told) {
		t.Errorf("%s: from its lines the state is %+v, want %+v", name, rebuilt, g)
	}
}
