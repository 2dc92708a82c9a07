package lifecycle

import (
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// gateState is what the notice gate knows of one session: enough to tell a new
// condition from one that was told (docs/closed-loop.md, "Notices"). The zero
// value is a session without a report.
type gateState struct {
	last  []string // signatures of the last report
	told  []string // those of them that need no telling
	since int      // reports since the last notice

	before struct { // told and since as the last report found them
		told  []string
		since int
	}
}

// gateDecision is what the gate makes of a report.
type gateDecision struct {
	Post      bool // a notice is due
	Recovered bool // the session showed conditions before and shows none now
}

// next takes in one resolved report and decides. A condition that the last
// report did not have posts; the same set posts again once cooldown reports have
// passed since the last notice, 0 = never; a set that only shrank posts nothing.
func (g *gateState) next(signatures []string, cooldown int) gateDecision {
	again := cooldown > 0 && g.since >= cooldown && len(signatures) > 0 && sameSet(signatures, g.last)
	d := gateDecision{
		Post:      again || !subset(signatures, g.told),
		Recovered: len(signatures) == 0 && len(g.last) > 0,
	}
	g.take(signatures, d.Post)
	return d
}

// held takes back that the last report's notice was told, because the circuit
// breaker held it back: what is new in it stays new.
func (g *gateState) held() {
	g.told = slices.DeleteFunc(slices.Clone(g.last), func(s string) bool { return !slices.Contains(g.before.told, s) })
	g.since = g.before.since + 1
}

func (g *gateState) take(signatures []string, posted bool) {
	g.before.told, g.before.since = g.told, g.since
	g.last, g.told = signatures, signatures
	g.since++
	if posted {
		g.since = 0
	}
}

// gateFrom rebuilds the state from the lines of one session, in their order.
func gateFrom(lines []workspace.SessionLine) gateState {
	var g gateState
	for _, line := range lines {
		if line.Unresolved || line.Replay || line.Adopted {
			continue // no live report
		}
		g.take(line.Signatures, line.NoticeID != "")
		if line.Held {
			g.held()
		}
	}
	return g
}

func sameSet(a, b []string) bool { return subset(a, b) && subset(b, a) }

func subset(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(whole, s) })
}
