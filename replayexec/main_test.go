//go:build unix

package replayexec

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// helperVariable makes the test binary play a command instead of testing: its
// value names the part, its arguments are the part's.
const helperVariable = "REPLAYEXEC_TEST_HELPER"

var helpers = map[string]func(args []string){
	"run":     runHelper,
	"repeat":  repeatHelper,
	"streams": streamsHelper,
	"detach":  detachHelper,
	"chain":   chainHelper,
	"unmark":  unmarkHelper,
	"nested":  nestedHelper,
}

func TestMain(m *testing.M) {
	if part := os.Getenv(helperVariable); part != "" {
		helpers[part](os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// runHelper runs its arguments through Run and passes the output on.
func runHelper(args []string) {
	out, err := Run(context.Background(), Process{Argv: args, Env: changed(os.Environ(), helperVariable)})
	os.Stdout.Write(out.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(out.ExitCode)
}

// repeatHelper prints as many bytes as its argument says.
func repeatHelper(args []string) {
	n, _ := strconv.Atoi(args[0])
	block := make([]byte, 8<<10)
	for i := range block {
		block[i] = 'x'
	}
	for ; n > 0; n -= len(block) {
		os.Stdout.Write(block[:min(n, len(block))])
	}
}

// helper is a command line that plays part. The part is named by env(1), so that
// it reaches processes whose environment was not made by the test.
func helper(part string, args ...string) []string {
	return append([]string{"/usr/bin/env", helperVariable + "=" + part, testBinary()}, args...)
}

func testBinary() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// sh is a process that gives script to the shell.
func sh(script string, args ...string) Process {
	return Process{Argv: append([]string{"/bin/sh", "-c", script, "sh"}, args...), Env: os.Environ()}
}

func mustRun(t *testing.T, p Process) Output {
	t.Helper()
	out, err := Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func command(argv []string) *exec.Cmd { return exec.Command(argv[0], argv[1:]...) }
