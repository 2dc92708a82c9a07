//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// Processes that are killed at any moment lose nothing that was acknowledged
// and leave nothing that the next one cannot read.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	id := p.addRule("one", "--metric", "m")
	acknowledged := map[string]bool{}
	for i := range 100 {
		session := fmt.Sprintf("s-%d", i)
		observe := p.command("observe", "--no-validate", "--json")
		observe.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id": %q, "scores": {"m": 0.1}}`, session))
		add := p.command("rule", "add", "--rule", "rule of "+session, "--json", "--set", "max_active_rules=0")
		for _, c := range []*process{observe, add} {
			c.begin()
			time.Sleep(rand.N(30 * time.Millisecond)) // not to wait: any moment will do
			c.Process.Kill()
			c.Wait()
		}
		acknowledged[session] = observe.ProcessState.Success()
	}
	last := p.pipe(`{"session_id": "last", "scores": {"m": 0.1}}`, "observe", "--no-validate")
	if last.code != 0 {
		t.Errorf("the last report: exit code %d\n%s", last.code, last.stderr)
	}
	var list struct{ Rules []struct{ ID string } }
	out := p.ask(&list, "", []string{"rule", "list"})
	if files := p.files("state/rules/*.toml"); len(list.Rules) != len(files) || out.stderr != "" {
		t.Errorf("%d rules of %d files can be read\n%s", len(list.Rules), len(files), out.stderr)
	}
	for session, done := range acknowledged {
		if done && len(p.files("state/sessions/"+session+".*.jsonl")) != 1 {
			t.Errorf("%s was acknowledged and is gone", session)
		}
	}
	if l := p.lifecycleOf(id); l.SessionsObserved < 1 {
		t.Errorf("trial: %+v", l)
	}
}
