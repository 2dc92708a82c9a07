//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"
)

// roundWanted looks for the marks of a round that is asked for or under way.
func (p *program) roundWanted() bool { return len(p.files("state/local/marks/round_*")) > 0 }

// Reports that are handled while a round ends: each candidate is judged in the
// end, whoever observed it when, and no mark stays behind.
func TestNoWakeUpIsLost(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, "rule_trial_min_sessions = 2\nmax_active_rules = 0\n")
			tr := p.trace()
			for i := range 50 {
				hammerOnce(p, i)
			}
			until(t, "no process is left", func() bool { return len(tr.living()) == 0 })
		})
	}
}

// hammerOnce lets a report come in at about the time at which the round begins
// or ends that the report before it had started. The candidate needs both.
func hammerOnce(p *program, i int) {
	p.t.Helper()
	id := p.addRule(fmt.Sprint("rule ", i), "--metric", "m")
	report := func(n int) *process {
		c := p.command("observe")
		c.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s-%d-%d","scores":{"m":0.9}}`, i, n))
		return c.begin()
	}
	first := report(1)
	if i%2 == 0 {
		first.wait()
	}
	time.Sleep(rand.N(20 * time.Millisecond)) // not to wait: to meet every moment of the round
	second := report(2)
	var drain *process
	if i%3 == 0 { // others that look at the locks must not hide who waits
		drain = p.command("drain", "--timeout", fmt.Sprint(rand.N(10*time.Millisecond))).begin()
	}
	if i%2 != 0 {
		first.wait()
	}
	second.wait()
	for _, c := range []*process{first, second} {
		if !c.ProcessState.Success() {
			p.t.Errorf("observe: %s\n%s", c.ProcessState, &c.stderr)
		}
	}
	if drain != nil {
		drain.wait()
	}
	what := fmt.Sprintf("rule %s is judged and no round is wanted (time %d)", id, i)
	until(p.t, what, func() bool { return p.statusIn(id) == "active" && !p.roundWanted() })
}

// After `drain` nothing is wanted, also when the process that ran the round was
// killed in its midst.
func TestDrainRunsWhatIsWanted(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(endless))
	tr := p.trace()
	t.Cleanup(tr.kill)
	id := p.addRule("one", "--metric", "m")
	p.addFailure("s-1")
	p.observe("live-1", 0.9)
	until(t, "the replay runs", func() bool { return p.exists("replaying") })
	until(t, "no process is left", func() bool { tr.kill(); return len(tr.living()) == 0 })
	if !p.roundWanted() || p.statusIn(id) != "candidate" {
		t.Errorf("the mark is gone with the process; the rule is %s", p.statusIn(id))
	}
	p.write("go", "")
	p.must("drain")
	if p.roundWanted() || p.statusIn(id) != "active" {
		t.Errorf("after drain the rule is %s", p.statusIn(id))
	}
}

// A stream calls for a round whenever its reports do, not just the first time.
func TestAStreamWakesRoundAfterRound(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "rule_trial_min_sessions = 1\n")
	tr := p.trace()
	t.Cleanup(tr.kill)
	c := p.converse("observe", "--stream", "--json")
	for i := range 2 {
		id := p.addRule(fmt.Sprint("rule ", i), "--metric", "m")
		c.say(`{"session_id":"s-%d","scores":{"m":0.9}}`, i)
		c.hear()
		until(t, fmt.Sprintf("rule %d is judged and no round is wanted", i), func() bool { return p.statusIn(id) == "active" && !p.roundWanted() })
	}
	c.Process.Signal(syscall.SIGTERM)
	c.ended()
	until(t, "no process is left", func() bool { return len(tr.living()) == 0 })
}
