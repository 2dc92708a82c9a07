package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// stdinName is what messages call standard input.
const stdinName = "standard input"

// largestInput bounds what is read into memory at once.
const largestInput = 256 << 20

// readStdin reads standard input to its end, or until ctx ends.
func (e *env) readStdin(ctx context.Context) ([]byte, error) {
	e.signals.catch()
	if isTerminal(e.stdin) {
		e.tell("reading standard input; end it with Ctrl-D")
	}
	return interruptibly(ctx, func() ([]byte, error) { return readAll(stdinName, e.stdin) })
}

// interruptibly waits for work that may be held up for as long as somebody else
// likes, or until ctx ends.
func interruptibly[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// readInput reads the named file, or standard input when name is "" or "-". It
// also says what messages call the source.
func (e *env) readInput(ctx context.Context, name string) (data []byte, source string, err error) {
	if name == "" || name == "-" {
		data, err = e.readStdin(ctx)
		return data, stdinName, err
	}
	data, err = interruptibly(ctx, func() ([]byte, error) {
		f, err := e.openFile(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readAll(name, f)
	})
	return data, name, err
}

// openInput opens the named file, or standard input when name is "" or "-", for
// reading piece by piece.
func (e *env) openInput(ctx context.Context, name string) (input io.ReadCloser, source string, err error) {
	if name == "" || name == "-" {
		return io.NopCloser(e.stdin), stdinName, nil
	}
	f, err := interruptibly(ctx, func() (*os.File, error) { return e.openFile(name) })
	return f, name, err
}

// openFile waits, for a pipe, until somebody writes to it.
func (e *env) openFile(name string) (*os.File, error) {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		e.signals.catch()
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, ioFailure("cannot read the input", err)
	}
	return f, nil
}

func readAll(source string, from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, largestInput+1))
	if err != nil {
		return nil, ioFailure("cannot read "+source, err)
	}
	if len(data) > largestInput {
		return nil, &workspace.Error{Code: workspace.CodeBadInput, File: source, Message: fmt.Sprintf("is larger than %d MiB", largestInput>>20)}
	}
	return data, nil
}

// textFlag is a flag whose value is a text for people; "-" reads standard
// input.
type textFlag struct {
	name string // with its dashes
	text *string
}

// readTexts replaces the one text that is "-" by standard input, without its
// byte-order mark and the line end behind it.
func (e *env) readTexts(ctx context.Context, flags ...textFlag) error {
	var reader *textFlag
	for i, f := range flags {
		switch {
		case *f.text == "-" && reader != nil:
			return &usageError{flag: f.name, message: fmt.Sprintf("only one of %s and %s can read standard input", reader.name, f.name)}
		case *f.text == "-":
			reader = &flags[i]
		}
	}
	if reader != nil {
		data, err := e.readStdin(ctx)
		if err != nil {
			return err
		}
		*reader.text = strings.TrimRight(string(workspace.TrimBOM(data)), "\r\n")
	}
	for _, f := range flags {
		if !utf8.ValidString(*f.text) {
			return &workspace.Error{Code: workspace.CodeBadInput, Field: f.name, Message: "is not valid UTF-8"}
		}
	}
	return nil
}
