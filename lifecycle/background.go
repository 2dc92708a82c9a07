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
	for ran := false; ran || e.roundWanted(); {
		var err error
		if ran, err = e.backgroundRound(ctx, o, done, ran); err != nil {
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

// backgroundRound runs one round if one is wanted; after another one it stays
// for a while until one is.
func (e *Engine) backgroundRound(ctx context.Context, o RoundOptions, done func(Round, error), stay bool) (ran bool, err error) {
	if err := e.Workspace.MakeLocal(); err != nil {
		return false, err
	}
	stopWaiting, err := e.Workspace.WaiterLock().Acquire(ctx, "the turn of the background round", -1, nil)
	if err != nil {
		return false, err
	}
	if stay {
		e.awaitWish(ctx)
	}
	if !e.roundWanted() {
		stopWaiting()
		return false, nil
	}
	release, err := e.lockRound(ctx, o)
	stopWaiting()
	if err != nil {
		return false, err
	}
	defer release()
	if !e.roundWanted() {
		return false, nil // the round that was under way has ended, and nobody asked since
	}
	if err := e.Workspace.MoveMark(wantedMark, takenMark); err != nil {
		return false, err
	}
	done(e.validateLocked(ctx, o))
	if ctx.Err() != nil {
		return true, context.Cause(ctx)
	}
	return true, e.Workspace.Untouch(takenMark)
}

// A process that has run a round rests, and then stays for the next one, so that
// a stream of reports neither starts a process each nor keeps one busy.
const (
	roundRest = 50 * time.Millisecond
	roundStay = 200 * time.Millisecond
)

// awaitWish returns once a round is wanted, or nobody has wanted one for long.
func (e *Engine) awaitWish(ctx context.Context) {
	stopped := pause(ctx, roundRest)
	for until := time.Now().Add(roundStay); stopped == nil && !e.roundWanted() && time.Now().Before(until); {
		stopped = pause(ctx, roundRest/5)
	}
}

// Drain waits until no background round is wanted or running, starting one
// where one is wanted and nobody runs it. It returns context.DeadlineExceeded
// after timeout.
func (e *Engine) Drain(ctx context.Context, timeout time.Duration, start func() error) error {
	if err := e.Workspace.CheckLocal(); err != nil {
		return err // a mark or a lock would not be seen
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var started time.Time
	for {
		// Before and while a round runs there is a mark or the round lock is held; who
		// has the waiter lock without a mark only stays.
		wanted, running := e.roundWanted(), e.Workspace.RoundLock().Held()
		if !wanted && !running {
			return nil
		}
		if !running && !e.Workspace.WaiterLock().Held() && time.Since(started) > startPatience {
			started = time.Now()
			if err := start(); err != nil {
				return err
			}
		}
		if err := e.Workspace.RoundLock().Await(ctx); err != nil {
			return err
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

// startPatience is how long a process that was started may take to show itself
// before another is.
const startPatience = 2 * time.Second

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// logLimit is the size at which a log is set aside, once; so a log and its
// predecessor never take more than twice that.
const logLimit = 1 << 20

// BackgroundLog is the log of the background rounds.
const BackgroundLog = "background.log"

// OpenLog opens a log of this clone for appending, bounded in size.
func OpenLog(ws *workspace.Workspace, name string) (*os.File, error) {
	return ws.OpenLocal("logs/"+name, logLimit)
}
