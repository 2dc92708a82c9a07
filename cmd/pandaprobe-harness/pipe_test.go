package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestAClosedPipeEndsNothing: pure output ends quietly, and what has effects
// goes on to its end and keeps its exit code, whichever stream is closed.
func TestAClosedPipeEndsNothing(t *testing.T) {
	for _, test := range []struct {
		name, line string
		closed     string // the stream that nobody reads
		want       int
	}{
		{"pure output", "rule list --json", "stdout", exitDone},
		{"help", "--help", "stdout", exitDone},
		{"effect", "rule add --rule x", "stdout", exitDone},
		{"gate", "validate --fail-on pending", "stdout", exitGate},
		{"failure", "rule show r-9999999999", "stderr", exitFailed},
		{"wrong call", "rule shw", "stderr", exitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := newWorkspace(t, map[string]string{"state/rules/r-0000000001.toml": candidateFile})
			cmd := exec.Command(programName, append(strings.Fields(test.line), "--workspace", root)...)
			var other bytes.Buffer
			cmd.Stdout, cmd.Stderr = &other, &other
			if test.closed == "stdout" {
				cmd.Stdout = closedPipe(t)
			} else {
				cmd.Stderr = closedPipe(t)
			}
			got := exitCode(t, cmd.Run())
			if got != test.want || strings.Contains(other.String(), "pipe") {
				t.Errorf("exit code %d, want %d; on the other stream: %q", got, test.want, other.String())
			}
			if test.name == "effect" && !strings.Contains(call(t, "", "rule", "list", "--workspace", root).stdout, "x\n") {
				t.Error("the rule was not added")
			}
		})
	}
}

func closedPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}
