package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

type observed struct {
	Line     int
	OK       bool
	NoticeID string `json:"notice_id"`
	CaseID   string `json:"case_id"`
}

type ruleDoc struct{ ID, Status string }

type roundDoc struct {
	Verdicts []struct {
		RuleID  string `json:"rule_id"`
		Outcome string
		Applied bool
	}
}

// ledger is what the program has said that it did. What it said has to be true
// ever after.
type ledger struct {
	runs    map[string]string // run id of a report -> session
	rules   map[string]string // id -> the last status that was acknowledged
	cases   map[string]bool
	notices map[string]string // id -> status
	lines   map[string]bool   // every evidence line that was ever seen whole
}

func newLedger() *ledger {
	return &ledger{map[string]string{}, map[string]string{}, map[string]bool{}, map[string]string{}, map[string]bool{}}
}

func (l *ledger) String() string {
	return fmt.Sprintf("%d reports, %d rules, %d cases, %d notices", len(l.runs), len(l.rules), len(l.cases), len(l.notices))
}

func (l *ledger) observed(r struct {
	SessionID string `json:"session_id"`
	RunID     string `json:"run_id"`
}, answer observed) {
	if !answer.OK {
		return
	}
	l.runs[r.RunID] = r.SessionID
	if answer.NoticeID != "" {
		l.notices[answer.NoticeID] = "pending"
	}
	if answer.CaseID != "" {
		l.cases[answer.CaseID] = true
	}
}

func (l *ledger) judged(round roundDoc) {
	for _, v := range round.Verdicts {
		if status := map[string]string{"promote": "active", "retire": "retired"}[v.Outcome]; status != "" && v.Applied && l.rules[v.RuleID] != "retired" {
			l.rules[v.RuleID] = status
		}
	}
}

func (l *ledger) anyRule(random *rand.Rand) string {
	live := slices.Sorted(maps.Keys(l.rules))
	live = slices.DeleteFunc(live, func(id string) bool { return l.rules[id] == "retired" })
	if len(live) == 0 {
		return "r-0000000000"
	}
	return live[random.IntN(len(live))]
}

func (l *ledger) anyNotice(random *rand.Rand) string {
	ids := slices.Sorted(maps.Keys(l.notices))
	if len(ids) == 0 {
		return "n-20260101T000000000000-00000000"
	}
	return ids[random.IntN(len(ids))]
}

// check holds the workspace against the ledger, as a reader would see it.
func (p *tortured) check() {
	p.t.Helper()
	w, err := workspace.Open(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	p.checkReports(w)
	p.checkRules(w)
	p.checkCases(w)
	for id, status := range p.ledger.notices {
		n, err := w.Notice(id)
		if err != nil || status == "acknowledged" && n.Status != status {
			p.t.Errorf("notice %s was %s: it is %q, %v", id, status, n.Status, err)
		}
	}
	p.checkLines()
	p.examine(w)
	if o := p.pipe(p.report(), "observe", "--no-validate", "--lock-timeout", "30s"); o.code != 0 {
		p.t.Errorf("the next command fails: %s", o.stderr)
	}
}

// checkReports wants every acknowledged report once.
func (p *tortured) checkReports(w *workspace.Workspace) {
	p.t.Helper()
	found := map[string]int{}
	for _, session := range slices.Compact(slices.Sorted(maps.Values(p.ledger.runs))) {
		lines, err := w.SessionLines(session)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, line := range lines {
			found[line.RunID]++
		}
	}
	for run, session := range p.ledger.runs {
		if found[run] != 1 {
			p.t.Errorf("report %s of session %s was acknowledged and is there %d times", run, session, found[run])
		}
	}
}

func (p *tortured) checkRules(w *workspace.Workspace) {
	p.t.Helper()
	for id, status := range p.ledger.rules {
		r, err := w.Rule(id)
		if err != nil || status == "retired" && r.Status != workspace.Retired || status == "active" && r.Status == workspace.Candidate {
			p.t.Errorf("rule %s was %s: it is %q, %v", id, status, r.Status, err)
		}
		files := 0
		for _, folder := range []string{"rules", "rules/retired"} {
			if p.exists("state/" + folder + "/" + id + ".toml") {
				files++
			}
		}
		if files != 1 {
			p.t.Errorf("rule %s has %d files", id, files)
		}
	}
}

// checkCases wants every acknowledged case, or the event of its eviction.
func (p *tortured) checkCases(w *workspace.Workspace) {
	p.t.Helper()
	evicted := map[string]bool{}
	events, err := w.Events(workspace.JournalFilter{Types: []string{lifecycle.EventEvict}})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range events {
		var data struct {
			CaseID string `json:"case_id"`
		}
		if e.Decode(&data) == nil {
			evicted[data.CaseID] = true
		}
	}
	for id := range p.ledger.cases {
		if _, err := w.Case(id); err != nil && !evicted[id] {
			p.t.Errorf("case %s was acknowledged: %v", id, err)
		}
	}
}

// checkLines wants every evidence line that was whole once.
func (p *tortured) checkLines() {
	p.t.Helper()
	now := map[string]bool{}
	for _, folder := range []string{"sessions", "trials", "journal"} {
		files, err := filepath.Glob(filepath.Join(p.dir, "state", folder, "*.jsonl"))
		if err != nil {
			p.t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				p.t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if json.Valid([]byte(line)) {
					now[strings.TrimSpace(line)] = true
				}
			}
		}
	}
	for line := range p.ledger.lines {
		if !now[line] {
			p.t.Errorf("this line is gone: %s", line)
		}
	}
	p.ledger.lines = now
}

// examine wants of the doctor that it finds nothing beyond mending.
func (p *tortured) examine(w *workspace.Workspace) {
	p.t.Helper()
	health, err := lifecycle.Doctor{Workspace: w, Warn: func(error) {}}.Examine(context.Background())
	if err != nil {
		p.t.Fatal(err)
	}
	for _, f := range health.Findings {
		if !f.Repairable && f.Severity != workspace.SeverityNote {
			p.t.Errorf("the doctor cannot mend this: %s", f)
		}
	}
	data := p.read("state/score_history.json")
	if data != "" && !json.Valid([]byte(data)) {
		p.t.Errorf("the score history is torn: %s", data)
	}
}

func (p *tortured) repair() {
	p.t.Helper()
	var health lifecycle.Health
	out := p.pipe("", "doctor", "--repair", "--json")
	p.decode(out.stdout, &health)
	if out.code != 0 {
		p.t.Errorf("after the repair: exit code %d, %v\n%s", out.code, health.Findings, out.stderr)
	}
}
