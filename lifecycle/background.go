package lifecycle

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// A background round is started by whoever handled a report and runs in a
// process of its own. That no wake-up is lost rests on three things
// (docs/closed-loop.md, "Background rounds"):
//
//   - whoever wants a round leaves the mark "wanted" before looking for a
//     process that will run it;
//   - a process that is to run one waits with the waiter lock, of which there is
//     one, and only then for the round lock;
//   - the mark becomes "taken" after both locks are had and before any state is
//     read, so the round that takes it sees all that was written before it. It
//     goes with the end of the round: where a process died, "taken" is left
//     without a round, and is as good as "wanted".
const (
	wantedMark = "round_wanted"
	takenMark  = "round_taken"
)

// WantRound asks for a background round and starts the process that runs it
// with start, unless one waits already. It tells whether a round will come.
func (e *Engine) WantRound(ctx context.Context, start func() error) (bool, error) {
	if err := e.Workspace.Touch(wantedMark); err != nil {
		return false, err
	}
	if e.Workspace.WaiterLock().Held() {
		return true, nil
	}
	if err := start(); err != nil {
		return false, fmt.Errorf("cannot start a background round: %w", err)
	}
	return true, nil
}

// RunBackground runs rounds until none is wanted any more. done is told of each.
func (e *Engine) RunBackground(ctx context.Context, o RoundOptions, done func(Round, error)) error {
	o.Background = true
	// The marks are looked at again after the waiter lock was given back: who left
	// one while that was held has started nobody.
	for e.roundWanted() {
		if err := e.backgroundRound(ctx, o, done); err != nil {
			return err
		}
	}
	return nil
}

// roundWanted tells whether a round is asked for, or one that was under way; the
// locks tell whether it still is.
func (e *Engine) roundWanted() bool {
	return e.Workspace.Touched(wantedMark) || e.Workspace.Touched(takenMark)
}

func (e *Engine) backgroundRound(ctx context.Context, o RoundOptions, done func(Round, error)) error {
	if err := e.Workspace.MakeLocal(); err != nil {
		return err
	}
	stopWaiting, err := e.Workspace.WaiterLock().Acquire(ctx, "the turn of the background round", -1, nil)
	if err != nil {
		return err
	}
	if !e.roundWanted() {
		stopWaiting()
		return nil
	}
	release, err := e.lockRound(ctx, o)
	stopWaiting()
	if err != nil {
		return err
	}
	defer release()
	if !e.roundWanted() {
		return nil // the round that was under way has ended, and nobody asked since
	}
	if err := e.Workspace.MoveMark(wantedMark, takenMark); err != nil {
		return err
	}
	done(e.validateLocked(ctx, o))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return e.Workspace.Untouch(takenMark)
}

// Drain waits until no background round is wanted or running, starting one
// where one is wanted and nobody runs it. It returns context.DeadlineExceeded
// after timeout.
func (e *Engine) Drain(ctx context.Context, timeout time.Duration, start func() error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var started time.Time
	for {
		wanted, running := e.roundWanted(), e.roundHeld()
		switch {
		case !wanted && !running:
			return nil
		case wanted && !running && time.Since(started) > startPatience:
			started = time.Now()
			if err := start(); err != nil {
				return err
			}
		}
		if err := e.waitForRounds(ctx); err != nil {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// startPatience is how long a process that was started may take to show itself
// before another is.
const startPatience = 2 * time.Second

func (e *Engine) roundHeld() bool {
	return e.Workspace.WaiterLock().Held() || e.Workspace.RoundLock().Held()
}

// waitForRounds returns once nobody waits for a round and none runs.
func (e *Engine) waitForRounds(ctx context.Context) error {
	if err := e.Workspace.WaiterLock().Await(ctx); err != nil {
		return err
	}
	return e.Workspace.RoundLock().Await(ctx)
}

// pause lets a process that was just started take its lock.
func pause(ctx context.Context) error {
	select {
	case <-time.After(5 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// logLimit is the size at which a log is set aside, once; so a log and its
// predecessor never take more than twice that.
const logLimit = 1 << 20

// OpenLog opens a log of this clone for appending, bounded in size.
func OpenLog(ws *workspace.Workspace, name string) (*os.File, error) {
	return ws.OpenLocal("logs/"+name, logLimit)
}
