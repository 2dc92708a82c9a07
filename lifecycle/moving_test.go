package lifecycle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

var (
	pythonSample  = filepath.Join("..", "fixtures", "python-workspace")
	damagedSample = filepath.Join("..", "fixtures", "python-workspace-damaged")
)

func importFrom(t *testing.T, e *lifecycle.Engine, dir string) lifecycle.Imported {
	t.Helper()
	imported, err := e.Import(context.Background(), dir)
	if err != nil || !imported.OK {
		t.Fatalf("import of %s: %+v (%v)", dir, imported, err)
	}
	return imported
}

// committed is the content of every file but those of state/local, by path.
func committed(t *testing.T, e *lifecycle.Engine) map[string]string {
	t.Helper()
	all := map[string]string{}
	for path, content := range files(t, e.Workspace.Root) {
		rel, err := filepath.Rel(e.Workspace.Root, path)
		if err != nil {
			t.Fatal(err)
		}
		if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "state/local/") {
			all[rel] = content
		}
	}
	return all
}

func lifecycles(t *testing.T, e *lifecycle.Engine, ids ...string) map[string]lifecycle.Lifecycle {
	t.Helper()
	all := map[string]lifecycle.Lifecycle{}
	for _, id := range ids {
		status, err := e.RuleStatus(id)
		if err != nil {
			t.Fatal(err)
		}
		all[id] = status.Lifecycle
	}
	return all
}

// TestImportKeepsHowFarTheRulesAre wants of each rule what harness_rule_status
// said of it there.
func TestImportKeepsHowFarTheRulesAre(t *testing.T) {
	e := newEngine(t, map[string]any{"rule_trial_min_sessions": 3})
	got := importFrom(t, e, pythonSample)
	want := lifecycle.Counts{Rules: 3, Trials: 7, Cases: 6, Notices: 5, Events: 20, Samples: 18}
	if diff := cmp.Diff(want, got.Took); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
	lifecyclesThere := map[string]lifecycle.Lifecycle{
		"r-baf71e2558": {Status: workspace.Active, BaselineRate: 1, TrialRate: 0, SessionsObserved: 3, SessionsNeeded: 3,
			Verdict: "promoted:forward-trial: breach rate 0.00 vs baseline 1.00 over 3 sessions"},
		"r-cdf6d68336": {Status: workspace.Retired, BaselineRate: 0, TrialRate: 1, SessionsObserved: 3, SessionsNeeded: 3,
			Verdict: "retired:forward-trial: breach rate 1.00 did not improve on baseline 0.00 after 3 sessions"},
		"r-3613f7eb01": {Status: workspace.Candidate, BaselineRate: 0.25, TrialRate: 1, SessionsObserved: 1, SessionsNeeded: 3},
	}
	if diff := cmp.Diff(lifecyclesThere, lifecycles(t, e, "r-baf71e2558", "r-cdf6d68336", "r-3613f7eb01")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	rule, err := e.Rule("r-3613f7eb01")
	if err != nil {
		t.Fatal(err)
	}
	if rule.Rule != "Never invent a tracking number — say that it is unknown." || rule.CreatedAt.String() != "2026-11-30T18:24:51.773013Z" ||
		!cmp.Equal(rule.Trial.BreachedSessions, []string{"s-008"}) {
		t.Errorf("got %+v", rule)
	}
}

func TestImportTranslatesTheJournal(t *testing.T) {
	e := newEngine(t, nil)
	importFrom(t, e, pythonSample)
	events, err := e.Workspace.Events(workspace.JournalFilter{})
	if err != nil || len(events) != 20 {
		t.Fatalf("%d events (%v)", len(events), err)
	}
	var notice struct {
		NoticeID   string   `json:"notice_id"`
		Signatures []string `json:"signatures"`
	}
	if err := events[0].Decode(&notice); err != nil {
		t.Fatal(err)
	}
	if events[0].Type != lifecycle.EventNotice || events[0].SessionID != "s-001" || events[0].TS.String() != "2026-11-30T18:24:51.742241Z" ||
		notice.NoticeID != "n-20261130T182451740405-b8053555" || !cmp.Equal(notice.Signatures, []string{"breach:agent_reliability"}) {
		t.Errorf("the notice: %+v %s", events[0], events[0].Data)
	}
	about, err := e.Workspace.Events(workspace.JournalFilter{RuleID: "r-cdf6d68336"})
	if err != nil || len(about) != 2 || about[1].Type != lifecycle.EventRetire {
		t.Errorf("events of a rule: %+v (%v)", about, err)
	}
	// A baseline that is taken now rests on the notices of then.
	rule := addRule(t, e, "Look twice.", "agent_consistency")
	if rule.Trial.BaselineSessions != 5 || rule.Trial.BaselineBreachedSessions != 3 {
		t.Errorf("baseline %+v", rule.Trial)
	}
}

func TestImportingAgainChangesNothing(t *testing.T) {
	for _, dir := range []string{pythonSample, damagedSample} {
		e := newEngine(t, nil)
		first := importFrom(t, e, dir)
		before := committed(t, e)
		again := importFrom(t, e, dir)
		if diff := cmp.Diff(before, committed(t, e)); diff != "" {
			t.Errorf("%s: files changed (-before +after):\n%s", dir, diff)
		}
		if again.Took != (lifecycle.Counts{}) {
			t.Errorf("%s: taken again: %+v", dir, again.Took)
		}
		first.Known.Notices += first.Took.Notices // one notice lies in two folders
		first.Took.Notices = first.Known.Notices
		if diff := cmp.Diff(first.Took, again.Known); diff != "" {
			t.Errorf("%s: known (-want +got):\n%s", dir, diff)
		}
		if diff := cmp.Diff(first.LeftOut, again.LeftOut); diff != "" {
			t.Errorf("%s: left out (-first +again):\n%s", dir, diff)
		}
	}
}

func TestImportNamesWhatItPassesOver(t *testing.T) {
	e := newEngine(t, nil)
	got := importFrom(t, e, damagedSample)
	want := []string{
		"evalset/c-00000000b1.json:0:0: is cut off: the JSON doe",
		"evalset/c-00000000b2.json:0:0: baseline_scores.agent_re",
		"evalset/c-00000000b4.json:0:0: kind: is \"draw\"; it mus",
		"evalset/nameless.json:0:0: id: \"\" is not a case id;",
		"evalset/notes.txt:0:0: is no JSON file",
		"journal.jsonl:2:0: is not valid JSON: inval",
		"journal.jsonl:4:0: is cut off: the JSON doe",
		"journal.jsonl:6:0: has no ts or no type",
		"journal.jsonl:7:0: ts: \"yesterday\" is not ",
		"mailbox/pending/n-1.json:0:0: id: \"n-1\" is not a noti",
		"mailbox/pending/n-20261130T182453000000-0badc0de.json:0:0: is empty; a JSON documen",
		"mailbox/status.json:0:0: derived from the notices",
		"rules.jsonl:5:0: is cut off: the JSON doe",
		"rules.jsonl:17:0: id: \"../../evil\" is not",
		"rules.jsonl:18:0: status: is \"paused\"; it ",
		"rules.jsonl:19:0: trial: has baseline coun",
		"rules.jsonl:20:0: rule: is empty",
		"rules.jsonl:21:0: trial.observed_sessions:",
		"rules.jsonl:22:0: is cut off: the JSON doe",
		"state/score_history.json:0:1: no score: the value is m",
		"state/score_history.json:0:1: a score without a time, ",
		"state/score_history.json:0:1: no score: the value is n",
		"state/score_history.json:0:1: no score: the value lies",
		"state/score_history.json:0:3: an entry that is no seri",
	}
	if len(got.LeftOut) != len(want) {
		t.Fatalf("left out %d, want %d: %+v", len(got.LeftOut), len(want), got.LeftOut)
	}
	for i, left := range got.LeftOut {
		if text := fmt.Sprintf("%s:%d:%d: %s", left.File, left.Line, left.Count, left.Reason); !strings.HasPrefix(text, want[i]) {
			t.Errorf("left out %q, want %q...", text, want[i])
		}
	}
	if want := (lifecycle.Counts{Rules: 5, Trials: 11, Cases: 7, Notices: 5, Events: 22, Samples: 20}); got.Took != want {
		t.Errorf("taken %+v, want %+v", got.Took, want)
	}
}

func TestImportOfOlderShapes(t *testing.T) {
	e := newEngine(t, nil)
	importFrom(t, e, damagedSample)
	want := map[string]lifecycle.Lifecycle{
		"r-00000000a1": {Status: workspace.Active, BaselineRate: 1, SessionsNeeded: 5}, // no status, no trial
		"r-00000000a5": {Status: workspace.Candidate, BaselineRate: 1, TrialRate: 0.5, SessionsObserved: 2, SessionsNeeded: 5, ReplayAttempts: 2},
		"r-baf71e2558": {Status: workspace.Active, BaselineRate: 1, SessionsObserved: 3, SessionsNeeded: 5,
			Verdict: "promoted:forward-trial: breach rate 0.00 vs baseline 1.00 over 3 sessions"}, // torn lines of it stand between
	}
	if diff := cmp.Diff(want, lifecycles(t, e, "r-00000000a1", "r-00000000a5", "r-baf71e2558")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// NaN is no score, and above all not 0.
	c, err := e.Workspace.Case("c-00000000b3")
	if err != nil || !cmp.Equal(c.BaselineScores, workspace.Baseline{"agent_consistency": 1}) {
		t.Errorf("case %+v (%v)", c, err)
	}
	// In both folders: it is acknowledged.
	notice, err := e.Notice("n-20261130T182451740405-b8053555")
	if err != nil || notice.Status != workspace.Acknowledged || notice.Resolution == nil {
		t.Errorf("notice %+v (%v)", notice, err)
	}
}

// TestImportTakesAStatusAsItStands: only a rule without one is active.
func TestImportTakesAStatusAsItStands(t *testing.T) {
	for status, want := range map[string]workspace.Status{
		``: workspace.Active, `, "status": "candidate"`: workspace.Candidate, `, "status": "active"`: workspace.Active,
		`, "status": null`: "", `, "status": ""`: "", `, "status": "Active"`: "", `, "status": true`: "",
	} {
		dir := t.TempDir()
		line := `{"id": "r-00000000a9", "created_at": "2026-01-01T00:00:00Z", "rule": "Wait."` + status + "}\n"
		if err := os.WriteFile(filepath.Join(dir, "rules.jsonl"), []byte(line), 0o666); err != nil {
			t.Fatal(err)
		}
		e := newEngine(t, nil)
		if _, err := e.Import(context.Background(), dir); err != nil {
			t.Fatal(err)
		}
		rule, err := e.Rule("r-00000000a9")
		if rule.Status != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", status, rule.Status, err, want)
		}
	}
}

func TestImportLeavesARuleThatIsFurtherHere(t *testing.T) {
	e := newEngine(t, nil)
	importFrom(t, e, pythonSample)
	if _, err := e.RetireRule(context.Background(), "r-3613f7eb01", "decided here"); err != nil {
		t.Fatal(err)
	}
	before := committed(t, e)
	got := importFrom(t, e, pythonSample)
	if diff := cmp.Diff(before, committed(t, e)); diff != "" {
		t.Errorf("files changed (-before +after):\n%s", diff)
	}
	want := lifecycle.LeftOut{File: "rules.jsonl", Line: 14, Reason: "rule r-3613f7eb01 is retired here and candidate there; ours stays"}
	if len(got.LeftOut) != 3 || got.LeftOut[1] != want {
		t.Errorf("left out %+v", got.LeftOut)
	}
}

func TestImportSaysWhichKnobsDoNotFit(t *testing.T) {
	e := newEngine(t, map[string]any{"rule_trial_min_sessions": 2, "max_active_rules": 1, "eval_case_max": 4})
	got := importFrom(t, e, pythonSample)
	if got.Took.Cases != 6 || got.Took.Rules != 3 {
		t.Errorf("taken %+v", got.Took)
	}
	notes := strings.Join(got.Notes, "\n")
	for _, want := range []string{"observed 3 sessions, and rule_trial_min_sessions is 2", "2 live rules, more than max_active_rules (1)", "6 eval cases, more than eval_case_max (4)"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes lack %q:\n%s", want, notes)
		}
	}
}

func TestImportRedacts(t *testing.T) {
	e := newEngine(t, nil)
	e.Config.RedactPatterns = []string{"refund", "order 9", "trace-1", "mitigated"}
	importFrom(t, e, pythonSample)
	for path, content := range committed(t, e) {
		for _, pattern := range []string{"the refund", "order 9", `"mitigated"`} {
			if strings.Contains(content, pattern) {
				t.Errorf("%s holds %q", path, pattern)
			}
		}
	}
	if c, err := e.Workspace.Case("c-b804419df7"); err != nil || !strings.Contains(string(c.ReplayInput), "[redacted]") {
		t.Errorf("case %+v (%v)", c, err)
	}
}

func TestImportRefusesWhatIsNoPythonWorkspace(t *testing.T) {
	e := newEngine(t, nil)
	before := committed(t, e)
	for dir, want := range map[string]string{
		t.TempDir():                        "is no workspace of the Python harness",
		filepath.Join(t.TempDir(), "none"): "is no workspace of the Python harness",
		newEngine(t, nil).Workspace.Root:   "git",
	} {
		if _, err := e.Import(context.Background(), dir); workspace.CodeOf(err) != workspace.CodeNoWorkspace || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	if diff := cmp.Diff(before, committed(t, e)); diff != "" {
		t.Errorf("files changed (-before +after):\n%s", diff)
	}
}

// TestImportReadsOnly wants the other workspace as it was, also without the
// right to write there.
func TestImportReadsOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(pythonSample)); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	importFrom(t, newEngine(t, nil), dir)
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}
