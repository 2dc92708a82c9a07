package main

import (
	"strings"
	"testing"
)

// tear appends half a record, as a crash leaves it: cut inside a character.
func (p *program) tear(pattern string) {
	p.t.Helper()
	files := p.files(pattern)
	if len(files) == 0 {
		p.t.Fatalf("no file to tear: %s", pattern)
	}
	for _, file := range files {
		p.write(file, p.read(file)+`{"ts":"2026-01-01T00:00:00Z","type":"notice","session_id":"caf`+"\xc3")
	}
}

// A torn tail is passed over, wherever it stands in the end, and the next
// append starts a line of its own.
func TestTornTails(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.observe("s-1", 0.2, "--no-validate")
	id := p.addRule("one", "--metric", "m")
	p.observe("s-1", 0.2, "--no-validate")
	for range 3 {
		for _, kind := range []string{"journal", "trials", "sessions"} {
			p.tear("state/" + kind + "/*.jsonl")
		}
		if o := p.observe("s-1", 0.9, "--no-validate"); !o.Recovered {
			t.Errorf("the reports before the torn line are forgotten: %+v", o)
		}
		if o := p.observe("s-1", 0.2, "--no-validate"); !o.Posted {
			t.Errorf("the reports before the torn line are forgotten: %+v", o)
		}
		p.observe("s-2", 0.9, "--no-validate")
	}
	other := p.addRule("two", "--metric", "m")
	var added struct {
		Rule struct{ Trial vectorBaseline }
	}
	p.ask(&added, "", []string{"rule", "show", other})
	if want := (vectorBaseline{Window: 7, Sessions: 1, Breached: 1, Rate: 1}); added.Rule.Trial != want {
		t.Errorf("baseline %+v, want %+v", added.Rule.Trial, want)
	}
	if l := p.lifecycleOf(id); l.SessionsObserved != 2 || l.TrialRate != 0.5 {
		t.Errorf("trial: %+v", l)
	}
	for _, file := range p.files("state/*/*.jsonl") {
		for number, line := range strings.Split(p.read(file), "\n") {
			if torn := strings.Contains(line, "\xc3"); torn != strings.HasSuffix(line, "\xc3") {
				t.Errorf("%s:%d: a record was glued to a torn one", file, number+1)
			}
		}
	}
}
