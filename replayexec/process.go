package replayexec

import (
	"context"
	"fmt"
	"io"
	"time"
)

const (
	defaultGrace     = 5 * time.Second
	defaultMaxStdout = 1 << 20
)

// Process is one command to run to its end.
type Process struct {
	// Argv is executed as it is. Argv[0] is looked up on the PATH of Env; with a
	// slash in it, it is a path, relative to Dir.
	Argv []string
	// Dir is the working folder; empty means the caller's.
	Dir string
	// Env is the complete environment. On Linux HARNESS_RUN is added to it.
	Env []string
	// Stdin is written whole to standard input; a command need not read it. It
	// must not change while Run is under way.
	Stdin []byte
	// Timeout is how long the command may run; 0 means without limit.
	Timeout time.Duration
	// Grace is the most that passes between SIGTERM and SIGKILL; 0 means 5 s. It
	// ends as soon as every process is gone.
	Grace time.Duration
	// MaxStdout is how many bytes of standard output are kept; 0 means 1 MiB. A
	// command that writes more is stopped.
	MaxStdout int64
	// Stderr gets standard error as it comes; it may be nil and must not block.
	Stderr io.Writer

	// commandLine replaces the joined Argv on Windows, for cmd's own quoting.
	commandLine string
}

// Output is what one run gave.
type Output struct {
	// Stdout is what was in the pipe when the command itself ended; what it left
	// behind may write later, which does not count.
	Stdout []byte
	// StderrTail is the last 4 KiB or so of standard error, valid UTF-8, cut at
	// the start of a line where there is one, else of a word.
	StderrTail string
	// ExitCode is -1 when a signal ended the command.
	ExitCode int
	// Signal is the name, such as SIGSEGV, of the signal that ended a command
	// which was not stopped by Run; else empty.
	Signal string
	// TimedOut says that Timeout passed, whatever had been answered before.
	TimedOut bool
	// Overflow says that standard output was larger than MaxStdout.
	Overflow bool
	// Duration is the time from the start to the end of the command itself.
	Duration time.Duration
	// Survivors are processes that were found and could not be killed.
	Survivors []int
}

// Run runs p and returns when the command has ended and everything it started
// is gone. What the command leaves behind is killed without grace when it ends
// by itself. At the limit, when standard output is too large and when ctx ends,
// the process group gets SIGTERM and, Grace later, whatever is left SIGKILL.
//
// On Linux processes that left the group are found and killed too, whatever
// they did to session, parent and environment. On macOS those of its session
// are; elsewhere the group alone. Windows kills the job.
//
// Errors: *StartError when p could not be started; ctx.Err(), wrapped, when
// ctx ended it. A command that fails is no error but an Output.
// The rules stand in docs/replay.md.
func Run(ctx context.Context, p Process) (Output, error) {
	p = p.withDefaults()
	if ctx.Err() != nil {
		return Output{}, stopped(ctx, p)
	}
	path, err := lookPath(p.Argv, p.Dir, p.Env)
	if err != nil {
		return Output{}, err
	}
	s, err := openStreams(p)
	if err != nil {
		return Output{}, &StartError{Name: p.Argv[0], Err: err}
	}
	defer s.close()
	began := time.Now()
	t, err := startTree(p, path, s.child())
	if err != nil {
		return Output{}, startError(p, err)
	}
	defer t.release()
	s.begin(p.Stdin)

	end := wait(ctx, p.Timeout, t.exited, s.overflow())
	if end == byItself {
		s.take()
	} else {
		t.stop(p.Grace)
	}
	out := Output{Survivors: t.kill(), TimedOut: end == atLimit, Duration: t.ended().Sub(began)}
	s.finish()
	if end == canceled {
		return out, stopped(ctx, p)
	}
	out.Stdout, out.StderrTail, out.Overflow = s.stdout.data, s.stderr.String(), s.stdout.over
	out.ExitCode, out.Signal = t.outcome()
	if end != byItself {
		out.Signal = ""
	}
	return out, nil
}

func (p Process) withDefaults() Process {
	if p.Grace == 0 {
		p.Grace = defaultGrace
	}
	if p.MaxStdout == 0 {
		p.MaxStdout = defaultMaxStdout
	}
	return p
}

func stopped(ctx context.Context, p Process) error {
	return fmt.Errorf("%q was stopped: %w", p.Argv, ctx.Err())
}

// ending is why the wait for a command was over.
type ending int

const (
	byItself ending = iota
	atLimit
	tooMuch
	canceled
)

// wait blocks until the command ends or must be stopped. A command that has
// ended is never taken as stopped: its exit decides.
func wait(ctx context.Context, limit time.Duration, exited, overflow <-chan struct{}) ending {
	var timeout <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		timeout = timer.C
	}
	end := byItself
	select {
	case <-exited:
	case <-timeout:
		end = atLimit
	case <-overflow:
		end = tooMuch
	case <-ctx.Done():
		end = canceled
	}
	select {
	case <-exited:
		return byItself
	default:
		return end
	}
}
