package lifecycle_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

const (
	dayFile      = "state/journal/2026-02-01.aaaaaa.jsonl"
	trialFile    = "state/trials/r-00000000c1.aaaaaa.jsonl"
	session1File = "state/sessions/s-1.aaaaaa.jsonl"
	session9File = "state/sessions/s-9~e4a9686d0ea3f67fe61cdafaed03e0f8.bbbbbb.jsonl"
	liveFile     = "state/rules/r-00000000c1.toml"
	activeFile   = "state/rules/r-00000000a1.toml"
	retiredFile  = "state/rules/retired/r-00000000d1.toml"
	caseFile     = "state/evalset/c-00000000f1.json"
	pendingFile  = "state/mailbox/pending/n-20260201T120005000000-0000000a.json"
	answeredFile = "state/mailbox/processed/n-20260201T120006000000-0000000b.json"
	historyFile  = "state/score_history.json"
)

// soundFiles is a workspace in which nothing is wrong.
func soundFiles() map[string]string {
	return map[string]string{
		"harness.toml":   "rule_trial_min_sessions = 3\n",
		".git/HEAD":      "ref: refs/heads/main\n",
		".gitignore":     "harness_rules.md\nstate/local/\n.tmp-*\n",
		".gitattributes": "state/sessions/*.jsonl merge=union\nstate/trials/*.jsonl merge=union\nstate/journal/*.jsonl merge=union\n",
		liveFile:         ruleText("r-00000000c1", "candidate", "Ask for the order id.", ""),
		activeFile:       ruleText("r-00000000a1", "active", "Check the refund window.", "promoted:improved"),
		retiredFile:      ruleText("r-00000000d1", "retired", "Answer in verse.", "retired:no improvement"),
		dayFile: eventLine(1, "rule_add", `"rule_id":"r-00000000c1","status":"candidate"`) +
			eventLine(2, "rule_add", `"rule_id":"r-00000000a1","status":"candidate"`) +
			eventLine(3, "rule_add", `"rule_id":"r-00000000d1","status":"candidate"`) +
			eventLine(4, "rule_promote", `"rule_id":"r-00000000a1","from":"candidate","reason":"improved","validator":"replay"`) +
			eventLine(5, "rule_retire", `"rule_id":"r-00000000d1","from":"candidate","reason":"no improvement","validator":"replay"`) +
			eventLine(6, "notice", `"session_id":"s-1","notice_id":"n-20260201T120005000000-0000000a"`) +
			eventLine(7, "ack", `"session_id":"s-1","rule_id":"r-00000000a1","notice_id":"n-20260201T120006000000-0000000b","note":"done"`),
		trialFile: evidenceLine(11, `"type":"observation","session_id":"s-1","breached":true`) +
			evidenceLine(12, `"type":"observation","session_id":"s-2"`),
		session1File: evidenceLine(21, `"session_id":"s-1","scores":{"m":0.2},"ewma":{"m":{"fast":0.2,"slow":0.2,"count":1}},"signatures":["breach:m"]`) +
			evidenceLine(22, `"session_id":"s-1","scores":{"m":null},"signatures":[],"unresolved":true`),
		session9File: evidenceLine(23, `"session_id":"S 9","scores":{"m":0.9},"signatures":[]`),
		caseFile:     caseText("c-00000000f1", "s-1"),
		pendingFile:  noticeText("n-20260201T120005000000-0000000a", "pending", "null"),
		answeredFile: noticeText("n-20260201T120006000000-0000000b", "acknowledged",
			`{"acked_at": "2026-02-01T12:00:07.000000Z", "rule_id": "r-00000000a1", "note": "done"}`),
		historyFile:          `{"s-1::m": {"series": [{"value": 0.2, "ts": "2026-02-01T12:00:21Z", "run_id": null}], "ewma": {"fast": 0.2, "slow": 0.2, "count": 1}}}` + "\n",
		"state/local/writer": "aaaaaa\n",
	}
}

func ruleText(id, status, text, verdict string) string {
	return fmt.Sprintf(`id = %q
created_at = 2026-02-01T12:00:00.000000Z
status = %q
metric = "m"
tags = []
signatures = ["breach:m"]
rule = %q
rationale = ""

[trial]
baseline_breached_sessions = 1
baseline_sessions = 2
baseline_window = 2
trial_started_at = 2026-02-01T12:00:00.000000Z
verdict = %q
`, id, status, text, verdict)
}

func caseText(id, session string) string {
	return fmt.Sprintf(`{
  "id": %q,
  "created_at": "2026-02-01T12:00:00.000000Z",
  "session_id": %q,
  "kind": "failure",
  "signature": [
    "breach:m"
  ],
  "baseline_scores": {
    "m": 0.2
  },
  "replay_input": {"n": 1.50},
  "notes": ""
}
`, id, session)
}

func noticeText(id, status, resolution string) string {
	return fmt.Sprintf(`{
  "id": %q,
  "created_at": "2026-02-01T12:00:05.000000Z",
  "session_id": "s-1",
  "turn_index": null,
  "severity": "breach",
  "status": %q,
  "summary": "m=0.20",
  "signatures": ["breach:m"],
  "metrics": [],
  "flagged_traces": [],
  "signal_breakdown": {},
  "resolution": %s
}
`, id, status, resolution)
}

// line is a line of evidence, numbered by its second and id.
func evidenceLine(n int, rest string) string {
	return fmt.Sprintf(`{"ts":"2026-02-01T12:00:%02d.000000Z","id":"%016x",%s}`+"\n", n, n, rest)
}

func eventLine(n int, kind, rest string) string {
	return evidenceLine(n, fmt.Sprintf(`"type":%q,%s`, kind, rest))
}

// patient is a workspace with its doctor.
type patient struct {
	t *testing.T
	lifecycle.Doctor
}

// newPatient makes the sound workspace, with its rules rendered.
func newPatient(t *testing.T) patient {
	t.Helper()
	root := t.TempDir()
	p := patient{t: t}
	p.Workspace = &workspace.Workspace{Root: root}
	for rel, content := range soundFiles() {
		p.write(rel, content)
	}
	ws, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ws.Now = func() time.Time { now = now.Add(time.Second); return now }
	p.Doctor = lifecycle.Doctor{Workspace: ws, Warn: func(err error) { t.Logf("warning: %v", err) }}
	p.repair()
	return p
}

func (p patient) path(rel string) string {
	return filepath.Join(p.Workspace.Root, filepath.FromSlash(rel))
}

func (p patient) write(rel, content string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(rel)), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(rel), []byte(content), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p patient) read(rel string) string {
	p.t.Helper()
	b, err := os.ReadFile(p.path(rel))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

func (p patient) remove(rel string) {
	p.t.Helper()
	if err := os.Remove(p.path(rel)); err != nil {
		p.t.Fatal(err)
	}
}

func (p patient) removeAll(rel string) {
	p.t.Helper()
	if err := os.RemoveAll(p.path(rel)); err != nil {
		p.t.Fatal(err)
	}
}

// edit replaces a text that must be there.
func (p patient) edit(rel, old, new string) {
	p.t.Helper()
	before := p.read(rel)
	if !strings.Contains(before, old) {
		p.t.Fatalf("%s holds no %q", rel, old)
	}
	p.write(rel, strings.Replace(before, old, new, 1))
}

func (p patient) append(rel, text string) {
	p.t.Helper()
	before, err := os.ReadFile(p.path(rel))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	p.write(rel, string(before)+text)
}

func (p patient) examine() lifecycle.Health {
	p.t.Helper()
	h, err := p.Examine(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return h
}

func (p patient) repair() lifecycle.Health {
	p.t.Helper()
	h, err := p.Repair(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return h
}

// files is every file of the state with its content, without this clone's own.
func (p patient) files() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(p.Workspace.Root), ".", func(rel string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasPrefix(rel, "state/local/") {
			all[rel] = p.read(rel)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// records is everything that readers read, each record as one text.
func (p patient) records() []string {
	p.t.Helper()
	asFound := map[string]bool{}
	add := func(kind string, record any) {
		text, err := json.Marshal(record, json.Deterministic(true))
		if err != nil {
			p.t.Fatal(err)
		}
		asFound[kind+" "+string(text)] = true
	}
	ws := p.Workspace
	quiet := ws.Warn
	ws.Warn = func(error) {}
	defer func() { ws.Warn = quiet }()
	liveRules, _, _ := ws.LiveRules()
	retiredRules, _, _ := ws.RetiredRules()
	for _, r := range append(liveRules, retiredRules...) {
		add("rule", r)
		lines, _ := ws.TrialLines(r.ID)
		for _, l := range lines {
			add("trial "+r.ID, l)
		}
	}
	cases, _, _ := ws.Cases()
	for _, c := range cases {
		add("case", c)
	}
	notices, _ := ws.Notices(true)
	for _, n := range notices {
		add("notice", n)
	}
	events, _ := ws.Events(workspace.JournalFilter{})
	for _, e := range events {
		add("event", e)
	}
	for _, session := range []string{"s-1", "s-2", "S 9"} {
		lines, _ := ws.SessionLines(session)
		for _, l := range lines {
			add("session", l)
		}
	}
	return slices.Sorted(maps.Keys(asFound))
}

// evidenceLines is every line of evidence, byte for byte.
func (p patient) evidenceLines() map[string]bool {
	lines := map[string]bool{}
	for rel, content := range p.files() {
		if strings.HasSuffix(rel, ".jsonl") {
			for l := range bytes.Lines([]byte(content)) {
				lines[string(bytes.TrimRight(l, "\r\n"))] = true
			}
		}
	}
	return lines
}
