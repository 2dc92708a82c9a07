package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// consoleStep is one command of a page and what it must print.
type consoleStep struct{ command, output string }

// consoleSteps takes the console blocks of a page apart: a line that begins with
// "$ " is a command, what follows is its output.
func consoleSteps(page string) (steps []consoleStep) {
	for i, block := range strings.Split(page, "```console\n") {
		if i == 0 {
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				steps = append(steps, consoleStep{command: strings.TrimSuffix(command, "\n")})
			} else {
				steps[len(steps)-1].output += line
			}
		}
	}
	return steps
}

// TestCalibrationPageRuns pastes the commands of docs/calibration.md into one
// shell, one after the other, and holds what they print against the page.
func TestCalibrationPageRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the page is for a POSIX shell")
	}
	page, err := os.ReadFile("../../docs/calibration.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := consoleSteps(string(page))
	if len(steps) < 8 {
		t.Fatalf("only %d commands were found", len(steps))
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "fixtures", "calibration"), os.DirFS("../../fixtures/calibration")); err != nil {
		t.Fatal(err)
	}
	// A mark between the commands tells their outputs apart, and one shell keeps
	// the folder that they stand in.
	const mark = "=== next command ==="
	var script strings.Builder
	script.WriteString("exec 2>&1\n")
	for _, step := range steps {
		script.WriteString(step.command + "\necho '" + mark + "'\n")
	}
	shell := exec.Command("sh", "-c", script.String())
	shell.Dir = folder
	shell.Env = append(os.Environ(), "HOME="+folder, "HARNESS_ROOT=")
	out, err := shell.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	outputs := strings.Split(string(out), mark+"\n")
	if len(outputs) != len(steps)+1 {
		t.Fatalf("%d outputs of %d commands:\n%s", len(outputs)-1, len(steps), out)
	}
	for i, step := range steps {
		if diff := cmp.Diff(step.output, outputs[i]); diff != "" {
			t.Errorf("$ %s (-page +program):\n%s", step.command, diff)
		}
	}
	if st, err := os.Stat(filepath.Join(folder, "my-traffic", "report.svg")); err != nil || st.Size() == 0 {
		t.Errorf("there is no picture: %v", err)
	}
}
