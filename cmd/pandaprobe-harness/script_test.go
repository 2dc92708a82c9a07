package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Where the tests run under nohup, what they start must not ignore a hangup.
	if strings.Contains(filepath.Base(os.Args[0]), ".test") {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	testscript.Main(m, map[string]func(){programName: main})
}

// TestScripts runs testdata/script: one behaviour each, in a folder and an
// environment of its own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				"HOME": env.WorkDir, "TZ": "Asia/Kolkata", "GIT_CONFIG_NOSYSTEM": "1", "GORACE": "atexit_sleep_ms=0",
				"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com",
			} {
				env.Setenv(name, value)
			}
			return useBuiltProgram(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// builtProgram names a program that was built, for `make release-test`.
const builtProgram = "PANDAPROBE_HARNESS_TEST_BINARY"

// useBuiltProgram lets the scripts run the program that builtProgram names in
// place of the one that is in the test binary.
func useBuiltProgram(env *testscript.Env) error {
	path := os.Getenv(builtProgram)
	if path == "" {
		return nil
	}
	name := filepath.Base(path)
	if strings.TrimSuffix(name, ".exe") != programName {
		return fmt.Errorf("%s: %s is not named %s", builtProgram, path, programName)
	}
	if _, err := exec.LookPath(path); err != nil {
		return fmt.Errorf("%s: %w", builtProgram, err)
	}
	env.Setenv("PATH", filepath.Dir(path)+string(filepath.ListSeparator)+env.Getenv("PATH"))
	return nil
}

// exits runs a program and wants its exit code: exits 2 pandaprobe-harness ...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
