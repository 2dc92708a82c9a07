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

// Eight processes stream reports of their own and of shared sessions: none is
// lost, doubled or torn.
func TestEightStreams(t *testing.T) {
	t.Parallel()
	const processes, reports, sessions = 8, 500, 25
	p := newProgram(t, "rule_trial_min_sessions = 1000\ncircuit_breaker_max_notices = 0\n")
	rules := []string{p.addRule("one", "--metric", "m"), p.addRule("two")}
	var running [processes]*process
	for k := range running {
		var b strings.Builder
		for i := range reports {
			session := fmt.Sprintf("own-%d-%d", k, i%sessions)
			if i%2 == 1 {
				session = fmt.Sprintf("shared-%d", i%sessions)
			}
			fmt.Fprintf(&b, `{"session_id":%q,"run_id":"%d/%d","scores":{"m":0.%d}}`+"\n", session, k, i, 1+(i*7+k)%9)
		}
		running[k] = p.command("observe", "--stream", "--json")
		running[k].Stdin = strings.NewReader(b.String())
		running[k].begin()
	}
	posted := map[string]bool{}
	for k, c := range running {
		out := c.wait()
		answers := answersIn(p, out.stdout)
		if out.code != 0 || len(answers) != reports {
			t.Errorf("process %d: exit code %d, %d answers\n%s", k, out.code, len(answers), out.stderr)
		}
		for i, a := range answers {
			if !a.OK || a.Line != i+1 {
				t.Errorf("process %d, answer %d: %+v", k, i+1, a)
			}
			if a.Posted {
				posted[a.NoticeID] = true
			}
		}
	}
	p.must("drain")
	p.checkReports(processes * reports)
	p.checkTold(posted)
	const distinct = (processes + 1) * sessions
	if files := p.files("state/sessions/*.jsonl"); len(files) != distinct {
		t.Errorf("%d sessions have files, want %d", len(files), distinct)
	}
	for _, id := range rules {
		p.checkTrial(id, distinct)
	}
}

// checkReports wants each report, told by its run_id, once and in the file of
// its own session.
func (p *program) checkReports(want int) {
	p.t.Helper()
	seen, homes := map[string]bool{}, map[string]string{}
	for _, file := range p.files("state/sessions/*.jsonl") {
		for _, r := range lines[sessionRecord](p, file) {
			if homes[file] == "" {
				homes[file] = r.SessionID
			}
			if seen[r.RunID] || homes[file] != r.SessionID {
				p.t.Errorf("%s: the report %s of %s is there twice or in a wrong file", file, r.RunID, r.SessionID)
			}
			seen[r.RunID] = true
		}
	}
	if len(seen) != want {
		p.t.Errorf("%d reports are kept, want %d", len(seen), want)
	}
}

// checkTold wants exactly these notices in the journal, in the mailbox and in
// the sessions' files.
func (p *program) checkTold(posted map[string]bool) {
	p.t.Helper()
	journaled, mailed, kept := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range p.events() {
		if e.Type == "notice" {
			journaled[e.NoticeID] = true
		}
	}
	for _, file := range p.files("state/mailbox/pending/*.json") {
		mailed[strings.TrimSuffix(filepath.Base(file), ".json")] = true
	}
	for _, r := range p.sessionRecords() {
		if r.NoticeID != "" {
			kept[r.NoticeID] = true
		}
	}
	for where, got := range map[string]map[string]bool{"journal": journaled, "mailbox": mailed, "sessions": kept} {
		if diff := cmp.Diff(posted, got); diff != "" || len(got) == 0 {
			p.t.Errorf("notices in the %s (-posted +got):\n%s", where, diff)
		}
	}
}

// checkTrial wants each session once in the trial, and nothing written that was
// known already: a session has a line, and one more when it came to breach.
func (p *program) checkTrial(id string, sessions int) {
	p.t.Helper()
	if l := p.lifecycleOf(id); l.SessionsObserved != sessions || l.Status != "candidate" {
		p.t.Errorf("rule %s: %+v, want %d sessions observed", id, l, sessions)
	}
	written := map[string]bool{}
	for _, r := range recordsIn(p, "state/trials/"+id+".*.jsonl", func(r trialRecord) string { return r.ID }) {
		key := fmt.Sprint(r.SessionID, r.Breached)
		if written[key] || r.Type != "observation" {
			p.t.Errorf("rule %s: written twice, or not an observation: %+v", id, r)
		}
		written[key] = true
	}
}

// A stream answers what is there and never waits for more input.
func TestStreamAnswersAtOnce(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	c := p.converse("observe", "--stream", "--json")
	for i := range 3 {
		c.say(`{"session_id":"s-%d","scores":{"m":0.1}}`, i)
		var o observation
		p.decode(c.hear(), &o)
		if !o.Posted || len(p.files(fmt.Sprintf("state/sessions/s-%d.*", i))) != 1 {
			t.Errorf("report %d: %+v", i, o)
		}
	}
	c.Process.Signal(syscall.SIGTERM)
	if out := c.ended(); out.code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d after SIGTERM\n%s", out.code, out.stderr)
	}
}

// A reader that goes away ends no work: all reports are handled.
func TestStreamWithoutReader(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `{"session_id":"s-%d","scores":{"m":0.9}}`+"\n", i)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	c := p.command("observe", "--stream", "--json")
	c.Stdin, c.Stdout = strings.NewReader(b.String()), w
	c.begin()
	w.Close()
	if out := c.wait(); out.code != 0 || out.stderr != "" {
		t.Errorf("exit code %d\n%s", out.code, out.stderr)
	}
	if kept := p.sessionRecords(); len(kept) != 300 {
		t.Errorf("%d reports are kept, want 300", len(kept))
	}
}
