package replayexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	shortLimit = 300 * time.Millisecond
	shortGrace = 500 * time.Millisecond
)

// tagged gives a number of seconds to sleep, by which a test knows its processes.
func tagged() string { return "3000." + strconv.Itoa(1e8+rand.IntN(9e8)) }

// processesWith lists the living processes that have tag among their arguments.
func processesWith(tag string) []int {
	var pids []int
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, _ := os.ReadFile(file)
		pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
		if bytes.Contains(line, []byte(tag)) && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// mustBeGone fails when a process with tag lives, or a child of ours is left
// that was not there before.
func mustBeGone(t *testing.T, tag string, before []int) {
	t.Helper()
	if left := processesWith(tag); len(left) > 0 {
		t.Errorf("left alive: %v", left)
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	for _, pid := range scanChildren(os.Getpid()) {
		if !slices.Contains(before, pid) {
			t.Errorf("process %d is left as our child", pid)
		}
	}
}

// escapes are ways out of a process group: command lines that leave at least one
// process behind, which sleeps for tag seconds.
func escapes(tag string) map[string][]string {
	sleep := []string{"/bin/sleep", tag}
	deaf := []string{"/bin/sh", "-c", "trap '' TERM HUP INT; while :; do sleep " + tag + "; done"}
	return map[string][]string{
		"background":              {"/bin/sh", "-c", "sleep " + tag + " &"},
		"own session":             detached(1, sleep...),
		"double fork":             detached(2, sleep...),
		"five sessions":           detached(5, sleep...),
		"deaf to SIGTERM":         detached(2, deaf...),
		"job control":             {"/bin/sh", "-c", "set -m; sleep " + tag + " & sleep " + tag + " &"},
		"fork chain":              helper("chain", "3000", tag),
		"fork chain, detached":    detached(2, helper("chain", "3000", tag)...),
		"mark taken off":          helper("unmark", sleep...),
		"environment taken off":   detached(2, "/usr/bin/env", "-i", "/bin/sleep", tag),
		"runner inside, killed":   helper("nested", "/bin/sh", "-c", "sleep "+tag+" & echo ready >&2; wait"),
		"runner inside, detached": helper("nested", detached(1, "/bin/sh", "-c", "echo ready >&2; sleep "+tag)...),
	}
}

// detached is a command line that detaches argv, as often as times says.
func detached(times int, argv ...string) []string {
	for range times {
		argv = helper("detach", argv...)
	}
	return argv
}

func TestRunKillsWhatIsLeftBehind(t *testing.T) {
	tag := tagged()
	for name, argv := range escapes(tag) {
		t.Run(name, func(t *testing.T) {
			before := scanChildren(os.Getpid())
			out := mustRun(t, Process{Argv: argv, Env: os.Environ(), Timeout: hanging})
			mustBeGone(t, tag, before)
			if out.TimedOut || len(out.Survivors) > 0 {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestRunKillsTheTreeAtTheLimit(t *testing.T) {
	tag := tagged()
	for name, argv := range escapes(tag) {
		t.Run(name, func(t *testing.T) {
			before := scanChildren(os.Getpid())
			p := sh(`"$@"; sleep `+tag, argv...)
			p.Timeout, p.Grace = shortLimit, shortGrace
			out := mustRun(t, p)
			mustBeGone(t, tag, before)
			if !out.TimedOut || len(out.Survivors) > 0 {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestRunKillsTheTreeWhenCanceled(t *testing.T) {
	tag := tagged()
	for name, argv := range escapes(tag) {
		t.Run(name, func(t *testing.T) {
			before := scanChildren(os.Getpid())
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p := sh(`"$@"; echo canceled >&2; sleep `+tag, argv...)
			p.Grace, p.Stderr = shortGrace, &onWrite{text: "canceled", do: cancel}
			if _, err := Run(ctx, p); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			mustBeGone(t, tag, before)
		})
	}
}

// TestR04 has the five commands of a report about a time limit that passed while
// a grandchild kept the pipe; both kinds of command must stand them.
func TestR04GrandchildKeepsThePipe(t *testing.T) {
	tag := tagged()
	for _, test := range []struct {
		script   string
		deaf     bool
		answered bool
	}{
		{script: `sleep SECONDS & echo '{"session_id":"s9","scores":{"m":0.9}}'; sleep SECONDS`},
		{script: `sleep SECONDS & echo ANSWER; exit 0`, answered: true},
		{script: `trap "" TERM; sleep SECONDS`, deaf: true},
		{script: `setsid sleep SECONDS & sleep SECONDS`},
		{script: `sleep SECONDS 2>&1 | cat`},
	} {
		if strings.HasPrefix(test.script, "setsid") {
			mustHave(t, "setsid")
		}
		script := strings.ReplaceAll(test.script, "SECONDS", tag)
		r := Replayer{Dir: t.TempDir(), Env: os.Environ(), Timeout: shortLimit, Grace: shortGrace}
		check := func(t *testing.T, run func() error) {
			before, began := scanChildren(os.Getpid()), time.Now()
			err := run()
			mustBeGone(t, tag, before)
			if took := time.Since(began); took > r.Timeout+r.Grace+hanging/4 {
				t.Errorf("it took %v", took)
			}
			var fault *Inconclusive
			if test.answered && err != nil || !test.answered && (!errors.As(err, &fault) || fault.Code != TimedOut) {
				t.Errorf("error %v", err)
			}
		}
		t.Run("replay: "+test.script, func(t *testing.T) {
			r.Command.Argv = []string{"sh", "-c", strings.ReplaceAll(script, "ANSWER", "s9")}
			check(t, func() error {
				answer, err := r.Replay(t.Context(), Request{}, "c-1", "failure")
				if test.answered && answer.SessionID != "s9" {
					t.Errorf("session %q", answer.SessionID)
				}
				return err
			})
		})
		t.Run("score: "+test.script, func(t *testing.T) {
			r.Command.Argv = []string{"sh", "-c", strings.ReplaceAll(script, "ANSWER", `'{"m": 0.5}'`)}
			check(t, func() error {
				scores, err := Scorer(r).Score(t.Context(), "s9")
				if test.answered && scores["m"] != 0.5 {
					t.Errorf("scores %v", scores)
				}
				return err
			})
		})
	}
}

// Whoever else starts processes here keeps them: living, and to be waited for.
func TestRunSparesOtherChildren(t *testing.T) {
	tag, sign := tagged(), filepath.Join(t.TempDir(), "go")
	start := func(argv []string, attributes *syscall.SysProcAttr, env []string) *exec.Cmd {
		cmd := command(argv)
		cmd.SysProcAttr, cmd.Env = attributes, env
		if err := cmd.Start(); err != nil {
			t.Error(err)
		}
		return cmd
	}
	var others []*exec.Cmd
	sleep := []string{"/bin/sleep", tag}
	others = append(others, start(sleep, nil, nil))
	p := sh("sleep "+tagged()+" & echo ready >&2; while [ ! -e "+sign+" ]; do sleep 0.01; done", "")
	p.Timeout = hanging
	p.Stderr = &onWrite{text: "ready", do: func() {
		others = append(others,
			start(sleep, nil, nil),
			start(sleep, &syscall.SysProcAttr{Setpgid: true}, nil),
			start(sleep, &syscall.SysProcAttr{Setsid: true}, []string{}),
		)
		orphaned := start(detached(1, sleep...), nil, nil)
		if err := orphaned.Wait(); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(sign, nil, 0o600); err != nil {
			t.Error(err)
		}
	}}
	mustRun(t, p)
	if alive := processesWith(tag); len(alive) != len(others)+1 {
		t.Errorf("%d of %d processes of others are alive", len(alive), len(others)+1)
	}
	for _, pid := range processesWith(tag) {
		syscall.Kill(pid, syscall.SIGTERM)
	}
	for i, cmd := range others {
		if err := cmd.Wait(); fmt.Sprint(err) != "signal: terminated" {
			t.Errorf("process %d: %v", i, err)
		}
	}
	for _, pid := range scanChildren(os.Getpid()) { // the orphan, which became ours for good
		unix.Wait4(pid, nil, unix.WNOHANG, nil)
	}
}

// Orphans of others must not stay ours when nothing is running.
func TestRunResignsAsSubreaper(t *testing.T) {
	mustRun(t, sh("exit 0"))
	if out, err := exec.Command("/bin/sh", "-c", "sleep "+tagged()+" >/dev/null 2>&1 & echo $!").Output(); err != nil {
		t.Fatal(err)
	} else {
		pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
		defer syscall.Kill(pid, syscall.SIGKILL)
		if slices.Contains(scanChildren(os.Getpid()), pid) {
			t.Error("an orphan became our child after the run")
		}
	}
}

func TestChildrenAgree(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", "sleep "+tagged()+" & echo ready; wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	pipe.Read(make([]byte, 1))
	read, scanned := children(cmd.Process.Pid), scanChildren(cmd.Process.Pid)
	if len(read) != 1 || !slices.Equal(read, scanned) {
		t.Errorf("listed %v, scanned %v", read, scanned)
	}
}

func TestMarks(t *testing.T) {
	sleeping := func() (pid int) {
		cmd := exec.Command("/bin/sleep", tagged())
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd.Process.Pid
	}
	outer, other, own := newMark(), newMark(), markOf(0)
	inner := outer&^innerHalf | 7
	var inOuter, inInner int
	outer.during(func() { inOuter = sleeping() })
	inner.during(func() { inInner = sleeping() })
	for _, test := range []struct {
		mark mark
		pid  int
		want bool
	}{
		{outer, inOuter, true}, {outer, inInner, true}, {inner, inInner, true}, {inner, inOuter, false},
		{other, inOuter, false}, {other, inInner, false}, {outer, sleeping(), false},
	} {
		if got := test.mark.isOn(test.pid); got != test.want {
			t.Errorf("mark %x on a process with %x: %v", test.mark, markOf(test.pid), got)
		}
	}
	if markOf(0) != own {
		t.Error("the mark stayed on this process")
	}
}

// Another start in the moment of ours gets the mark, but is not taken for it.
func TestMembersAreNotOfOurSession(t *testing.T) {
	m := newMembers()
	defer m.release()
	cmd := exec.Command("/bin/sleep", tagged())
	m.mark.during(func() {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	})
	defer cmd.Wait()
	defer cmd.Process.Kill()
	if pid := cmd.Process.Pid; !m.mark.isOn(pid) || m.owns(pid) {
		t.Errorf("mark %v, owned %v", m.mark.isOn(pid), m.owns(pid))
	}
}

func mustHave(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("this system has no %s", program)
	}
}
