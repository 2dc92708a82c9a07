package platform

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
)

const (
	// callSlack lets the program's own limit, 30 s like ours unless the user changed it, pass first: its error says more.
	callSlack = time.Second
	// callGrace is the time that a program over the limit has to end before it is killed.
	callGrace = time.Second
	// maxAnswer is the most that is read of an answer, in bytes. A page of 200 scores with their metadata is below 1 MiB.
	maxAnswer = 64 << 20
	// maxComplaint is the most that is kept of an error document, which may hold a whole HTML page.
	maxComplaint = 1 << 20
)

// question is one command of the program, asked until it has an answer or none is to be expected.
type question struct {
	command string // "evals runs get"
	args    []string
	repeat  func(*Error) bool // which failures are worth asking again
}

func transient(e *Error) bool { return e.Transient() }

func rateLimited(e *Error) bool { return e.Class == RateLimited }

func never(*Error) bool { return false }

// ask puts q, and again where q says so, and gives the answer that parse understands. Errors: *Error, or ctx's.
func ask[T any](ctx context.Context, c *Client, q question, parse func([]byte) (T, error)) (T, error) {
	var answer T
	err := c.retried(ctx, q.repeat, func() error {
		text, err := c.call(ctx, q)
		if err != nil {
			return err
		}
		if answer, err = parse(text); err != nil {
			return &Error{Class: Malformed, Call: q.command, Message: oneLine(err.Error())}
		}
		return nil
	})
	return answer, err
}

// call runs the program once and gives its standard output.
func (c *Client) call(ctx context.Context, q question) ([]byte, error) {
	complaint := &head{max: maxComplaint}
	argv := append([]string{c.binary(), "--format", "json"}, strings.Fields(q.command)...)
	out, err := replayexec.Run(ctx, replayexec.Process{
		Argv: append(argv, q.args...), Dir: c.Dir, Env: c.environment(),
		Timeout: c.timeout() + callSlack, Grace: callGrace, MaxStdout: maxAnswer, Stderr: complaint,
	})
	if start := (*replayexec.StartError)(nil); errors.As(err, &start) {
		return nil, &Error{Class: Missing, Call: q.command, Message: oneLine(start.Error()), cause: start}
	}
	if err != nil {
		return nil, err
	}
	if failed := classify(out, complaint.data.Bytes()); failed != nil {
		failed.Call, failed.Message = q.command, oneLine(failed.Message)
		return nil, failed
	}
	return out.Stdout, nil
}

func (c *Client) environment() []string {
	if c.Env == nil {
		return os.Environ()
	}
	return c.Env
}

// head keeps the first max bytes written to it. A program that says more has no document of errors to say.
type head struct {
	data bytes.Buffer
	max  int
}

func (h *head) Write(p []byte) (int, error) {
	if room := h.max - h.data.Len(); room > 0 {
		h.data.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// csvList puts values into the one comma-separated value that the program's list flags take.
func csvList(values []string) string {
	quoted := make([]string, len(values))
	for i, value := range values {
		if strings.ContainsAny(value, `,"`) {
			value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
		}
		quoted[i] = value
	}
	return strings.Join(quoted, ",")
}
