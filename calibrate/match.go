package calibrate

import (
	"fmt"
	"strings"

	"github.com/xrash/smetrics"
)

// NoMatchError says that no label names a session that has a score.
type NoMatchError struct {
	// Labels and Sessions are how many there are; Sessions counts those with a
	// score.
	Labels, Sessions int
	// Label and Session are the ids that come closest to each other. They are
	// empty when there are no labels or no sessions.
	Label, Session string
}

func (e *NoMatchError) Error() string {
	switch {
	case e.Labels == 0:
		return "there are no labels"
	case e.Sessions == 0:
		return fmt.Sprintf("none of %d labels names a scored session: no session has a score", e.Labels)
	}
	return fmt.Sprintf("none of %d labels names one of %d scored sessions: the closest are label %q and session %q",
		e.Labels, e.Sessions, e.Label, e.Session)
}

// CheckMatch returns a [*NoMatchError] when no label names a session that has a
// score. [Run] reports on such labels as on none; a command that was given
// labels checks them first.
func CheckMatch(scores *Scores, labels *Labels) error {
	e := &NoMatchError{Labels: labels.Len()}
	for i, session := range scores.sessions {
		if !scores.scored[i] {
			continue
		}
		if _, labeled := labels.Get(session); labeled {
			return nil
		}
		e.Sessions++
	}
	if e.Labels > 0 && e.Sessions > 0 {
		e.Label, e.Session = closest(scores, labels)
	}
	return e
}

// closest finds two ids that are alike but for case, white space and
// punctuation, else those of the least edit distance.
func closest(scores *Scores, labels *Labels) (label, session string) {
	scored := map[string]string{}
	for i, session := range scores.sessions {
		if key := essence(session); scores.scored[i] && key != "" {
			scored[key] = session
		}
	}
	for label := range labels.All() {
		if session, found := scored[essence(label)]; found {
			return label, session
		}
	}
	return leastDistance(scores, labels)
}

// essence keeps what people type right: letters and digits, in one case.
func essence(id string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && !('a' <= r && r <= 'z' || '0' <= r && r <= '9') {
			return -1
		}
		return r
	}, strings.ToLower(id))
}

// leastDistance compares only the first ids, and of long ones only the start: a
// hint is not worth more than a moment.
func leastDistance(scores *Scores, labels *Labels) (label, session string) {
	const mostLabels, mostSessions, mostBytes = 20, 1000, 64
	best, compared := -1, 0
	for l := range labels.All() {
		if compared++; compared > mostLabels {
			break
		}
		for i, s := range scores.sessions[:min(len(scores.sessions), mostSessions)] {
			if !scores.scored[i] {
				continue
			}
			d := smetrics.WagnerFischer(l[:min(len(l), mostBytes)], s[:min(len(s), mostBytes)], 1, 1, 1)
			if best < 0 || d < best {
				best, label, session = d, l, s
			}
		}
	}
	return label, session
}
