package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A round in which nothing could be evaluated says so, and retires nothing for
// lack of improvement.
func TestNothingEvaluated(t *testing.T) {
	t.Parallel()
	scored := func(script string) string {
		return "[score]\ncommand = ['sh', '-c', '''" + script + "''']\n"
	}
	for _, c := range []struct {
		name, config string
		command      []string
		code         string // of the case
	}{
		{"crash", "", shell("exit 7"), "exit_nonzero"},
		{"signal", "", shell("kill -SEGV $$"), "killed_by_signal"},
		{"no output", "", []string{"--", "true"}, "no_session_id"},
		{"not JSON", "", shell(`echo '{"session_id": "s9"'`), "bad_answer"},
		{"scorer fails", scored("echo 'HTTP 503' >&2; exit 1"), shell("echo s9"), "scorer_failed"},
		{"scorer gives none", scored("echo '{}'"), shell("echo s9"), "no_scores"},
		{"scorer gives null", scored(`echo '{"m": null}'`), shell("echo s9"), "no_scores"},
		{"scorer is out of range", scored(`echo '{"m": 1.5}'`), shell("echo s9"), "bad_scores"},
		{"NaN", "", shell(`echo '{"session_id": "s9", "scores": {"m": NaN}}'`), "bad_scores"},
		{"out of range", "", shell(`echo '{"session_id": "s9", "scores": {"m": 1.5}}'`), "bad_scores"},
		{"other metric", "", shell(`echo '{"session_id": "s9", "scores": {"n": 0.5}}'`), "no_scores"},
		{"own session", scored(`echo '{"m": 0.9}'`), shell("echo s-1"), "own_session"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, c.config)
			p.addFailure("s-1")
			id := p.addRule("one", "--metric", "m")
			round := p.validate(c.command)
			v := round.Verdicts[0]
			if v.Outcome != "pending" || v.Validator != "replay" || v.ReasonCode != "inconclusive" || v.Details.Inconclusive != 1 || v.Reason == "" {
				t.Errorf("got %+v", v)
			}
			if got := v.Details.Cases[0].ReasonCode; got != c.code {
				t.Errorf("the case is %q, want %q", got, c.code)
			}
			gated := p.validate(append([]string{"--fail-on", "inconclusive"}, c.command...), exitGate)
			if diff := cmp.Diff([]string{"inconclusive"}, gated.Gate); diff != "" {
				t.Errorf("gate (-want +got):\n%s", diff)
			}
			if l := p.lifecycleOf(id); l.Status != "candidate" || l.ReplayAttempts != 2 {
				t.Errorf("got %+v, want a candidate after 2 attempts", l)
			}
		})
	}
}

// A regression of the win decides although every failure crashed.
func TestWinRegressesBesideCrashes(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.addFailure("s-1")
	win := p.addCase("win", "s-2", "--score", "n=0.9")
	id := p.addRule("one", "--metric", "m")
	round := p.validate(shell(`test "$HARNESS_CASE_KIND" = win || exit 1; echo '{"session_id":"s9","scores":{"m":0.9,"n":0.2}}'`))
	v := round.Verdicts[0]
	if v.Outcome != "retire" || v.ReasonCode != "regression" || v.Details.Inconclusive != 1 {
		t.Errorf("got %+v", v)
	}
	for _, part := range []string{win, "n", "-0.7"} {
		if !strings.Contains(v.Reason, part) {
			t.Errorf("the reason does not name %s: %s", part, v.Reason)
		}
	}
	if l := p.lifecycleOf(id); l.Status != "retired" || l.ReplayAttempts != 0 {
		t.Errorf("got %+v", l)
	}
}

// A fault of the set-up is said once, before any case is tried, and counts as
// no attempt.
func TestSetupFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, config string
		command      []string
	}{
		{"no such file", "", []string{"--", "/no/such/file"}},
		{"not on the path", "", []string{"--", "no-such-program"}},
		{"not executable", "", []string{"--", "./harness.toml"}},
		{"a folder", "", []string{"--", "./state"}},
		{"configured", "[replay]\ncommand = ['no-such-program']\n", nil},
		{"in a shell string", "[replay]\ncommand = 'no-such-program --fast'\n", nil},
		{"the scorer", "[score]\ncommand = ['no-such-program']\n", shell("touch replayed; echo s9")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, c.config)
			p.addFailure("s-1")
			id, other := p.addRule("one", "--metric", "m"), p.addRule("two", "--metric", "m")
			var failed roundAnswer
			out := p.ask(&failed, "", append([]string{"validate", "--fail-on", "inconclusive,pending"}, c.command...), exitFailed)
			if out.code != exitFailed || failed.OK || failed.Error.Code != "setup" {
				t.Errorf("exit code %d, document %+v", out.code, failed)
			}
			if said := strings.Count(out.stderr, "\n"); said != 1 {
				t.Errorf("%d lines on standard error, want 1:\n%s", said, out.stderr)
			}
			for _, id := range []string{id, other} {
				if l := p.lifecycleOf(id); l.Status != "candidate" || l.ReplayAttempts != 0 {
					t.Errorf("got %+v", l)
				}
			}
			if p.exists("replayed") {
				t.Error("a case was tried before the fault was said")
			}
		})
	}
}
