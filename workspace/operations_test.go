package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// operation is one thing that a command does to a workspace.
type operation struct {
	name    string
	knobs   []string
	agent   lifecycle.Agent
	resumes bool                                    // a part of it may stay; doing it again completes it
	prepare func(t *testing.T, e *lifecycle.Engine) // what is there before; nil = nothing at all
	do      func(e *lifecycle.Engine) error
}

var ctx = context.Background()

func nothing(*testing.T, *lifecycle.Engine) {}

var operations = []operation{
	{name: "init", do: func(e *lifecycle.Engine) error {
		_, err := workspace.Init(ctx, filepath.Join(e.Workspace.Root, "deep", "down"))
		return err
	}},
	{name: "rule add", prepare: nothing, do: addOne},
	{name: "rule add, active at once", knobs: []string{"rule_validation=false"}, prepare: nothing, do: addOne},
	{name: "rule retire", prepare: withRule, do: func(e *lifecycle.Engine) error {
		_, err := e.RetireRule(ctx, theRule(e), "it does harm")
		return err
	}},
	{name: "promote by a trial", knobs: []string{"rule_trial_min_sessions=2"}, prepare: withTrial(0.9), do: validateOnce},
	{name: "retire by a trial", knobs: []string{"rule_trial_min_sessions=2"}, prepare: withTrial(0.1), do: validateOnce},
	{name: "validate, which tells its mode", prepare: withRule, do: validateOnce},
	{name: "promote by replay", agent: replaying(0.9), prepare: withCaseAndRule, do: validateOnce},
	{name: "retire by replay", agent: replaying(0.1), prepare: withCaseAndRule, do: validateOnce},
	{name: "an inconclusive replay", agent: inconclusive{}, prepare: withCaseAndRule, do: validateOnce},
	{name: "case add", prepare: nothing, do: func(e *lifecycle.Engine) error { return addCase(e, "s-new", workspace.Win) }},
	{name: "case add with evictions", knobs: []string{"eval_case_max=2"}, prepare: withCases(4), do: func(e *lifecycle.Engine) error {
		return addCase(e, "s-new", workspace.Win)
	}},
	{name: "case attach", prepare: withCases(1), do: func(e *lifecycle.Engine) error {
		_, err := e.AttachCase(ctx, theCase(e), []byte(`{"request":"again"}`))
		return err
	}},
	{name: "case remove", prepare: withCases(2), do: func(e *lifecycle.Engine) error {
		_, err := e.RemoveCase(ctx, theCase(e))
		return err
	}},
	{name: "observe, healthy", prepare: withRule, do: func(e *lifecycle.Engine) error { return observe(e, report("s-1", 0.9)) }},
	{name: "observe with notice, capture and eviction", knobs: []string{"capture_eval_cases=true", "eval_case_max=2"},
		prepare: func(t *testing.T, e *lifecycle.Engine) { withRule(t, e); withCases(2)(t, e) },
		do:      func(e *lifecycle.Engine) error { return observe(e, report("s-1", 0.1)) }},
	{name: "observe a recovery", prepare: observed(report("s-1", 0.1)), do: func(e *lifecycle.Engine) error { return observe(e, report("s-1", 0.9)) }},
	{name: "observe what opens the breaker", knobs: []string{"circuit_breaker_max_notices=1"}, prepare: observed(report("s-1", 0.1)),
		do: func(e *lifecycle.Engine) error { return observe(e, report("s-2", 0.1)) }},
	{name: "observe what the breaker holds", knobs: []string{"circuit_breaker_max_notices=1"}, prepare: observed(report("s-1", 0.1), report("s-2", 0.1)),
		do: func(e *lifecycle.Engine) error { return observe(e, report("s-3", 0.1)) }},
	{name: "notice ack", prepare: observed(report("s-1", 0.1)), do: func(e *lifecycle.Engine) error {
		notices, err := e.Notices(true)
		if err == nil {
			_, _, err = e.AckNotice(ctx, lifecycle.Ack{NoticeID: notices[0].ID, Note: "seen"})
		}
		return err
	}},
	{name: "regress", agent: replaying(0.9), prepare: withCaseAndRule, do: func(e *lifecycle.Engine) error {
		_, err := e.Regress(ctx, lifecycle.RegressOptions{})
		return err
	}},
	{name: "history sync", prepare: observed(report("s-1", 0.1), report("s-2", 0.7)), do: func(e *lifecycle.Engine) error {
		_, err := e.SyncHistory(ctx)
		return err
	}},
	{name: "history adopt", resumes: true, prepare: withHistory, do: func(e *lifecycle.Engine) error {
		_, err := e.AdoptHistory(ctx)
		return err
	}},
	{name: "import", resumes: true, prepare: nothing, do: func(e *lifecycle.Engine) error {
		_, err := e.Import(ctx, filepath.FromSlash("../fixtures/python-workspace"))
		return err
	}},
	{name: "doctor --repair", resumes: true, prepare: withDamage, do: func(e *lifecycle.Engine) error {
		_, err := lifecycle.Doctor{Workspace: e.Workspace, Warn: func(error) {}}.Repair(ctx)
		return err
	}},
}

func (o operation) engine(t *testing.T, root string) *lifecycle.Engine {
	t.Helper()
	w, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC) // later than what the fixtures hold
	w.Now = func() time.Time { now = now.Add(time.Second); return now }
	w.Writer = "aaaaaa"
	cfg, _, _, err := workspace.LoadConfig(workspace.LoadOptions{Flags: o.knobs})
	if err != nil {
		t.Fatal(err)
	}
	return &lifecycle.Engine{Workspace: w, Config: cfg, Agent: o.agent}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func addOne(e *lifecycle.Engine) error {
	_, _, err := e.AddRule(ctx, lifecycle.NewRule{Rule: "Ask for the order id.", Rationale: "It was guessed.\nTwice.", Metric: "m"})
	return err
}

func withRule(t *testing.T, e *lifecycle.Engine) { must(t, addOne(e)) }

func theRule(e *lifecycle.Engine) string {
	rules, err := e.Rules(workspace.Candidate, workspace.Active, workspace.Retired)
	if err != nil || len(rules) == 0 {
		return "r-0000000000"
	}
	return rules[0].ID
}

func report(session string, score float64) lifecycle.Report {
	return lifecycle.Report{SessionID: session, HasScores: true, ReplayInput: []byte(`{"q":1}`),
		Scores: []lifecycle.Score{{Name: "m", Value: &score, Reason: "as measured"}}}
}

func observe(e *lifecycle.Engine, reports ...lifecycle.Report) error {
	_, err := e.NewObserver().Observe(ctx, reports)
	return err
}

func observed(reports ...lifecycle.Report) func(*testing.T, *lifecycle.Engine) {
	return func(t *testing.T, e *lifecycle.Engine) { must(t, observe(e, reports...)) }
}

func withTrial(score float64) func(*testing.T, *lifecycle.Engine) {
	return func(t *testing.T, e *lifecycle.Engine) {
		withRule(t, e)
		must(t, validateOnce(e)) // tells that there is no replay command
		must(t, observe(e, report("s-1", score), report("s-2", score)))
	}
}

func validateOnce(e *lifecycle.Engine) error {
	round, err := e.Validate(ctx, lifecycle.RoundOptions{})
	for _, v := range round.Verdicts {
		if v.ReasonCode == "error" {
			err = errors.Join(err, errors.New(v.Reason))
		}
	}
	return err
}

func addCase(e *lifecycle.Engine, session, kind string) error {
	_, _, err := e.AddCase(ctx, workspace.Case{SessionID: session, Kind: kind, Signature: []string{"breach:m"},
		BaselineScores: map[string]float64{"m": 0.3}, ReplayInput: []byte(`{"n":1.50}`)})
	return err
}

func withCases(n int) func(*testing.T, *lifecycle.Engine) {
	return func(t *testing.T, e *lifecycle.Engine) {
		e.Config.EvalCaseMax = 0
		for i := range n {
			must(t, addCase(e, fmt.Sprint("s-", i), workspace.Failure))
		}
	}
}

func withCaseAndRule(t *testing.T, e *lifecycle.Engine) {
	must(t, addCase(e, "s-1", workspace.Failure))
	withRule(t, e)
}

func theCase(e *lifecycle.Engine) string {
	cases, err := e.Cases("")
	if err != nil || len(cases) == 0 {
		return "c-0000000000"
	}
	return cases[0].ID
}

const otherHistory = `{"s-1::m": {"series": [{"value": 0.5, "ts": "2026-01-01T00:00:00Z", "run_id": "a"},
 {"value": 0.25, "ts": "2026-01-02T00:00:00Z", "run_id": null}], "ewma": {"fast": 0.3, "slow": 0.4, "count": 2}},
 "s-2::m": {"series": [{"value": 1, "ts": "2026-01-03T00:00:00Z", "run_id": null}], "ewma": {"fast": 1, "slow": 1, "count": 1}}}`

func withHistory(t *testing.T, e *lifecycle.Engine) {
	must(t, os.WriteFile(filepath.Join(e.Workspace.Root, "state", "score_history.json"), []byte(otherHistory), 0o666))
}

// otherTemp is a file that another program left.
const otherTemp = ".tmp-x"

// withDamage leaves what a crash leaves: a torn tail, a temporary file, a half
// transition, and a stale rendering.
func withDamage(t *testing.T, e *lifecycle.Engine) {
	withRule(t, e)
	must(t, observe(e, report("s-1", 0.1)))
	root := e.Workspace.Root
	appendTo(filepath.Join(root, "state", "sessions", "s-1.aaaaaa.jsonl"), `{"ts":"2026-`)
	appendTo(filepath.Join(root, "state", "journal", "2027-03-01.aaaaaa.jsonl"),
		`{"ts":"2027-03-01T01:00:00.000000Z","id":"0123456789abcdef","type":"rule_promote","rule_id":"`+theRule(e)+`","reason":"x"}`+"\n")
	must(t, os.WriteFile(filepath.Join(root, "state", "rules", otherTemp), []byte("id ="), 0o666))
	must(t, os.Remove(filepath.Join(root, workspace.RenderedName)))
	halfRetired(t, e)
	retired, err := filepath.Glob(filepath.Join(root, "state", "rules", "*.toml"))
	must(t, err)
	for _, file := range retired {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), `"retired"`) {
			must(t, os.WriteFile(filepath.Join(root, "state", "rules", "retired", filepath.Base(file)), text, 0o666))
		}
	}
}

// replaying is an agent whose every replay scores the same.
type replaying float64

func (replaying) Preflight() error { return nil }

func (r replaying) Replay(_ context.Context, _ replayexec.Request, caseID, _ string) (replayexec.Answer, error) {
	return replayexec.Answer{SessionID: "new-" + caseID, Scores: map[string]float64{"m": float64(r)}, HasScores: true}, nil
}

type inconclusive struct{}

func (inconclusive) Preflight() error { return nil }

func (inconclusive) Replay(context.Context, replayexec.Request, string, string) (replayexec.Answer, error) {
	return replayexec.Answer{}, &replayexec.Inconclusive{Code: "exit_nonzero", Detail: "came to nothing"}
}

// content is every file but those that belong to the clone alone, and but the
// rendered rules, which every writer brings up to date.
func content(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if strings.Contains("/"+rel, "/state/local/") || rel == workspace.RenderedName {
			return nil
		}
		b, err := os.ReadFile(path)
		files[rel] = string(b)
		return err
	}))
	return files
}

// differing finds what is made up anew in each run.
var differing = regexp.MustCompile(`"duration_s":[0-9.e-]+|[0-9a-f]{10,}|\d{4}-\d\d-\d\dT[0-9:.]+Z|n-\d{8}T\d{12}-[0-9a-f]{8}`)

// masked is the content, and the rendered rules, without what differs from run
// to run.
func masked(t *testing.T, root string) (files []string) {
	t.Helper()
	all := content(t, root)
	if rendered, err := os.ReadFile(filepath.Join(root, workspace.RenderedName)); err == nil {
		all[workspace.RenderedName] = string(rendered)
	}
	for name, text := range all {
		files = append(files, differing.ReplaceAllString(name+"\n"+text, "X"))
	}
	slices.Sort(files)
	return files
}

// copied copies a workspace, so that it can be spoilt.
func copied(t *testing.T, from string) string {
	t.Helper()
	to := quickDir(t)
	must(t, os.CopyFS(to, os.DirFS(from)))
	return to
}

// quickDir is a folder in memory where the system has such: a test that fails
// thousands of steps need not wait for a disk.
func quickDir(t *testing.T) string {
	t.Helper()
	const memory = "/dev/shm"
	if st, err := os.Stat(memory); err != nil || !st.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "pandaprobe-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// halfRetired leaves a rule among the live ones that is retired.
func halfRetired(t *testing.T, e *lifecycle.Engine) {
	t.Helper()
	rule, _, err := e.AddRule(ctx, lifecycle.NewRule{Rule: "Answer in verse.", Metric: "m"})
	must(t, err)
	_, err = e.RetireRule(ctx, rule.ID, "it does harm")
	must(t, err)
	rules := filepath.Join(e.Workspace.Root, "state", "rules")
	must(t, os.Rename(filepath.Join(rules, "retired", rule.ID+".toml"), filepath.Join(rules, rule.ID+".toml")))
}

// allFiles is the content of every file of a folder.
func allFiles(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		files[path] = string(b)
		return err
	}))
	return files
}
