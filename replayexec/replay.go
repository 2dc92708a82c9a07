package replayexec

import (
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Protocol is the version of the documents that commands get on standard input.
const Protocol = 1

// Request is one replay: the document that the command gets on standard input.
// Where its parts come from stands in docs/replay.md.
type Request struct {
	Protocol int            `json:"protocol"` // set by Replay
	Case     jsontext.Value `json:"case"`     // the eval case with its replay_input, passed on digit for digit
	RuleID   string         `json:"rule_id"`  // the rule under test; empty in a regression run
	Context  string         `json:"context"`  // the rendered rules
}

// Answer is what a replay command answered.
type Answer struct {
	SessionID  string             // at most 512 bytes of valid UTF-8 without control characters
	Scores     map[string]float64 // each in [0, 1]
	HasScores  bool               // scores were given, even if none: they are final
	Duration   time.Duration      // how long the command ran
	StderrTail string             // the end of its standard error
}

// Replayer runs the replay command.
type Replayer struct {
	// Command is what to run.
	Command Command
	// Dir is its working folder.
	Dir string
	// Env is the environment to start from. What docs/replay.md lists is set in
	// it; what an outer replay had set is not handed on.
	Env []string
	// Root is the workspace folder, for HARNESS_ROOT.
	Root string
	// Timeout bounds one run; 0 means no limit.
	Timeout time.Duration
	// Grace is as in Process.
	Grace time.Duration
	// Check says that nothing may be written: HARNESS_CHECK=1.
	Check bool
	// Stderr gets the command's standard error as it comes; it may be nil and
	// must not block.
	Stderr io.Writer
}

// Replay runs the command once, for the case with that id and kind.
//
// Errors: *StartError for a fault of the set-up; *Inconclusive when the replay
// came to nothing; ctx.Err(), wrapped, when ctx ended it.
func (r Replayer) Replay(ctx context.Context, request Request, caseID, caseKind string) (Answer, error) {
	request.Protocol = Protocol
	input, err := document(request)
	if err != nil {
		return Answer{}, err
	}
	files, err := newHandover(request)
	if err != nil {
		return Answer{}, &StartError{Name: r.Command.String(), Err: err}
	}
	defer files.remove()
	out, err := r.run(ctx, "replay command", input,
		"HARNESS_CASE_FILE="+files.caseFile(),
		"HARNESS_CONTEXT_FILE="+files.contextFile(),
		"HARNESS_CASE_ID="+caseID,
		"HARNESS_CASE_KIND="+caseKind,
		"HARNESS_RULE_ID="+request.RuleID)
	if err != nil {
		return Answer{}, err
	}
	answer, err := parseAnswer(out.Stdout)
	if err != nil {
		return Answer{}, explain(err, "replay command", out, answer.SessionID)
	}
	answer.Duration, answer.StderrTail = out.Duration, out.StderrTail
	return answer, nil
}

// run runs the command under the name who; only an exit code of 0 is no error.
func (r Replayer) run(ctx context.Context, who string, input []byte, variables ...string) (Output, error) {
	out, err := Run(ctx, Process{
		Argv: r.Command.argv(), commandLine: r.Command.commandLine(),
		Dir: r.Dir, Env: r.environment(variables), Stdin: input,
		Timeout: r.Timeout, Grace: r.Grace, Stderr: r.Stderr,
	})
	for _, pid := range out.Survivors {
		if r.Stderr != nil {
			io.WriteString(r.Stderr, who+" left process "+strconv.Itoa(pid)+", which could not be killed\n")
		}
	}
	if err != nil {
		return out, err
	}
	return out, judge(who, r.Command, r.Timeout, out)
}

func (r Replayer) environment(variables []string) []string {
	changes := append(ChildVariables(), // bare names: removed
		"HARNESS_ROOT="+r.Root,
		"HARNESS_REPLAY_TIMEOUT_S="+strconv.FormatFloat(r.Timeout.Seconds(), 'f', -1, 64),
		"HARNESS_IN_REPLAY=1")
	if r.Check {
		changes = append(changes, "HARNESS_CHECK=1")
	}
	return changed(r.Env, append(changes, variables...)...)
}

// ChildVariables are the names of the environment variables that this package
// sets for the commands it runs, so that a program started by one knows them.
func ChildVariables() []string {
	return []string{
		"HARNESS_CASE_FILE", "HARNESS_CASE_ID", "HARNESS_CASE_KIND", "HARNESS_CHECK", "HARNESS_CONTEXT_FILE",
		"HARNESS_IN_REPLAY", "HARNESS_REPLAY_TIMEOUT_S", "HARNESS_ROOT", "HARNESS_RULE_ID", "HARNESS_RUN",
		"HARNESS_SESSION_ID",
	}
}

// explain completes what a parser found fault with.
func explain(err error, who string, out Output, sessionID string) error {
	var fault *Inconclusive
	if errors.As(err, &fault) {
		fault.Detail = who + ": " + fault.Detail
		fault.StderrTail, fault.Duration, fault.SessionID = out.StderrTail, out.Duration, sessionID
	}
	return err
}
