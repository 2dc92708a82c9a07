package workspace

import (
	"context"
	"time"
)

// suspect is a finding that a writer at work could bring about for a moment.
type suspect struct {
	finding Finding
	still   func() bool // looks again
	do      func(*Tx) (done string, err error)
}

func (x *examiner) suspect(f Finding, still func() bool, do func(*Tx) (string, error)) {
	x.suspects = append(x.suspects, suspect{f, still, do})
}

// settle looks again at what a writer may have been half-way through.
func (x *examiner) settle(ctx context.Context) {
	for _, s := range x.suspects {
		switch {
		case !x.staged() && !x.confirmed(ctx, s):
		case s.do != nil:
			x.addRepairable(s.finding, s.do)
		default:
			x.add(s.finding)
		}
	}
}

// looksAgain is how often a suspect has to be found anew: one writer after the
// other may be half-way through just when it is looked at.
const looksAgain = 5

func (x *examiner) confirmed(ctx context.Context, s suspect) bool {
	for range looksAgain {
		x.w.Settle(ctx)
		if !s.still() {
			return false
		}
	}
	return true
}

// Settle waits until the process that writes now, if any, has ended its write,
// but not for long: it may be stuck.
func (w *Workspace) Settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	w.writeLock().Await(ctx) // without it, the second look is no worse than the first
}
