package lifecycle

import (
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// breakerState is the circuit breaker of a clone: it turns a flood of notices
// into one that calls for a person (docs/closed-loop.md, "The circuit breaker").
// The zero value is closed.
type breakerState struct {
	Notices []workspace.Time `json:"notices"` // posted within the window, the one that opened it included
	Open    bool             `json:"open"`
}

// breakerDecision is what becomes of a notice that is due.
type breakerDecision int

const (
	breakerPost       breakerDecision = iota // it goes out as it is
	breakerNeedsHuman                        // it goes out as the one that opens the breaker
	breakerHold                              // it is held back
)

// admit decides on a notice that is due now. After most notices within windowS
// seconds the next opens the breaker, and those that follow are held back until
// a recovery or until the window has drained. most = 0 means no breaker.
func (b *breakerState) admit(now workspace.Time, most int, windowS float64) breakerDecision {
	b.drain(now, windowS)
	switch {
	case most <= 0:
		return breakerPost
	case b.Open:
		return breakerHold
	}
	b.Open = len(b.Notices) >= most
	b.Notices = append(b.Notices, now)
	if b.Open {
		return breakerNeedsHuman
	}
	return breakerPost
}

// recovered closes the breaker and forgets its notices.
func (b *breakerState) recovered() { *b = breakerState{} }

// drain lets go of notices that lie outside the window, also of those that a
// clock set back has put far into the future, so that they hold nothing up.
func (b *breakerState) drain(now workspace.Time, windowS float64) {
	b.Notices = slices.DeleteFunc(b.Notices, func(t workspace.Time) bool {
		return now.Std().Sub(t.Std()).Abs().Seconds() >= windowS
	})
	if len(b.Notices) == 0 {
		b.Open = false
	}
}
