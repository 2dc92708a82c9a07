package workspace

import (
	"bytes"
	"strings"
)

// differentVerdicts tells a rule file in which a merge left two verdicts, and
// what each side says.
func differentVerdicts(rel, id string, data []byte) (ours, theirs string, ok bool) {
	sides, ok := conflictSides(data)
	if !ok {
		return "", "", false
	}
	a, errA := parseRule(rel, id, sides[0].text)
	b, errB := parseRule(rel, id, sides[1].text)
	if errA != nil || errB != nil || a.Status == b.Status && a.Trial.Verdict == b.Trial.Verdict {
		return "", "", false
	}
	return ruleState(a) + " on " + sides[0].name, ruleState(b) + " on " + sides[1].name, true
}

// conflictSide is a file as one side of a merge has it.
type conflictSide struct {
	name string // what git calls the side
	text []byte
}

// conflictSides takes a file with conflict markers apart; false when they do
// not fit each other.
func conflictSides(data []byte) (sides [2]conflictSide, ok bool) {
	const outside, ours, base, theirs = 0, 1, 2, 3
	at := outside
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case at == outside && strings.HasPrefix(text, "<<<<<<< "):
			at, sides[0].name, ok = ours, sideName(text), true
		case at == ours && strings.HasPrefix(text, "|||||||"):
			at = base
		case (at == ours || at == base) && text == "=======":
			at = theirs
		case at == theirs && strings.HasPrefix(text, ">>>>>>> "):
			at, sides[1].name = outside, sideName(text)
		default:
			if at == outside || at == ours {
				sides[0].text = append(sides[0].text, line...)
			}
			if at == outside || at == theirs {
				sides[1].text = append(sides[1].text, line...)
			}
		}
	}
	return sides, ok && at == outside
}

func sideName(marker string) string { return clip(strings.TrimSpace(marker[len("<<<<<<< "):])) }
