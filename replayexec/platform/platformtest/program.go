// Package platformtest is a stand-in for the external program `pandaprobe`, for tests. It makes no request: what the platform
// would hold and answer comes from a scenario file, and what it remembers between calls lies in a state folder. It speaks JSON
// only and knows the commands that docs/platform.md lists; for anything else, and for a broken scenario, it ends with 70, which
// the real program never does. fixtures/contract holds recordings of the real program that it agrees with byte for byte.
//
// A test binary becomes the stand-in when it is started under the name pandaprobe: call ActAsClient first in TestMain and let
// New install it, or register Main as a testscript command. The scenario format is described at Scenario.
package platformtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Name is the name of the program that the stand-in replaces.
const Name = "pandaprobe"

// The environment variables of the stand-in itself: the scenario file, and the folder for its state (made when missing; needed
// for `evals runs batch`). Every call is appended to calls.jsonl there; see Call.
const (
	EnvScenario = "FAKE_PANDAPROBE_SCENARIO"
	EnvState    = "FAKE_PANDAPROBE_STATE"
)

// exitCannot says that the stand-in cannot imitate what was asked.
const exitCannot = 70

// errHelp stands for the help text, which the real program prints with exit status 0.
var errHelp = errors.New("help")

// cannot is what the stand-in cannot imitate, or what is wrong with its scenario.
type cannot string

func (c cannot) Error() string { return string(c) }

func cannotf(format string, args ...any) error { return cannot(fmt.Sprintf(format, args...)) }

// program is one call of the stand-in.
type program struct {
	args   []string
	env    []string
	folder string
	stdout io.Writer
	stderr io.Writer
	sleep  func(time.Duration)
	noted  bool // the call stands in calls.jsonl already
}

// Main acts as `pandaprobe ARGS...` in the environment env ("NAME=value" each) and gives the exit status.
func Main(args, env []string, stdout, stderr io.Writer) int {
	p := &program{args: args, env: env, stdout: stdout, stderr: stderr, sleep: time.Sleep}
	return p.run()
}

// ActAsClient makes this process the stand-in and never returns when it was started under the name pandaprobe; otherwise it does
// nothing.
func ActAsClient() {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == Name {
		os.Exit(Main(os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
	}
}

func (p *program) run() int {
	p.folder = p.getenv(EnvState)
	code := p.print(p.execute())
	if err := p.note(code); err != nil {
		fmt.Fprintf(p.stderr, "fake pandaprobe: %v\n", err)
		return exitCannot
	}
	return code
}

// print writes a result or a failure as the real program does, and gives its exit status.
func (p *program) print(result any, err error) int {
	var failed *failure
	var said *spoken
	switch {
	case err == nil:
		p.stdout.Write(render(result))
		return 0
	case errors.Is(err, errHelp):
		io.WriteString(p.stdout, "Usage:\n  pandaprobe [command]\n")
		return 0
	case errors.As(err, &said):
		io.WriteString(p.stdout, said.stdout)
		io.WriteString(p.stderr, said.stderr)
		return said.code
	case errors.As(err, &failed):
		p.stderr.Write(render(failed.document()))
		return failed.code
	}
	fmt.Fprintf(p.stderr, "fake pandaprobe: %v\n", err)
	return exitCannot
}

func (p *program) execute() (any, error) {
	line, err := parseLine(p.args)
	if err != nil {
		return nil, err
	}
	have, err := p.settings(line)
	if err != nil {
		return nil, err
	}
	return commands[line.command].run(&request{program: p, line: line, have: have})
}

// getenv gives a variable of the call's environment; of a repeated one the last counts.
func (p *program) getenv(name string) string {
	value := ""
	for _, entry := range p.env {
		if n, v, ok := strings.Cut(entry, "="); ok && n == name {
			value = v
		}
	}
	return value
}
