//go:build unix

package replayexec

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// hanging is far more than anything here takes, and less than a test run allows.
const hanging = 60 * time.Second

func TestRunOutcome(t *testing.T) {
	for _, test := range []struct {
		name, script string
		want         Output
	}{
		{"success", "echo s9", Output{Stdout: []byte("s9\n")}},
		{"exit code", "echo why >&2; exit 7", Output{ExitCode: 7, StderrTail: "why\n"}},
		{"own signal", "kill -SEGV $$", Output{ExitCode: -1, Signal: "SIGSEGV"}},
		{"killed from outside", "kill -KILL $$", Output{ExitCode: -1, Signal: "SIGKILL"}},
		{"answered, then too late", "echo s9; sleep 300", Output{Stdout: []byte("s9\n"), ExitCode: -1, TimedOut: true}},
		{"asked to stop, ends with 0", "trap 'exit 0' TERM; sleep 300 & wait", Output{TimedOut: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := sh(test.script)
			p.Timeout = 300 * time.Millisecond
			got := mustRun(t, p)
			got.Duration = 0
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRunPassesOn(t *testing.T) {
	dir := t.TempDir()
	p := sh(`pwd; echo "$GIVEN"; cat; echo "$@"`, "a b", "c")
	p.Dir, p.Env, p.Stdin = dir, []string{"PATH=" + os.Getenv("PATH"), "GIVEN=yes"}, []byte("input\n")
	if diff := cmp.Diff(dir+"\nyes\ninput\na b c\n", string(mustRun(t, p).Stdout)); diff != "" {
		t.Error(diff)
	}
}

// The limit is on bytes kept: one more is too many, however they come.
func TestRunStdoutLimit(t *testing.T) {
	for _, test := range []struct {
		size int
		over bool
	}{{defaultMaxStdout, false}, {defaultMaxStdout + 1, true}} {
		p := Process{Argv: helper("repeat", strconv.Itoa(test.size))}
		out := mustRun(t, p)
		if len(out.Stdout) != defaultMaxStdout || out.Overflow != test.over {
			t.Errorf("%d bytes: kept %d, overflow %v", test.size, len(out.Stdout), out.Overflow)
		}
	}
	endless := sh("while :; do echo line; done")
	endless.MaxStdout = 10
	if out := mustRun(t, endless); !out.Overflow || string(out.Stdout) != "line\nline\n" || out.Signal != "" {
		t.Errorf("endless output: %+v", out)
	}
}

// What the command itself wrote before it ended counts whole; what comes later,
// from what it left behind, does not, and is not waited for.
func TestRunReadsUpToTheExit(t *testing.T) {
	for range 20 {
		p := sh(`(while kill -0 $$; do :; done; while :; do echo late; done) 2>&1 &
			i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done; echo s9; exit 0`)
		out := mustRun(t, p)
		lines := strings.SplitAfter(string(out.Stdout), "\n")
		if len(lines) < 2001 || lines[2000] != "s9\n" {
			t.Fatalf("%d lines of the command were read", len(lines)-1)
		}
	}
}

func TestRunInputThatNobodyReads(t *testing.T) {
	for _, script := range []string{"exec <&-; echo s9", "echo s9", "head -c 3 >/dev/null; echo s9"} {
		p := sh(script)
		p.Stdin = bytes.Repeat([]byte("x"), 5<<20)
		if out := mustRun(t, p); string(out.Stdout) != "s9\n" || out.ExitCode != 0 {
			t.Errorf("%s: %q, exit code %d", script, out.Stdout, out.ExitCode)
		}
	}
	p := sh("wc -c")
	p.Stdin = bytes.Repeat([]byte("x"), 5<<20)
	if out := mustRun(t, p); strings.TrimSpace(string(out.Stdout)) != strconv.Itoa(5<<20) {
		t.Errorf("all of the input: %q", out.Stdout)
	}
}

// A writer in a pipeline of the command's own must die of SIGPIPE, as anywhere.
func TestRunLeavesSignalsAtTheirDefaults(t *testing.T) {
	p := sh("(while :; do echo y; done; echo survived >&2) | head -n 1")
	p.Timeout = hanging
	if out := mustRun(t, p); string(out.Stdout) != "y\n" || out.TimedOut || strings.Contains(out.StderrTail, "survived") {
		t.Errorf("%+v", out)
	}
}

func TestRunStderr(t *testing.T) {
	var log lockedBuffer
	p := sh(`i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i+1)); done; printf '\377end' >&2`)
	p.Stderr = &log
	out := mustRun(t, p)
	if !strings.HasSuffix(log.String(), "line 1999\n\xffend") || !strings.HasPrefix(log.String(), "line 0\n") {
		t.Errorf("the log has %d bytes", len(log.String()))
	}
	if len(out.StderrTail) > tailSize+2 || len(out.StderrTail) < tailSize/2 {
		t.Errorf("tail of %d bytes", len(out.StderrTail))
	}
	if !strings.HasPrefix(out.StderrTail, "line ") || !strings.HasSuffix(out.StderrTail, "line 1999\n\uFFFDend") {
		t.Errorf("tail %q", out.StderrTail)
	}
}

func TestRunCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := sh("trap 'echo asked >&2; exit 0' TERM; echo ready >&2; sleep 300 & wait")
	log := &onWrite{text: "ready", do: cancel}
	p.Stderr = log
	_, err := Run(ctx, p)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if !strings.Contains(log.String(), "asked") {
		t.Error("it was not asked to stop before it was killed")
	}
	if _, err := Run(ctx, sh("echo started >&2")); !errors.Is(err, context.Canceled) {
		t.Errorf("already canceled: %v", err)
	}
}

// An own session: the terminal of the caller can neither stop nor interrupt it.
func TestRunHasItsOwnSession(t *testing.T) {
	own, err := unix.Getsid(0)
	if err != nil {
		t.Fatal(err)
	}
	out := mustRun(t, Process{Argv: helper("streams")})
	fields := strings.Fields(string(out.Stdout))
	if len(fields) != 3 || fields[0] != fields[1] || fields[0] == strconv.Itoa(own) {
		t.Errorf("pid, session, blocking: %q; our session %d", out.Stdout, own)
	}
	if len(fields) == 3 && fields[2] != "true" {
		t.Error("standard output does not block, which programs do not expect")
	}
}

func streamsHelper([]string) {
	session, _ := unix.Getsid(0)
	flags, _ := unix.FcntlInt(1, unix.F_GETFL, 0)
	os.Stdout.WriteString(strings.Join([]string{
		strconv.Itoa(os.Getpid()), strconv.Itoa(session), strconv.FormatBool(flags&unix.O_NONBLOCK == 0),
	}, " "))
}

// A file that our caller left open in us must not reach the command, which would
// hold it open for as long as it lives.
func TestRunHandsDownNoDescriptor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	path := filepath.Join(t.TempDir(), "inherited")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const list = "for fd in /proc/$$/fd/*; do readlink $fd || :; done"
	show := func(argv []string) string {
		cmd := command(argv)
		cmd.ExtraFiles = []*os.File{file}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if direct := show([]string{"/bin/sh", "-c", list}); !strings.Contains(direct, path) {
		t.Fatalf("the check cannot fail: %s", direct)
	}
	if through := show(helper("run", "/bin/sh", "-c", list)); strings.Contains(through, path) {
		t.Errorf("handed down: %s", through)
	}
}

func TestRunLeaksNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	count := func() [2]int {
		fds, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return [2]int{len(fds), runtime.NumGoroutine()}
	}
	p := sh("sleep 300 & echo s9")
	p.Stdin = make([]byte, 1<<20)
	mustRun(t, p)
	before := count()
	for range 200 {
		mustRun(t, p)
	}
	eventually(t, "files and goroutines are as before", func() bool {
		after := count()
		return after[0] <= before[0] && after[1] <= before[1]
	})
}

func TestRunAtTheSameTime(t *testing.T) {
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			p := sh("sleep 300 & echo " + strconv.Itoa(i))
			out, err := Run(t.Context(), p)
			if want := strconv.Itoa(i) + "\n"; err != nil || string(out.Stdout) != want || out.ExitCode != 0 {
				t.Errorf("%d: %+v, %v", i, out, err)
			}
		})
	}
	group.Wait()
}

// eventually polls what another process, or the scheduler, will bring about.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(hanging); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came true: %s", what)
		}
	}
}

type lockedBuffer struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.String()
}

// onWrite calls do once text has been written to it.
type onWrite struct {
	lockedBuffer
	text string
	do   func()
}

func (w *onWrite) Write(p []byte) (int, error) {
	w.lockedBuffer.Write(p)
	if strings.Contains(w.String(), w.text) {
		w.do()
	}
	return len(p), nil
}
