//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// interruptedRound is a round of two candidates, of which the second is under
// way when the signal comes.
type interruptedRound struct {
	*process
	*program
	tracer
	signal        syscall.Signal
	first, second string
	before        map[string]string // the state when the signal came
}

func newInterruptedRound(t *testing.T, signal syscall.Signal) *interruptedRound {
	const script = `test "$HARNESS_RULE_ID" = "$(cat first)" && { echo '{"session_id":"n1","scores":{"m":0.9}}'; exit; }
echo partial; trap "" TERM; setsid sleep LONG & (trap "" TERM; sleep LONG) & touch started; sleep LONG`
	p := newProgram(t, "")
	r := &interruptedRound{program: p, tracer: p.trace(), signal: signal}
	p.addFailure("s-1")
	r.first, r.second = p.addRule("one", "--metric", "m"), p.addRule("two", "--metric", "m")
	p.write("first", r.first)
	r.process = p.command(append([]string{"validate", "--json"}, shell(strings.ReplaceAll(script, "LONG", string(r.tracer)))...)...).begin()
	return r
}

// A signal in mid-round: what was decided stays, of the candidate under way
// nothing is recorded, no process is left.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	var rounds []*interruptedRound
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		rounds = append(rounds, newInterruptedRound(t, signal))
	}
	for _, r := range rounds {
		until(t, "the second candidate is replayed", func() bool { return r.exists("started") })
		r.before = r.tree()
		r.Process.Signal(r.signal)
	}
	for _, r := range rounds {
		t.Run(r.signal.String(), r.check)
	}
}

func (r *interruptedRound) check(t *testing.T) {
	out := r.wait()
	r.checkGone(t)
	if want := 128 + int(r.signal); out.code != want {
		t.Errorf("exit code %d, want %d\n%s", out.code, want, out.stderr)
	}
	if diff := cmp.Diff(r.before, r.tree()); diff != "" {
		t.Errorf("the state changed after the signal:\n%s", diff)
	}
	var round roundAnswer
	r.decode(out.stdout, &round)
	if round.OK || round.Error.Code != "interrupted" || len(round.Verdicts) != 1 || round.Verdicts[0].RuleID != r.first {
		t.Errorf("document: %+v", round)
	}
	first, second := r.lifecycleOf(r.first), r.lifecycleOf(r.second)
	if first.Status != "active" || second.Status != "candidate" || second.ReplayAttempts != 0 {
		t.Errorf("first %+v, second %+v", first, second)
	}
	if left, _ := os.ReadDir(filepath.Join(r.dir, "..", "tmp")); len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v", left)
	}
}
