package replayexec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// StartError says that a command could not be started at all: not found, not
// executable, a folder that is not there. It is a fault of the set-up and says
// nothing about what was to be tested (docs/replay.md).
type StartError struct {
	Name       string // the program or shell command that was to be started
	Err        error  // why it was not
	StderrTail string // what the shell said, when it was the shell that found the fault
}

func (e *StartError) Error() string { return fmt.Sprintf("cannot start %q: %v", e.Name, e.Err) }

// Unwrap gives the cause.
func (e *StartError) Unwrap() error { return e.Err }

// startError puts into words what the system says in one errno for several
// faults: "no such file" may be the folder or a script's interpreter.
func startError(p Process, err error) *StartError {
	name := p.Argv[0]
	if _, statErr := os.Stat(p.Dir); p.Dir != "" && statErr != nil {
		return &StartError{Name: name, Err: fmt.Errorf("working folder: %w", statErr)}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &StartError{Name: name, Err: fmt.Errorf("the interpreter that its first line names, or its loader, is missing: %w", err)}
	}
	return &StartError{Name: name, Err: err}
}
