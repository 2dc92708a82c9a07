package lifecycle

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// A batch of a stream is handled under one lock and synced once. It never waits
// for input to fill it.
const (
	batchReports = 64
	batchTime    = 10 * time.Millisecond
)

// MaxStreamLine is the greatest length of one line of a stream, in bytes.
const MaxStreamLine = 32 << 20

// StreamAnswer is what became of one line of a stream.
type StreamAnswer struct {
	Line        int // counted from 1
	Observation Observation
	Err         error // the line was refused, and why
}

// Stream observes one report a line. answers is called after each batch, with
// the lines in order; the reports among them are on disk. A refused line does
// not end the stream. An error of Stream itself does: the lines that were not
// answered were not handled (docs/closed-loop.md, "Streams").
func (o *Observer) Stream(ctx context.Context, source string, input io.Reader, answers func([]StreamAnswer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan streamLine, 4*batchReports)
	failed := make(chan error, 1)
	go func() {
		defer close(lines)
		failed <- readStream(ctx, source, input, lines)
	}()
	for {
		batch, more := nextBatch(ctx, lines)
		if len(batch) > 0 {
			if err := o.streamBatch(ctx, batch, answers); err != nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !more {
			return <-failed
		}
	}
}

type streamLine struct {
	number int
	report Report
	err    error
}

// nextBatch waits for one line and takes those that are there already.
func nextBatch(ctx context.Context, lines <-chan streamLine) (batch []streamLine, more bool) {
	select {
	case line, ok := <-lines:
		if !ok {
			return nil, false
		}
		batch = append(batch, line)
	case <-ctx.Done():
		return nil, false
	}
	began := time.Now()
	for len(batch) < batchReports && time.Since(began) < batchTime {
		select {
		case line, ok := <-lines:
			if !ok {
				return batch, false
			}
			batch = append(batch, line)
		default:
			return batch, true
		}
	}
	return batch, true
}

func (o *Observer) streamBatch(ctx context.Context, batch []streamLine, answers func([]StreamAnswer) error) error {
	var reports []Report
	for _, line := range batch {
		if line.err == nil {
			reports = append(reports, line.report)
		}
	}
	var observed []Observation
	var failure error
	if len(reports) > 0 {
		// What was read is handled even when the caller is being stopped.
		observed, failure = o.Observe(context.WithoutCancel(ctx), reports)
	}
	told := make([]StreamAnswer, 0, len(batch))
	for _, line := range batch {
		answer := StreamAnswer{Line: line.number, Err: line.err}
		if line.err == nil {
			if len(observed) == 0 {
				break // not handled, nor is what follows
			}
			answer.Observation, observed = observed[0], observed[1:]
		}
		told = append(told, answer)
	}
	return errors.Join(failure, answers(told))
}

// readStream parses the lines of the input until it ends or ctx does.
func readStream(ctx context.Context, source string, input io.Reader, lines chan<- streamLine) error {
	r := bufio.NewReaderSize(input, 1<<16)
	for number := 1; ; number++ {
		text, tooLong, err := readLine(r)
		if number == 1 {
			text = workspace.TrimBOM(text)
		}
		if tooLong || len(bytes.TrimSpace(text)) > 0 {
			line := streamLine{number: number}
			if tooLong {
				line.err = &workspace.Error{Code: workspace.CodeBadInput, Message: fmt.Sprintf("is longer than %d MiB", MaxStreamLine>>20)}
			} else {
				line.report, line.err = ParseReport("", text)
			}
			line.err = atLine(line.err, source, number)
			select {
			case lines <- line:
			case <-ctx.Done():
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &workspace.Error{Code: workspace.CodeIO, File: source, Message: "cannot read: " + err.Error(), Err: err}
		}
	}
}

func atLine(err error, source string, number int) error {
	var located *workspace.Error
	if errors.As(err, &located) {
		located.File, located.Line = source, number
	}
	return err
}

// readLine reads to the next newline. Of a line that is too long it keeps
// nothing.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
		}
		if len(line) > MaxStreamLine {
			line, tooLong = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}
