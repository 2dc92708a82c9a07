package platformtest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// Fake is a stand-in that is ready to be called by a test.
type Fake struct {
	Binary string   // path of the program
	State  string   // its state folder
	Env    []string // complete environment for calling it: the test's own, the credentials of a demo project, the scenario
}

// New installs the stand-in, under the name pandaprobe in a folder of its own, with a scenario (JSON). The test binary must call
// ActAsClient in its TestMain.
func New(t testing.TB, scenario string) *Fake {
	t.Helper()
	folder := t.TempDir()
	f := &Fake{Binary: filepath.Join(folder, Name), State: filepath.Join(folder, "state")}
	if runtime.GOOS == "windows" {
		f.Binary += ".exe"
	}
	self, err := os.Executable()
	if err == nil {
		if err = os.Symlink(self, f.Binary); err != nil {
			err = os.Link(self, f.Binary)
		}
	}
	file := filepath.Join(folder, "scenario.json")
	if err = errors.Join(err, os.WriteFile(file, []byte(scenario), 0o644)); err != nil {
		t.Fatal(err)
	}
	f.Env = append(os.Environ(),
		EnvScenario+"="+file, EnvState+"="+f.State, "HOME="+folder, "PANDAPROBE_FORMAT=",
		"PANDAPROBE_ENDPOINT=http://platform.example", "PANDAPROBE_API_KEY=sk_pp_example_0001",
		"PANDAPROBE_PROJECT_NAME=demo-project", "PANDAPROBE_TIMEOUT=",
		"GORACE=atexit_sleep_ms=0", // a program built with the race detector waits for a second at its end
	)
	return f
}

// Calls gives the calls so far, in their order.
func (f *Fake) Calls(t testing.TB) []Call {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.State, "calls.jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var calls []Call
	for line := range bytes.Lines(text) {
		var next Call
		if err := json.Unmarshal(line, &next); err != nil {
			t.Fatalf("calls.jsonl: %v", err)
		}
		calls = append(calls, next)
	}
	return calls
}

// Count says how many of the calls so far were of a command, such as "evals runs get"; "" counts them all.
func (f *Fake) Count(t testing.TB, command string) int {
	t.Helper()
	words, count := strings.Fields(command), 0
	for _, made := range f.Calls(t) {
		args := made.Argv[1:]
		if len(args) > 1 && args[0] == "--format" {
			args = args[2:]
		}
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			count++
		}
	}
	return count
}
