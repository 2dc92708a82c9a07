//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
)

// TestAStuckWriterIsNamedAndADeadOneIsForgotten stops a writer while it has the
// write lock.
func TestAStuckWriterIsNamedAndADeadOneIsForgotten(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "auto_validate = false\ncircuit_breaker_max_notices = 0\n")
	stuck := p.stopHoldingTheLock()
	out := p.run("rule", "add", "--rule", "x", "--json", "--lock-timeout", "100ms")
	if out.code != exitFailed || !strings.Contains(out.stdout, `"code": "locked"`) || !strings.Contains(out.stdout, "after 100ms") {
		t.Errorf("exit code %d: %s", out.code, out.stdout)
	}
	who := fmt.Sprintf("process %d (%s observe --stream", stuck.Process.Pid, stuck.Path)
	if runtime.GOOS == "linux" && !strings.Contains(out.stderr, who) {
		t.Errorf("want %q in %q", who, out.stderr)
	}
	for _, reader := range []string{"context", "rule list", "journal -n 1", "notice list", "config", "doctor"} {
		if out := p.run(strings.Fields(reader)...); strings.Contains(out.stderr, "held by") || reader != "doctor" && out.code != 0 {
			t.Errorf("%s waits for the lock: exit code %d, %s", reader, out.code, out.stderr)
		}
	}
	stuck.Process.Kill()
	stuck.Wait()
	if out := p.run("rule", "add", "--rule", "x", "--lock-timeout", "10s"); out.code != 0 {
		t.Errorf("the lock of a dead process: %s", out.stderr)
	}
}

// stopHoldingTheLock stops a stream again and again until it stands still with
// the write lock.
func (p *program) stopHoldingTheLock() *process {
	p.t.Helper()
	c := p.command("observe", "--stream")
	c.Stdout = nil
	in, err := c.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	answers, err := c.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	c.begin()
	p.t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	go func() {
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(in, `{"session_id": "s-%d", "scores": {"m": 0.%d}}`+"\n", i%5, 1+i%8); err != nil {
				return // it was killed
			}
		}
	}()
	first := bufio.NewReader(answers)
	if _, err := first.ReadString('\n'); err != nil {
		p.t.Fatal(err)
	}
	go io.Copy(io.Discard, first)
	until(p.t, "a stream stands still with the write lock", func() bool {
		c.Process.Signal(syscall.SIGSTOP)
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(c.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
			p.t.Fatalf("the stream did not stop: %v", err)
		}
		lock := flock.New(filepath.Join(p.dir, "state", "local", "write.lock"))
		if free, err := lock.TryLock(); err == nil && !free {
			return true
		}
		lock.Unlock()
		c.Process.Signal(syscall.SIGCONT)
		return false
	})
	return c
}
