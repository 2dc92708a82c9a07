package lifecycle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// eachVector runs a subtest for each vector of a folder.
func eachVector[T any](t *testing.T, folder string, run func(t *testing.T, vector T)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "fixtures", "vectors", folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", folder, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var vector T
			if err := json.Unmarshal(data, &vector); err != nil {
				t.Fatal(err)
			}
			run(t, vector)
		})
	}
}

// newEngine returns an engine on a fresh workspace with the vector's knobs. Its
// clock advances a second at each look, so that no two records share a time.
func newEngine(t *testing.T, knobs map[string]any) *lifecycle.Engine {
	t.Helper()
	ws, err := workspace.Init(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws.Warn = func(err error) { t.Logf("warning: %v", err) }
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	ws.Now = func() time.Time { now = now.Add(time.Second); return now }
	cfg, _, _, err := workspace.LoadConfig(workspace.LoadOptions{Flags: settings(knobs)})
	if err != nil {
		t.Fatal(err)
	}
	return &lifecycle.Engine{Workspace: ws, Config: cfg}
}

func settings(knobs map[string]any) []string {
	var flags []string
	for name, value := range knobs {
		if table, ok := value.(map[string]any); ok {
			for key, v := range table {
				flags = append(flags, fmt.Sprintf("%s.%s=%v", name, key, v))
			}
			continue
		}
		flags = append(flags, fmt.Sprintf("%s=%v", name, value))
	}
	return flags
}

// within compares floats to 1e-9.
var within = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 })

type ruleVector struct {
	Config  map[string]any
	Notices []workspaceNotice
	Steps   []struct {
		Op, Rule, Rationale string
		Metric, NoticeID    *string `json:",omitempty"`
		Notice              *string `json:"notice_id"`
		Tags                []string
		Of                  int
		Expected            struct {
			Result, Why string
			Of          int
			Rule        *storedRule
		}
	}
	ExpectedRules []storedRule `json:"expected_rules"`
}

type workspaceNotice = json.RawMessage

type storedRule struct {
	Rule, Rationale string
	Notice          *string `json:"source_notice_id"`
	Metric          *string
	Status          string
	Tags            []string
	Step            int
}

func stored(r workspace.Rule, step int) storedRule {
	return storedRule{Rule: r.Rule, Rationale: r.Rationale, Notice: optional(r.SourceNoticeID), Metric: optional(r.Metric),
		Status: string(r.Status), Tags: r.Tags, Step: step}
}

func optional(t workspace.Text) *string {
	if t == "" {
		return nil
	}
	s := string(t)
	return &s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestRuleVectors(t *testing.T) {
	eachVector(t, "rules", func(t *testing.T, v ruleVector) {
		ctx, e := context.Background(), newEngine(t, v.Config)
		putNotices(t, e, v.Notices)
		ids, added := map[int]string{}, map[string]int{}
		for i, step := range v.Steps {
			if step.Op == "retire" {
				_, err := e.RetireRule(ctx, ids[step.Of], "no longer wanted")
				if got := map[bool]string{true: "retired", false: "refused"}[err == nil]; got != step.Expected.Result {
					t.Fatalf("step %d: %s (%v), want %s", i, got, err, step.Expected.Result)
				}
				continue
			}
			rule, created, err := e.AddRule(ctx, lifecycle.NewRule{
				Rule: step.Rule, Rationale: step.Rationale, Metric: text(step.Metric), NoticeID: text(step.Notice), Tags: step.Tags,
			})
			if got := addResult(created, err); got != step.Expected.Result {
				t.Fatalf("step %d: %s (%v), want %s", i, got, err, step.Expected.Result)
			}
			if err != nil {
				if want := map[string]workspace.Code{"cap": workspace.CodeRefused, "empty": workspace.CodeBadInput}[step.Expected.Why]; workspace.CodeOf(err) != want {
					t.Errorf("step %d: refused with %v, want code %s", i, err, want)
				}
				continue
			}
			ids[i] = rule.ID
			if created {
				added[rule.ID] = i
			} else if added[rule.ID] != step.Expected.Of {
				t.Errorf("step %d: found the rule of step %d, want that of %d", i, added[rule.ID], step.Expected.Of)
			}
			if diff := cmp.Diff(*step.Expected.Rule, stored(rule, 0)); diff != "" {
				t.Errorf("step %d (-want +got):\n%s", i, diff)
			}
		}
		checkStoredRules(t, e, v.ExpectedRules, added)
	})
}

func addResult(created bool, err error) string {
	switch {
	case err != nil:
		return "refused"
	case created:
		return "added"
	}
	return "existing"
}

func checkStoredRules(t *testing.T, e *lifecycle.Engine, want []storedRule, added map[string]int) {
	t.Helper()
	rules, err := e.Rules(workspace.Candidate, workspace.Active, workspace.Retired)
	if err != nil {
		t.Fatal(err)
	}
	got := []storedRule{}
	for _, r := range rules {
		got = append(got, stored(r, added[r.ID]))
	}
	slices.SortFunc(got, func(a, b storedRule) int { return a.Step - b.Step })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules in the end (-want +got):\n%s", diff)
	}
}

func putNotices(t *testing.T, e *lifecycle.Engine, notices []workspaceNotice) {
	t.Helper()
	err := e.Workspace.Update(context.Background(), func(tx *workspace.Tx) error {
		for _, raw := range notices {
			var n workspace.Notice
			if err := workspace.DecodeInput("vector", raw, &n); err != nil {
				return err
			}
			n.Status = workspace.Pending
			if err := tx.PutNotice(n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

type replayVector struct {
	Config map[string]any
	Cases  []json.RawMessage
	Rule   vectorRule
	Rounds []struct {
		Observations []vectorObservation
		Replays      map[string]vectorReplay
		Expected     struct {
			Replayed       []string
			Outcome        *string
			Validator      *string
			Status         string
			ReplayAttempts int `json:"replay_attempts"`
			Inconclusive   int
			Cases          []vectorCase
		}
	}
}

type vectorRule struct {
	Rule, Rationale string
	Metric          *string
	Tags            []string
}

type vectorObservation struct {
	SessionID  string `json:"session_id"`
	Signatures []string
}

type vectorReplay struct {
	Scores         map[string]float64
	Error, Timeout bool
}

type vectorCase struct {
	CaseID string `json:"case_id"`
	Kind   string
	Deltas map[string]float64
}

// vectorAgent answers replays from a vector and notes their order.
type vectorAgent struct {
	answers  map[string]vectorReplay
	replayed []string
}

func (a *vectorAgent) Preflight() error { return nil }

func (a *vectorAgent) Replay(_ context.Context, _ replayexec.Request, caseID, _ string) (replayexec.Answer, error) {
	a.replayed = append(a.replayed, caseID)
	answer, ok := a.answers[caseID]
	switch {
	case !ok:
		return replayexec.Answer{}, fmt.Errorf("the vector has no answer for %s", caseID)
	case answer.Timeout:
		return replayexec.Answer{}, &replayexec.Inconclusive{Code: replayexec.TimedOut, Detail: "timed out"}
	case answer.Error:
		return replayexec.Answer{}, &replayexec.Inconclusive{Code: replayexec.ExitNonzero, Detail: "ended with exit code 1"}
	}
	return replayexec.Answer{SessionID: "new-" + caseID, Scores: answer.Scores, HasScores: true}, nil
}

func TestReplayVectors(t *testing.T) {
	eachVector(t, "replay", func(t *testing.T, v replayVector) {
		ctx, e := context.Background(), newEngine(t, v.Config)
		putCases(t, e, v.Cases)
		rule := addVectorRule(t, e, v.Rule)
		agent := &vectorAgent{}
		e.Agent = agent
		for i, round := range v.Rounds {
			observeVector(t, e, round.Observations)
			agent.answers, agent.replayed = round.Replays, []string{}
			got, err := e.Validate(ctx, lifecycle.RoundOptions{})
			if err != nil {
				t.Fatalf("round %d: %v", i+1, err)
			}
			want := round.Expected
			if diff := cmp.Diff(want.Replayed, agent.replayed); diff != "" {
				t.Errorf("round %d: replayed (-want +got):\n%s", i+1, diff)
			}
			checkVerdict(t, i+1, got.Verdicts, want.Outcome, want.Validator)
			cases, inconclusive := comparedCases(got.Verdicts)
			if diff := cmp.Diff(want.Cases, cases, within); diff != "" || inconclusive != want.Inconclusive {
				t.Errorf("round %d: %d inconclusive, want %d; cases (-want +got):\n%s", i+1, inconclusive, want.Inconclusive, diff)
			}
			status, err := e.RuleStatus(rule.ID)
			if err != nil || string(status.Lifecycle.Status) != want.Status || status.Lifecycle.ReplayAttempts != want.ReplayAttempts {
				t.Errorf("round %d: %+v (%v), want %s after %d attempts", i+1, status.Lifecycle, err, want.Status, want.ReplayAttempts)
			}
		}
	})
}

func putCases(t *testing.T, e *lifecycle.Engine, cases []json.RawMessage) {
	t.Helper()
	for _, raw := range cases {
		var c workspace.Case
		if err := workspace.DecodeInput("vector", raw, &c); err != nil {
			t.Fatal(err)
		}
		if _, _, err := e.AddCase(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
}

func addVectorRule(t *testing.T, e *lifecycle.Engine, r vectorRule) workspace.Rule {
	t.Helper()
	rule, _, err := e.AddRule(context.Background(), lifecycle.NewRule{Rule: r.Rule, Rationale: r.Rationale, Metric: text(r.Metric), Tags: r.Tags})
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

func observeVector(t *testing.T, e *lifecycle.Engine, observations []vectorObservation) {
	t.Helper()
	observer := e.NewObserver()
	for _, o := range observations {
		report := lifecycle.Report{SessionID: o.SessionID, Signatures: o.Signatures, HasSignatures: true}
		if _, err := observer.Observe(context.Background(), []lifecycle.Report{report}); err != nil {
			t.Fatal(err)
		}
	}
}

func checkVerdict(t *testing.T, number int, verdicts []lifecycle.Verdict, outcome, validator *string) {
	t.Helper()
	if outcome == nil {
		if len(verdicts) != 0 {
			t.Errorf("round %d: got %+v, want no verdict", number, verdicts)
		}
		return
	}
	if len(verdicts) != 1 || verdicts[0].Outcome != *outcome || verdicts[0].Validator != *validator || verdicts[0].Reason == "" {
		t.Errorf("round %d: got %+v, want %s by %s", number, verdicts, *outcome, *validator)
	}
}

func comparedCases(verdicts []lifecycle.Verdict) (cases []vectorCase, inconclusive int) {
	cases = []vectorCase{}
	for _, v := range verdicts {
		if v.Details.ReplayDetails == nil {
			continue
		}
		inconclusive += v.Details.Inconclusive
		for _, c := range v.Details.Cases {
			if c.ReasonCode == "" {
				cases = append(cases, vectorCase{c.CaseID, c.Kind, c.Deltas})
			}
		}
	}
	return cases, inconclusive
}

type forwardVector struct {
	Config  map[string]any
	Journal []struct {
		Type       string
		SessionID  string `json:"session_id"`
		Signatures []string
	}
	Rule             vectorRule
	Observations     []vectorObservation
	ExpectedBaseline struct {
		Window   int     `json:"baseline_window"`
		Sessions int     `json:"baseline_sessions"`
		Breached int     `json:"baseline_breached_sessions"`
		Rate     float64 `json:"baseline_rate"`
	} `json:"expected_baseline"`
	Checkpoints []struct {
		After            int
		Outcome          *string
		Validator        *string
		Status           string
		TrialRate        float64 `json:"trial_rate"`
		SessionsObserved int     `json:"sessions_observed"`
	}
}

func TestForwardVectors(t *testing.T) {
	eachVector(t, "forward", func(t *testing.T, v forwardVector) {
		e := newEngine(t, v.Config)
		err := e.Workspace.Update(context.Background(), func(tx *workspace.Tx) error {
			for _, event := range v.Journal {
				data := map[string]any{}
				if event.Signatures != nil {
					data["signatures"] = event.Signatures
				}
				if _, err := tx.Journal(workspace.Event{Type: event.Type, SessionID: event.SessionID}, data); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		rule := addVectorRule(t, e, v.Rule)
		want := v.ExpectedBaseline
		if got := rule.Trial; got.BaselineWindow != want.Window || got.BaselineSessions != want.Sessions ||
			got.BaselineBreachedSessions != want.Breached || math.Abs(got.BaselineRate-want.Rate) > 1e-9 {
			t.Errorf("baseline %+v, want %+v", got, want)
		}
		done := 0
		for i, point := range v.Checkpoints {
			observeVector(t, e, v.Observations[done:point.After])
			done = point.After
			round, err := e.Validate(context.Background(), lifecycle.RoundOptions{})
			if err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, i+1, round.Verdicts, point.Outcome, point.Validator)
			status, err := e.RuleStatus(rule.ID)
			l := status.Lifecycle
			if err != nil || string(l.Status) != point.Status || math.Abs(l.TrialRate-point.TrialRate) > 1e-9 || l.SessionsObserved != point.SessionsObserved {
				t.Errorf("after %d: %+v (%v), want %+v", point.After, l, err, point)
			}
		}
	})
}
