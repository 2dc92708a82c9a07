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
	if len(x.suspects) > 0 && !x.staged() {
		x.w.Settle(ctx)
	}
	for _, s := range x.suspects {
		switch {
		case !x.staged() && !s.still():
		case s.do != nil:
			x.addRepairable(s.finding, s.do)
		default:
			x.add(s.finding)
		}
	}
}

// Settle waits until the process that writes now, if any, has ended its write,
// but not for long: it may be stuck.
func (w *Workspace) Settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	w.writeLock().Await(ctx) // without it, the second look is no worse than the first
}
