package replayexec

import (
	"fmt"
	"strconv"
	"time"
)

// Reason codes of an inconclusive replay (docs/replay.md). Those of the second
// group need to know the case or the round: the caller gives them.
const (
	ExitNonzero    = "exit_nonzero"
	KilledBySignal = "killed_by_signal"
	TimedOut       = "timed_out"
	NoSessionID    = "no_session_id"
	OutputTooLarge = "output_too_large"
	BadAnswer      = "bad_answer"
	BadScores      = "bad_scores"
	ScorerFailed   = "scorer_failed"

	NoScores        = "no_scores"
	OwnSession      = "own_session"
	RepeatedSession = "repeated_session"
	KnownSession    = "known_session"
)

// Inconclusive says that a replay, or the scoring of its session, came to
// nothing that could be compared. It is evidence of nothing.
type Inconclusive struct {
	Code       string        // one of the reason codes
	Detail     string        // what happened, with its figures
	StderrTail string        // the end of the command's standard error; not for committed state
	SessionID  string        // the new session, when one is known
	Duration   time.Duration // how long the command ran
}

func (e *Inconclusive) Error() string { return e.Detail }

// judge turns an output that gives no answer into the reason. who is the
// command's name in it.
func judge(who string, command Command, limit time.Duration, out Output) error {
	because := func(code, format string, args ...any) error {
		return &Inconclusive{
			Code: code, Detail: who + " " + fmt.Sprintf(format, args...),
			StderrTail: out.StderrTail, Duration: out.Duration,
		}
	}
	switch {
	case out.TimedOut && len(out.Stdout) > 0:
		return because(TimedOut, "timed out: it was still running after %s, so what it printed does not count", seconds(limit))
	case out.TimedOut:
		return because(TimedOut, "timed out: it was still running after %s", seconds(limit))
	case out.Overflow:
		return because(OutputTooLarge, "printed more than %d bytes on standard output", defaultMaxStdout)
	case out.Signal != "":
		return because(KilledBySignal, "was killed by %s after %s", out.Signal, seconds(out.Duration))
	case command.usesShell() && (out.ExitCode == shellCannotRun || out.ExitCode == shellNotFound):
		return &StartError{
			Name: command.String(), Err: fmt.Errorf("the shell ended with exit code %d: %s", out.ExitCode, shellFaults[out.ExitCode]),
			StderrTail: out.StderrTail,
		}
	case out.ExitCode != 0:
		return because(ExitNonzero, "ended with exit code %d", out.ExitCode)
	}
	return nil
}

// What POSIX has a shell answer for a command that it cannot start.
const (
	shellCannotRun = 126
	shellNotFound  = 127
)

var shellFaults = map[int]string{
	shellCannotRun: "a command in it is not executable",
	shellNotFound:  "a command in it was not found",
}

// seconds shows a duration in seconds, to the millisecond.
func seconds(d time.Duration) string {
	return strconv.FormatFloat(d.Round(time.Millisecond).Seconds(), 'f', -1, 64) + " s"
}
