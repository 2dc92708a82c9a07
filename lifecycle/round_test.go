package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestNothingEvaluatedIsNoVerdict is the kind of R-11.
func TestNothingEvaluatedIsNoVerdict(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	rule := addRule(t, e, "Do it.", "m")
	agent := &scriptedAgent{answer: inconclusive(replayexec.ExitNonzero)}
	e.Agent = agent
	for attempt := 1; attempt <= 3; attempt++ {
		round := validate(t, e, lifecycle.RoundOptions{Gates: lifecycle.Gates{lifecycle.GateInconclusive}})
		if diff := cmp.Diff([]string{"pending replay inconclusive false"}, outcomes(round)); diff != "" {
			t.Fatal(diff)
		}
		if !strings.Contains(round.Verdicts[0].Reason, fmt.Sprintf("attempt %d of 3", attempt)) || len(round.Gate) != 1 {
			t.Errorf("round %d: %q, gate %v", attempt, round.Verdicts[0].Reason, round.Gate)
		}
		if status, _ := e.RuleStatus(rule.ID); status.Lifecycle.ReplayAttempts != attempt {
			t.Errorf("round %d: %d attempts", attempt, status.Lifecycle.ReplayAttempts)
		}
	}
	agent.answer = scored("m", 0.9)
	if got := outcomes(validate(t, e, lifecycle.RoundOptions{})); !strings.HasPrefix(got[0], "pending forward_trial") {
		t.Errorf("after three attempts: %v, want the trial to judge", got)
	}
}

func TestACrashingFailureDoesNotHideARegressingWin(t *testing.T) {
	e := newEngine(t, nil)
	failure := addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	win := addCase(t, e, workspace.Win, "s-2", "m", 0.9)
	addRule(t, e, "Do it.", "m")
	e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
		if id == failure.ID {
			return inconclusive(replayexec.KilledBySignal)(id)
		}
		return scored("m", 0.2)(id)
	}}
	v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]
	if v.Outcome != lifecycle.Retire || !strings.Contains(v.Reason, win.ID) || !strings.Contains(v.Reason, "m -0.70") {
		t.Errorf("got %s: %s", v.Outcome, v.Reason)
	}
}

func TestAFailureThatDidNotMeasureTheTargetIsNoEvidence(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	addRule(t, e, "Do it.", "m")
	e.Agent = &scriptedAgent{answer: scored("other", 0.9)}
	if got := outcomes(validate(t, e, lifecycle.RoundOptions{})); got[0] != "pending replay inconclusive false" {
		t.Errorf("got %v", got)
	}
}

func TestASetUpFaultCountsNoAttempt(t *testing.T) {
	for name, agent := range map[string]*scriptedAgent{
		"known before":   {preflight: &replayexec.StartError{Name: "x", Err: os.ErrNotExist}},
		"known at start": {answer: func(string) (replayexec.Answer, error) { return replayexec.Answer{}, &replayexec.StartError{Name: "x"} }},
		"no way to score": {answer: func(string) (replayexec.Answer, error) {
			return replayexec.Answer{SessionID: "s9"}, nil
		}},
	} {
		e := newEngine(t, nil)
		addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
		first, second := addRule(t, e, "Do it.", "m"), addRule(t, e, "Do that.", "m")
		e.Agent = agent
		round, err := e.Validate(context.Background(), lifecycle.RoundOptions{})
		if err == nil || round.OK || len(round.Verdicts) != 0 {
			t.Errorf("%s: %v, %+v", name, err, round)
		}
		if len(agent.requests) > 1 {
			t.Errorf("%s: %d replays were tried", name, len(agent.requests))
		}
		for _, id := range []string{first.ID, second.ID} {
			if status, _ := e.RuleStatus(id); status.Lifecycle.ReplayAttempts != 0 || status.Lifecycle.Status != workspace.Candidate {
				t.Errorf("%s: %+v", name, status.Lifecycle)
			}
		}
	}
}

func TestTheContextHoldsTheCandidateUnderTestAlone(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	first, second := addRule(t, e, "Rule one.", "m"), addRule(t, e, "Rule two.", "m")
	agent := &scriptedAgent{answer: scored("m", 0.9)}
	e.Agent = agent
	round := validate(t, e, lifecycle.RoundOptions{})
	for i, want := range [][2]string{{first.Rule, second.Rule}, {second.Rule, first.Rule}} {
		if got := agent.requests[i].Context; !strings.Contains(got, want[0]) || strings.Contains(got, want[1]) {
			t.Errorf("context %d holds not just its candidate:\n%s", i+1, got)
		}
	}
	if diff := cmp.Diff([]string{second.ID}, round.Verdicts[1].Details.ContextRules); diff != "" {
		t.Error(diff)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	addRule(t, e, "Do it.", "m")
	before := files(t, e.Workspace.Root)
	for _, answer := range []func(string) (replayexec.Answer, error){scored("m", 0.3), scored("m", 0.9), inconclusive(replayexec.TimedOut)} {
		e.Agent = &scriptedAgent{answer: answer}
		validate(t, e, lifecycle.RoundOptions{DryRun: true})
	}
	e.Agent = nil
	validate(t, e, lifecycle.RoundOptions{DryRun: true})
	if diff := cmp.Diff(before, files(t, e.Workspace.Root)); diff != "" {
		t.Errorf("a dry run changed files:\n%s", diff)
	}
}

func TestCommittedStateHoldsNoOutputOfTheCommand(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	win := addCase(t, e, workspace.Win, "s-2", "m", 0.9)
	addRule(t, e, "Do it.", "m")
	e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
		if id == win.ID {
			return scored("m", 0.1)(id)
		}
		return inconclusive(replayexec.ExitNonzero)(id)
	}}
	round := validate(t, e, lifecycle.RoundOptions{})
	if round.Verdicts[0].Details.Cases[0].StderrTail != "secret output" {
		t.Error("the verdict that is printed lacks the output's tail")
	}
	for path, content := range files(t, e.Workspace.Root) {
		if strings.Contains(content, "secret output") {
			t.Errorf("%s holds it", path)
		}
	}
}

func TestTheFallbackIsAnnouncedOnce(t *testing.T) {
	e := newEngine(t, nil)
	logged := 0
	e.Log = func(string) { logged++ }
	modes := func() string {
		events, err := e.Workspace.Events(workspace.JournalFilter{Types: []string{lifecycle.EventValidation}})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, event := range events {
			var data struct {
				Mode string `json:"mode"`
			}
			if err := event.Decode(&data); err != nil {
				t.Fatal(err)
			}
			all = append(all, data.Mode)
		}
		return strings.Join(all, " ")
	}
	validate(t, e, lifecycle.RoundOptions{})
	addRule(t, e, "Do it.", "m")
	for range 3 {
		validate(t, e, lifecycle.RoundOptions{})
	}
	if got := modes(); got != "forward_trial" || logged != 1 {
		t.Fatalf("journal: %q, %d log lines", got, logged)
	}
	os.RemoveAll(filepath.Join(e.Workspace.Root, "state", "local")) // a fresh clone
	validate(t, e, lifecycle.RoundOptions{})
	if got := modes(); got != "forward_trial" {
		t.Fatalf("a fresh clone: %q", got)
	}
	e.Agent = &scriptedAgent{answer: scored("m", 0.9)}
	validate(t, e, lifecycle.RoundOptions{})
	e.Agent = nil
	validate(t, e, lifecycle.RoundOptions{})
	if got := modes(); got != "forward_trial replay forward_trial" || logged != 2 {
		t.Errorf("after a command had come and gone: %q, %d log lines", got, logged)
	}
}

func TestABrokenRuleStopsNobodyElse(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	broken, good := addRule(t, e, "Rule one.", "m"), addRule(t, e, "Rule two.", "m")
	path := filepath.Join(e.Workspace.Root, "state", "rules", broken.ID+".toml")
	if err := os.WriteFile(path, []byte("id = \n<<<<<<< HEAD\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	e.Agent = &scriptedAgent{answer: scored("m", 0.9)}
	round, err := e.Validate(context.Background(), lifecycle.RoundOptions{})
	var files *lifecycle.BrokenFilesError
	if !errors.As(err, &files) || !strings.Contains(err.Error(), broken.ID) || round.OK {
		t.Errorf("got %v", err)
	}
	if got, _ := e.Rule(good.ID); got.Status != workspace.Active {
		t.Errorf("the other rule is %s", got.Status)
	}
}

func TestBackgroundReplaysWaitAfterAnInconclusiveRound(t *testing.T) {
	e := newEngine(t, nil)
	now := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	e.Workspace.Now = func() time.Time { return now }
	c := addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	addRule(t, e, "Do it.", "m")
	agent := &scriptedAgent{answer: inconclusive(replayexec.TimedOut)}
	e.Agent = agent
	replays := func(o lifecycle.RoundOptions) int {
		agent.requests = nil
		validate(t, e, o)
		return len(agent.requests)
	}
	background := lifecycle.RoundOptions{Background: true}
	for _, step := range []struct {
		after time.Duration
		o     lifecycle.RoundOptions
		want  int
	}{
		{0, background, 1}, {9 * time.Minute, background, 0}, {time.Minute, background, 1},
		{19 * time.Minute, background, 0}, {0, lifecycle.RoundOptions{}, 1},
	} {
		now = now.Add(step.after)
		if got := replays(step.o); got != step.want {
			t.Errorf("at %s: %d replays, want %d", now.Format("15:04"), got, step.want)
		}
	}

	e2 := newEngine(t, nil)
	c = addCase(t, e2, workspace.Failure, "s-1", "m", 0.3)
	addRule(t, e2, "Do it.", "m")
	e2.Agent = agent
	validate(t, e2, background)
	if _, err := e2.AttachCase(context.Background(), c.ID, []byte(`{"q":2}`)); err != nil {
		t.Fatal(err)
	}
	agent.requests = nil
	if validate(t, e2, background); len(agent.requests) != 1 {
		t.Error("a changed case was not replayed at once")
	}
}

func TestRuleValidationOffJudgesNothingAndSaysSo(t *testing.T) {
	e := newEngine(t, map[string]any{"rule_validation": false})
	rule := addRule(t, e, "Do it.", "m")
	round := validate(t, e, lifecycle.RoundOptions{})
	if rule.Status != workspace.Active || round.Checked != 0 || len(round.Notes) != 1 {
		t.Errorf("%s, %+v", rule.Status, round)
	}
}

func TestAnEditedTextStartsItsTrialAnew(t *testing.T) {
	e := newEngine(t, map[string]any{"rule_trial_min_sessions": 2})
	rule := addRule(t, e, "Do it.", "m")
	o := e.NewObserver()
	observe(t, o, `{"session_id":"a","scores":{"m":0.9}}`)
	observe(t, o, `{"session_id":"b","scores":{"m":0.9}}`)
	path := filepath.Join(e.Workspace.Root, "state", "rules", rule.ID+".toml")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(src), "Do it.", "Do something else.", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := outcomes(validate(t, e, lifecycle.RoundOptions{})); got[0] != "pending forward_trial trial_in_progress false" {
		t.Errorf("got %v: the new text was judged on the sessions of the old one", got)
	}
	observe(t, o, `{"session_id":"b","scores":{"m":0.9}}`)
	observe(t, o, `{"session_id":"c","scores":{"m":0.9}}`)
	if got := outcomes(validate(t, e, lifecycle.RoundOptions{})); got[0] != "promote forward_trial breach_rate_dropped true" {
		t.Errorf("got %v", got)
	}
}

func TestAReplayStartsNoRound(t *testing.T) {
	e := newEngine(t, nil)
	e.InReplay = true
	if _, err := e.Validate(context.Background(), lifecycle.RoundOptions{}); workspace.CodeOf(err) != workspace.CodeRefused {
		t.Errorf("got %v", err)
	}
}

func TestABrokenCaseIsToldAndFailsTheRound(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	win := addCase(t, e, workspace.Win, "s-2", "m", 0.9)
	addRule(t, e, "Do it.", "m")
	path := filepath.Join(e.Workspace.Root, "state", "evalset", win.ID+".json")
	if err := os.WriteFile(path, []byte("<<<<<<< HEAD\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	e.Agent = &scriptedAgent{answer: scored("m", 0.9)}
	round, err := e.Validate(context.Background(), lifecycle.RoundOptions{})
	var files *lifecycle.BrokenFilesError
	if !errors.As(err, &files) || round.OK || len(round.Notes) != 1 || !strings.Contains(round.Notes[0], win.ID) {
		t.Errorf("got %v, %+v", err, round)
	}
	if diff := cmp.Diff([]string{"pending replay unreadable_case false"}, outcomes(round)); diff != "" {
		t.Error(diff)
	}
	e.Agent = &scriptedAgent{answer: scored("m", 0.1)}
	if round, _ = e.Validate(context.Background(), lifecycle.RoundOptions{}); round.Verdicts[0].Outcome != lifecycle.Retire {
		t.Errorf("what is known to do harm is not retired: %+v", round.Verdicts[0])
	}
}

func TestAPromotionNamesWhatItDoesNotRestOn(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	win := addCase(t, e, workspace.Win, "s-2", "m", 0.9)
	addRule(t, e, "Do it.", "m")
	e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
		if id == win.ID {
			return inconclusive(replayexec.KilledBySignal)(id)
		}
		return scored("m", 0.9)(id)
	}}
	v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]
	if v.Outcome != lifecycle.Promote || !strings.Contains(v.Reason, "not compared: win "+win.ID) {
		t.Errorf("%s: %s", v.Outcome, v.Reason)
	}
}

func TestTheTrialSaysWhyNothingWasReplayed(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	addRule(t, e, "Without a metric.", "")
	addRule(t, e, "With a mistyped one.", "n")
	e.Agent = &scriptedAgent{answer: scored("m", 0.9)}
	round := validate(t, e, lifecycle.RoundOptions{})
	for i, want := range []string{"it names no metric and no signature", "shows breach:n"} {
		if got := round.Verdicts[i].Reason; !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}
