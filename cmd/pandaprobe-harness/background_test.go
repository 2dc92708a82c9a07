//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endless is a replay that helps, once the file "go" is there.
const endless = `touch replaying; while [ ! -e go ]; do sleep 0.02; done; ` + better

// While a round of long replays is under way, observing goes on, nobody's pipes
// are held, and what is reported meanwhile is judged without a further report.
func TestObserveDuringRound(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(endless, "rule_trial_min_sessions = 2"))
	tr := p.trace()
	t.Cleanup(tr.kill)
	onTrial := p.addRule("older, without a case", "--metric", "n")
	replayed := p.addRule("with a case", "--metric", "m")
	p.addFailure("s-1")
	// The replay ends only with the file "go": whoever waits for the round, or
	// for the end of a pipe that its process holds, hangs here.
	if o := p.observe("live-1", 0.9); !o.ValidationStarted {
		t.Errorf("no round was started: %+v", o)
	}
	until(t, "the replay runs", func() bool { return p.exists("replaying") })
	for n := 2; n <= 4; n++ {
		if o := p.observe(fmt.Sprint("live-", n), 0.9); !o.ValidationStarted {
			t.Errorf("no round will follow: %+v", o)
		}
	}
	if got := p.statusIn(onTrial) + " " + p.statusIn(replayed); got != "candidate candidate" {
		t.Errorf("the rules are %s before the round ended", got)
	}
	checkFails(p, "drain", "--timeout", "50ms")
	p.write("go", "")
	until(t, "both candidates are judged", func() bool { return p.statusIn(onTrial) == "active" && p.statusIn(replayed) == "active" })
	until(t, "no round is wanted", func() bool { return !p.roundWanted() })
	until(t, "no process is left", func() bool { return len(tr.living()) == 0 })
	p.must("drain")
	if log := p.read("state/local/logs/background.log"); strings.Count(log, "promote") != 2 {
		t.Errorf("the log of the background:\n%s", log)
	}
}

func checkFails(p *program, args ...string) {
	p.t.Helper()
	if out := p.run(args...); out.code != exitFailed {
		p.t.Errorf("%q: exit code %d, want %d\n%s", args, out.code, exitFailed, out.stderr)
	}
}

// A background round holds no descriptor of its caller, nor its terminal, nor
// its process group.
func TestBackgroundIsDetached(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(endless))
	tr := p.trace()
	t.Cleanup(tr.kill)
	id := p.addRule("one", "--metric", "m")
	p.addFailure("s-1")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := p.command()
	c.Cmd = exec.Command("sh", "-c", `echo '{"session_id":"s","scores":{"m":0.9}}' | `+programName+` observe; echo done`)
	c.Dir, c.Env, c.WaitDelay = p.dir, p.env, longest
	c.Stdout, c.Stderr = &c.stdout, &c.stderr
	c.ExtraFiles = []*os.File{w} // descriptor 3
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.begin()
	w.Close()
	if out := c.wait(); out.code != 0 || !strings.HasSuffix(out.stdout, "done\n") {
		t.Errorf("exit code %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	r.SetReadDeadline(time.Now().Add(longest))
	if _, err := io.ReadAll(r); err != nil {
		t.Errorf("descriptor 3 is held: %v", err)
	}
	until(t, "the replay runs", func() bool { return p.exists("replaying") })
	// What a terminal does when it is closed.
	if err := syscall.Kill(-c.Process.Pid, syscall.SIGHUP); err != syscall.ESRCH {
		t.Errorf("somebody is left in the caller's process group (%v)", err)
	}
	checkDescriptors(t, tr)
	p.write("go", "")
	until(t, "the candidate is judged", func() bool { return p.statusIn(id) == "active" })
	until(t, "no process is left", func() bool { return len(tr.living()) == 0 })
}

// checkDescriptors looks, where the system shows it, at what the processes of
// the background hold: on 0 nothing, on 1 and 2 a log or a pipe of their own.
func checkDescriptors(t *testing.T, tr tracer) {
	t.Helper()
	for _, pid := range tr.living() {
		for _, fd := range []string{"1", "2"} {
			to, err := os.Readlink(filepath.Join("/proc", fmt.Sprint(pid), "fd", fd))
			if err == nil && strings.HasPrefix(to, "/dev/") && to != os.DevNull {
				t.Errorf("process %d has %s on descriptor %s", pid, to, fd)
			}
		}
	}
}

// In the background an inconclusive replay is not tried again at each report;
// an explicit round always replays, and a change of the rule counts as new.
func TestBackgroundBacksOff(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(`echo x >> replayed; exit 1`))
	id := p.addRule("one", "--metric", "m")
	p.addFailure("s-1")
	attempts := func() int { return len(strings.Fields(p.read("replayed"))) }
	for n := range 3 {
		p.observe(fmt.Sprint("live-", n), 0.9)
		p.must("drain")
	}
	if got := attempts(); got != 1 {
		t.Errorf("replayed %d times in the background, want once", got)
	}
	p.addFailure("s-2")
	p.observe("live-4", 0.9)
	p.must("drain")
	if got := attempts(); got != 3 {
		t.Errorf("replayed %d cases after a case was added, want 1 + 2", got)
	}
	p.validate(nil)
	if l := p.lifecycleOf(id); l.ReplayAttempts != 3 || l.Status != "candidate" {
		t.Errorf("got %+v", l)
	}
}

// A wrong configuration for the background is in its log and stops no report;
// it is told until a round has come to its end.
func TestBackgroundFaultIsTold(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "[replay]\ncommand = ['no-such-program']\n")
	p.addRule("one", "--metric", "m")
	p.addFailure("s-1")
	p.observe("live-1", 0.9)
	const failed = "the last background round failed: "
	if out := p.run("drain"); out.code != 0 || !strings.Contains(out.stderr, failed) || !strings.Contains(out.stderr, "no-such-program") {
		t.Errorf("drain: exit code %d, %s", out.code, out.stderr)
	}
	if log := p.read("state/local/logs/background.log"); !strings.Contains(log, "no-such-program") {
		t.Errorf("the log:\n%s", log)
	}
	report := `{"session_id": "live-2", "scores": {"m": 0.9}}`
	if out := p.pipe(report+"\n"+report, "observe", "--stream"); out.code != 0 || strings.Count(out.stderr, failed) != 1 {
		t.Errorf("observe: exit code %d, %s", out.code, out.stderr)
	}
	if out := p.run("doctor"); !strings.Contains(out.stdout, "warning: "+failed) {
		t.Errorf("doctor: %s", out.stdout)
	}
	p.must("drain")
	p.must("validate", "--", "sh", "-c", better)
	if out := p.run("doctor"); strings.Contains(out.stdout, failed) {
		t.Errorf("doctor after a round: %s", out.stdout)
	}
	kept, _ := json.Marshal(p.sessionRecords())
	if !strings.Contains(string(kept), "live-1") {
		t.Errorf("the report is lost: %s", kept)
	}
}

// Where no round may start in the background, none is wanted either.
func TestNoBackgroundRound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, config string
		args         []string
	}{
		{"flag", "", []string{"--no-validate"}},
		{"auto_validate", "auto_validate = false", nil},
		{"rule_validation", "rule_validation = false", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, "rule_trial_min_sessions = 1\n"+c.config+"\n")
			tr := p.trace()
			id := p.addRule("one", "--metric", "m", "--set", "rule_validation=true")
			if o := p.observe("s-1", 0.9, c.args...); o.ValidationStarted || p.roundWanted() || len(tr.living()) > 0 {
				t.Errorf("a round was started: %+v", o)
			}
			p.must("drain")
			if status := p.statusIn(id); status != "candidate" {
				t.Errorf("the rule is %s", status)
			}
		})
	}
}
