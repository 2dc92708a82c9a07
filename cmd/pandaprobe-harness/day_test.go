//go:build unix

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A day: four processes observe 40 sessions at once, a rule is added after the
// third breach, the next five sessions are its trial, and nobody calls validate.
func TestDay(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	tr := p.trace()
	var observers []*conversation
	for range 4 {
		observers = append(observers, p.converse("observe", "--stream", "--json"))
	}
	// handle hands a session to each of so many processes, then reads the answers.
	handle := func(first, last int, score float64) (notice string) {
		for n := first; n <= last; n++ {
			observers[n%4].say(`{"session_id":"chat-%02d","scores":{"m":%g}}`, n, score)
		}
		for n := first; n <= last; n++ {
			var o observation
			p.decode(observers[n%4].hear(), &o)
			if o.Posted {
				notice = o.NoticeID
			}
		}
		return notice
	}
	notice := handle(1, 3, 0.2)
	id := p.addRule("Check the refund window.", "--metric", "m", "--notice", notice)
	for n := 4; n <= 40; n += 4 {
		handle(n, min(n+3, 40), 0.9)
	}
	for _, o := range observers {
		if out := o.end(); out.code != 0 {
			t.Errorf("exit code %d\n%s", out.code, out.stderr)
		}
	}
	p.must("drain")

	checkSeedShape(p, id)
	kinds := map[string]int{}
	for _, e := range p.events() {
		kinds[e.Type]++
	}
	if diff := cmp.Diff(map[string]int{"notice": 3, "rule_add": 1, "validation": 1, "rule_promote": 1}, kinds); diff != "" {
		t.Errorf("journal (-want +got):\n%s", diff)
	}
	if got := p.sessionRecords(); len(got) != 40 {
		t.Errorf("%d reports are kept, want 40", len(got))
	}
	if p.roundWanted() {
		t.Error("drain returned while a round was wanted")
	}
	until(t, "no process is left", func() bool { return len(tr.living()) == 0 })
}

// checkSeedShape wants the answer of `rule status` to be that of the
// documentation, name by name.
func checkSeedShape(p *program, id string) {
	p.t.Helper()
	var raw struct {
		OK        bool
		Rule      map[string]any
		Lifecycle map[string]any
	}
	p.ask(&raw, "", []string{"rule", "status", id})
	verdict, _ := raw.Lifecycle["verdict"].(string)
	want := map[string]any{
		"status": "active", "baseline_rate": 1.0, "trial_rate": 0.0, "sessions_observed": 5.0,
		"sessions_needed": 5.0, "replay_attempts": 0.0, "verdict": verdict,
	}
	if diff := cmp.Diff(want, raw.Lifecycle); diff != "" || !raw.OK || raw.Rule["status"] != "active" || !strings.HasPrefix(verdict, "promoted:") {
		p.t.Errorf("rule status (-want +got):\n%s", diff)
	}
	trial := raw.Rule["trial"].(map[string]any)
	observed := trial["observed_sessions"].([]any)
	if trial["baseline_sessions"] != 3.0 || trial["baseline_breached_sessions"] != 3.0 || len(observed) != 5 {
		p.t.Errorf("trial: %v", trial)
	}
	for _, session := range observed {
		if slices.Contains([]any{"chat-01", "chat-02", "chat-03"}, session) {
			p.t.Errorf("%v was over when the rule was added", session)
		}
	}
}

// The fallback is announced once, and again only after a command had come and
// gone.
func TestAnnouncedOnce(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.addRule("one", "--metric", "m")
	modes := func() (told []string) {
		for _, e := range p.events() {
			if e.Type == "validation" {
				told = append(told, e.Mode)
			}
		}
		return told
	}
	said := p.run("validate").stderr + p.run("validate").stderr
	if n := strings.Count(said, "forward trials"); n != 1 {
		t.Errorf("said %d times, want once:\n%s", n, said)
	}
	if diff := cmp.Diff([]string{"forward_trial"}, modes()); diff != "" {
		t.Errorf("announced (-want +got):\n%s", diff)
	}
	p.validate([]string{"--", "true"})
	p.validate(nil)
	p.validate(nil)
	if diff := cmp.Diff([]string{"forward_trial", "replay", "forward_trial"}, modes()); diff != "" {
		t.Errorf("announced (-want +got):\n%s", diff)
	}
}
