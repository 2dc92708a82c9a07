package lifecycle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGateAndBreaker plays reports of several sessions through both, with at
// most two notices in 10 seconds. A report is session:conditions@second.
func TestGateAndBreaker(t *testing.T) {
	for _, tt := range []struct {
		name     string
		cooldown int
		reports  string
		want     string
	}{
		{
			"what was held back is told when the window has drained", 0,
			"s:a@0 t:a@1 u:a@2 v:a@3 w:a@4 v:a@11 v:a@12 v:a@13 w:a@14",
			"post post human hold hold hold post . post",
		},
		{
			"what was held back is told after a recovery", 0,
			"s:a@0 t:a@1 u:a@2 v:a@3 s:-@4 v:a@5 u:a@6",
			"post post human hold rec post .",
		},
		{
			"the notice for a person tells its conditions", 0,
			"s:a@0 s:b@1 s:c@2 s:c@20",
			"post post human .",
		},
		{
			"held back and gone before it could be told", 0,
			"s:a@0 t:a@1 u:a@2 v:ab@3 v:b@20 v:b@21",
			"post post human hold post .",
		},
		{
			"held back, then healthy", 0,
			"s:a@0 t:a@1 u:a@2 v:a@3 v:-@4 w:a@5",
			"post post human hold rec post",
		},
		{
			"reminders count in the breaker and wait for it", 1,
			"s:a@0 s:a@1 s:a@2 s:a@3 s:a@4 s:a@5 s:a@6 s:a@7 s:a@14 s:a@15",
			"post . post . human . hold hold post .",
		},
		{
			"shrinking while the breaker is open", 0,
			"s:ab@0 t:a@1 u:a@2 s:a@3 s:ab@4 s:b@5 s:ab@15",
			"post post human . hold hold post",
		},
	} {
		if diff := cmp.Diff(strings.Fields(tt.want), playTraffic(t, tt.reports, tt.cooldown)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func playTraffic(t *testing.T, reports string, cooldown int) (answers []string) {
	t.Helper()
	gates := map[string]*gateState{}
	var breaker breakerState
	for report := range strings.FieldsSeq(reports) {
		session, rest, _ := strings.Cut(report, ":")
		conditions, at, _ := strings.Cut(rest, "@")
		if gates[session] == nil {
			gates[session] = &gateState{}
		}
		answers = append(answers, throughBoth(t, gates[session], &breaker, conditions, at, cooldown))
	}
	return answers
}

func throughBoth(t *testing.T, g *gateState, breaker *breakerState, conditions, at string, cooldown int) string {
	t.Helper()
	d := g.next(strings.Split(strings.Trim(conditions, "-"), ""), cooldown)
	if d.Recovered {
		breaker.recovered()
		return "rec"
	}
	if !d.Post {
		return "."
	}
	switch breaker.admit(second(t, at), 2, 10) {
	case breakerPost:
		return "post"
	case breakerNeedsHuman:
		return "human"
	}
	g.held()
	return "hold"
}
