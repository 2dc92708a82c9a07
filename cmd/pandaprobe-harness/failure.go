package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Exit codes (docs/cli.md, "Exit codes"). Interrupted commands end with 128
// plus the number of the signal.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitGate   = 3
)

// Codes of the error document beside those of package workspace (docs/cli.md,
// "Errors").
const (
	codeUsage       = "usage"       // the program was called wrongly
	codeSetup       = "setup"       // a command that is needed cannot be started or refuses its settings
	codeInterrupted = "interrupted" // a signal ended the command
	codeGate        = "gate"        // never in a document: the gate's own document comes
	codeFailed      = "failed"      // anything else
)

// usageError says that the program was called wrongly: nothing was read or
// written.
type usageError struct {
	message string
	flag    string    // the flag concerned, or ""
	help    *helpPage // shown after the message, or nil
}

func (u *usageError) Error() string { return u.message }

func usagef(format string, args ...any) *usageError {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// gateError says that a gate tripped; the normal document was printed.
type gateError struct{ gates []string }

func (g *gateError) Error() string { return "gate tripped: " + strings.Join(g.gates, ", ") }

// reportedError is an error whose JSON document was printed already.
type reportedError struct{ error }

func (r *reportedError) Unwrap() error { return r.error }

// errorDocument is what --json prints when a command fails.
type errorDocument struct {
	OK    bool   `json:"ok"`
	Error detail `json:"error"`
}

// detail is the error object of a JSON document.
type detail struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitzero"`
	Field   string `json:"field,omitempty"`
}

// diagnosis is what an error means to the caller of the program.
type diagnosis struct {
	detail
	exit int
}

// diagnose is the one place that gives errors their exit codes and codes.
func diagnose(ctx context.Context, err error) diagnosis {
	d := diagnosis{detail{Code: codeFailed, Message: oneLine(err.Error())}, exitFailed}
	var located *workspace.Error
	if errors.As(err, &located) {
		d.Code, d.File, d.Line, d.Field = string(located.Code), located.File, located.Line, located.Field
	}
	var (
		usage  *usageError
		gate   *gateError
		setup  *lifecycle.SetupError
		start  *replayexec.StartError
		broken *lifecycle.BrokenFilesError
		held   *workspace.LockHeldError
	)
	signal := caught(ctx)
	switch {
	case errors.As(err, &gate):
		d.Code, d.exit = codeGate, exitGate
	case errors.As(err, &usage):
		d.Code, d.Field, d.exit = codeUsage, usage.flag, exitUsage
	case signal != nil:
		d.detail = detail{Code: codeInterrupted, Message: "interrupted by " + signalName(signal)}
		d.exit = 128 + signalNumber(signal)
	case errors.As(err, &setup), errors.As(err, &start):
		d.Code = codeSetup
	case errors.As(err, &held):
		d.Code = string(workspace.CodeLocked)
	case errors.As(err, &broken):
		d.Code = string(workspace.CodeBrokenFile)
		if errors.As(broken.Files[0], &located) {
			d.File, d.Line, d.Field = located.File, located.Line, located.Field
		}
	}
	return d
}

// diagnose is the same for what is shown: other programs' complaints may hold
// anything.
func (e *env) diagnose(ctx context.Context, err error) diagnosis {
	d := diagnose(ctx, err)
	d.Message, d.Field = e.redacted(d.Message), e.redacted(d.Field)
	return d
}

func oneLine(message string) string {
	return lifecycle.SafeLine(strings.ReplaceAll(strings.TrimSpace(message), "\n", "; "))
}

// ioFailure tells a failure of the system outside the workspace.
func ioFailure(doing string, err error) error {
	return &workspace.Error{Code: workspace.CodeIO, Message: fmt.Sprintf("%s: %v", doing, err), Err: err}
}
