//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A process that is killed holds no lock, and what stands in a lock file never
// blocks.
func TestDeadHolders(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	tr := p.trace()
	t.Cleanup(tr.kill)
	p.addFailure("s-1")
	id := p.addRule("one", "--metric", "m")
	p.run("validate", "--", "true") // makes the round's lock file
	for _, lock := range p.files("state/local/*.lock") {
		p.write(lock, `{"pid":1}`)
	}
	p.addRule("two")

	killed := p.command(append([]string{"validate"}, shell("touch started; sleep "+string(tr))...)...).begin()
	until(t, "the replay runs", func() bool { return p.exists("started") })
	killed.Process.Kill()
	killed.Wait()
	round := p.validate([]string{"--wait", "20s", "--", "sh", "-c", `echo '{"session_id":"n1","scores":{"m":0.9}}'`})
	if round.Checked != 2 {
		t.Errorf("the next round judged %d candidates, want 2: %+v", round.Checked, round)
	}
	if l := p.lifecycleOf(id); l.Status != "active" || l.ReplayAttempts != 1 {
		t.Errorf("the killed round counted: %+v", l)
	}
	p.addRule("three")
}

// A live holder is named, and the wait for it is bounded.
func TestLiveHolders(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	tr := p.trace()
	p.addRule("one", "--metric", "m")
	p.addFailure("s-1")
	p.write("state/local/write.lock", `{"pid":1}`)
	f, err := os.OpenFile(filepath.Join(p.dir, "state", "local", "write.lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	var failed struct {
		Error struct{ Code, Message string }
	}
	out := p.ask(&failed, "", []string{"rule", "add", "--rule", "two", "--lock-timeout", "100ms"}, exitFailed)
	if out.code != exitFailed || failed.Error.Code != "locked" {
		t.Errorf("exit code %d, code %q", out.code, failed.Error.Code)
	}
	checkHolder(t, failed.Error.Message, os.Getpid(), "100ms")
	syscall.Flock(int(f.Fd()), syscall.LOCK_UN)

	round := p.command(append([]string{"validate"}, shell("touch started; sleep "+string(tr))...)...).begin()
	until(t, "the replay runs", func() bool { return p.exists("started") })
	out = p.ask(&failed, "", []string{"validate", "--wait", "100ms"}, exitFailed)
	if out.code != exitFailed || failed.Error.Code != "locked" {
		t.Errorf("exit code %d, code %q", out.code, failed.Error.Code)
	}
	checkHolder(t, failed.Error.Message, round.Process.Pid, "100ms")
	if strings.Contains(failed.Error.Message, "lock-timeout") {
		t.Errorf("names the wrong flag: %s", failed.Error.Message)
	}
	round.Process.Signal(syscall.SIGTERM)
	round.wait()
	tr.checkGone(t)
}

// checkHolder wants the process named where the system tells it, and never
// another one.
func checkHolder(t *testing.T, message string, pid int, waited string) {
	t.Helper()
	named := strings.Contains(message, fmt.Sprintf("process %d (", pid))
	if _, err := os.Stat("/proc/locks"); err == nil && !named {
		t.Errorf("does not name process %d: %s", pid, message)
	}
	if !named && strings.Contains(message, "process ") && !strings.Contains(message, "another process") {
		t.Errorf("names another process than %d: %s", pid, message)
	}
	if !strings.Contains(message, waited) {
		t.Errorf("does not say how long it waited: %s", message)
	}
}

// A second `validate` waits for the first, says for whom, and finds nothing
// left to do.
func TestTwoRoundsAtOnce(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(`echo "$HARNESS_RULE_ID" >> replayed; while [ ! -e go ]; do sleep 0.02; done; `+better))
	p.addFailure("s-1")
	var want []string
	for i := range 3 {
		want = append(want, p.addRule(fmt.Sprint("rule ", i), "--metric", "m"))
	}
	first := p.command("validate", "--json").begin()
	until(t, "the first round replays", func() bool { return p.exists("replayed") })
	second := p.command("validate", "--json")
	said, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	second.Stderr = said
	second.begin()
	until(t, "the second round says that it waits", func() bool {
		text, _ := os.ReadFile(said.Name())
		return strings.Contains(string(text), "waiting for the round of") && strings.HasSuffix(string(text), "\n")
	})
	text, _ := os.ReadFile(said.Name())
	checkNamed(t, string(text), first.Process.Pid)
	p.write("go", "")
	var rounds [2]roundAnswer
	for i, c := range []*process{first, second} {
		out := c.wait()
		p.decode(out.stdout, &rounds[i])
		if out.code != 0 {
			t.Errorf("exit code %d\n%s", out.code, out.stderr)
		}
	}
	if rounds[0].Checked != 3 || rounds[1].Checked != 0 {
		t.Errorf("judged %d and %d candidates, want 3 and 0", rounds[0].Checked, rounds[1].Checked)
	}
	if diff := cmp.Diff(want, strings.Fields(p.read("replayed"))); diff != "" {
		t.Errorf("candidates replayed (-want +got):\n%s", diff)
	}
}

// checkNamed wants the process named on systems that tell who holds a lock.
func checkNamed(t *testing.T, text string, pid int) {
	t.Helper()
	if _, err := os.Stat("/proc/locks"); err == nil && !strings.Contains(text, fmt.Sprintf("process %d (", pid)) {
		t.Errorf("does not name process %d: %s", pid, text)
	}
}
