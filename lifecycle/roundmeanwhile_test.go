package lifecycle_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func TestAVerdictIsAppliedOnlyToWhatWasTested(t *testing.T) {
	for name, meddle := range map[string]func(e *lifecycle.Engine, id string){
		"edited": func(e *lifecycle.Engine, id string) {
			path := filepath.Join(e.Workspace.Root, "state", "rules", id+".toml")
			src, _ := os.ReadFile(path)
			os.WriteFile(path, []byte(strings.Replace(string(src), "Do it.", "Do it twice.", 1)), 0o666)
		},
		"retired": func(e *lifecycle.Engine, id string) { e.RetireRule(context.Background(), id, "by hand") },
	} {
		e := newEngine(t, nil)
		addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
		rule := addRule(t, e, "Do it.", "m")
		e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
			meddle(e, rule.ID)
			return scored("m", 0.9)(id)
		}}
		v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]
		if v.Applied || v.ReasonCode != lifecycle.CodeChanged {
			t.Errorf("%s: %+v", name, v)
		}
		if got, _ := e.Rule(rule.ID); got.Status == workspace.Active {
			t.Errorf("%s: the rule became active", name)
		}
		if events, _ := e.Workspace.Events(workspace.JournalFilter{Types: []string{lifecycle.EventPromote}}); len(events) != 0 {
			t.Errorf("%s: a promotion was journaled", name)
		}
	}
}

// TestAVerdictRestsOnTheCasesAsTheyAre meddles with the eval set while the agent
// runs, and wants no verdict on what is no longer there.
func TestAVerdictRestsOnTheCasesAsTheyAre(t *testing.T) {
	for _, test := range []struct {
		name, code string
		score      float64
		meddle     func(e *lifecycle.Engine, failure, win workspace.Case) error
		broken     bool // a case is, when the round begins
	}{
		{"nothing happens", lifecycle.CodeImproved, 0.9, func(*lifecycle.Engine, workspace.Case, workspace.Case) error { return nil }, false},
		{"a new case", lifecycle.CodeImproved, 0.9, func(e *lifecycle.Engine, _, _ workspace.Case) error {
			_, _, err := e.AddCase(context.Background(), workspace.Case{Kind: workspace.Failure, SessionID: "s-new",
				Signature: []string{"breach:m"}, BaselineScores: map[string]float64{"m": 0.1}, ReplayInput: []byte(`1`)})
			return err
		}, false},
		{"the failure is removed", lifecycle.CodeChanged, 0.9, func(e *lifecycle.Engine, failure, _ workspace.Case) error {
			_, err := e.RemoveCase(context.Background(), failure.ID)
			return err
		}, false},
		{"the win is removed", lifecycle.CodeChanged, 0.9, func(e *lifecycle.Engine, _, win workspace.Case) error {
			_, err := e.RemoveCase(context.Background(), win.ID)
			return err
		}, false},
		{"a removed win does not retire", lifecycle.CodeChanged, 0.5, func(e *lifecycle.Engine, _, win workspace.Case) error {
			_, err := e.RemoveCase(context.Background(), win.ID)
			return err
		}, false},
		{"the failure gets another input", lifecycle.CodeChanged, 0.9, func(e *lifecycle.Engine, failure, _ workspace.Case) error {
			_, err := e.AttachCase(context.Background(), failure.ID, []byte(`{"q":2}`))
			return err
		}, false},
		{"the win cannot be read", lifecycle.CodeUnreadableCase, 0.9, func(e *lifecycle.Engine, _, win workspace.Case) error {
			return os.WriteFile(filepath.Join(e.Workspace.Root, "state", "evalset", win.ID+".json"), []byte("<<<<<<< HEAD\n"), 0o666)
		}, false},
		{"a new case cannot be read", lifecycle.CodeUnreadableCase, 0.9, func(e *lifecycle.Engine, _, _ workspace.Case) error {
			return os.WriteFile(brokenCase(e), []byte("{"), 0o666)
		}, false},
		{"a broken case is mended", lifecycle.CodeUnreadableCase, 0.9, func(e *lifecycle.Engine, _, _ workspace.Case) error {
			return os.Remove(brokenCase(e))
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := newEngine(t, nil)
			if test.broken {
				if err := os.WriteFile(brokenCase(e), []byte("{"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			failure, win := addCase(t, e, workspace.Failure, "s-1", "m", 0.3), addCase(t, e, workspace.Win, "s-2", "m", 0.9)
			rule := addRule(t, e, "Do it.", "m")
			meddled := false
			e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
				if id == win.ID && !meddled { // the last one
					meddled = true
					if err := test.meddle(e, failure, win); err != nil {
						t.Fatal(err)
					}
				}
				return scored("m", test.score)(id)
			}}
			round, _ := e.Validate(context.Background(), lifecycle.RoundOptions{}) // an unreadable case is its error
			v := round.Verdicts[0]
			if !meddled || v.ReasonCode != test.code || v.Applied != (test.code == lifecycle.CodeImproved) {
				t.Errorf("%+v, want %s", v, test.code)
			}
			now, err := e.Rule(rule.ID)
			if err != nil || (now.Status == workspace.Candidate) == v.Applied || now.Trial.ReplayAttempts > 0 {
				t.Errorf("%v, %d attempts, %v", now.Status, now.Trial.ReplayAttempts, err)
			}
		})
	}
}

func brokenCase(e *lifecycle.Engine) string {
	return filepath.Join(e.Workspace.Root, "state", "evalset", "c-0123456789.json")
}

// TestAnOldSessionIsNoReplay: a score that was fetched says nothing of the
// candidate when its session is older than the replay.
func TestAnOldSessionIsNoReplay(t *testing.T) {
	for _, test := range []struct {
		name, session, code string
		prepare             func(t *testing.T, e *lifecycle.Engine)
	}{
		{"a new one", "new", "", nil},
		{"captured as this case", "s-1", replayexec.OwnSession, nil},
		{"captured as another case", "s-2", replayexec.KnownSession, func(t *testing.T, e *lifecycle.Engine) {
			addCase(t, e, workspace.Win, "s-2", "other", 0.9)
		}},
		{"reported before", "live", replayexec.KnownSession, func(t *testing.T, e *lifecycle.Engine) {
			observe(t, e.NewObserver(), `{"session_id":"live","scores":{"m":0.9}}`)
		}},
		{"reported by an earlier replay", "replayed", replayexec.KnownSession, func(t *testing.T, e *lifecycle.Engine) {
			inside := &lifecycle.Engine{Workspace: e.Workspace, Config: e.Config, InReplay: true}
			observe(t, inside.NewObserver(), `{"session_id":"replayed","scores":{"m":0.9}}`)
		}},
		{"of an earlier verdict", "judged", replayexec.KnownSession, func(t *testing.T, e *lifecycle.Engine) {
			addRule(t, e, "An older rule.", "m")
			e.Agent, e.Scorer = naming("judged"), fixedScorer{"m": 0.9}
			if v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]; !v.Applied {
				t.Fatalf("%+v", v)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := newEngine(t, nil)
			addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
			if test.prepare != nil {
				test.prepare(t, e)
			}
			addRule(t, e, "Do it.", "m")
			e.Agent, e.Scorer = naming(test.session), fixedScorer{"m": 0.9}
			v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]
			if got := v.Details.Cases[0].ReasonCode; got != test.code || v.Applied != (test.code == "") {
				t.Errorf("%+v, want %q", v, test.code)
			}
		})
	}
}

// TestASessionThatReportsItselfDuringItsReplayIsNew, as that of an agent which
// does not know that it is replayed.
func TestASessionThatReportsItselfDuringItsReplayIsNew(t *testing.T) {
	e := newEngine(t, map[string]any{"capture_eval_cases": true})
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	addRule(t, e, "Do it.", "m")
	e.Scorer = fixedScorer{"m": 0.9}
	e.Agent = &scriptedAgent{answer: func(string) (replayexec.Answer, error) {
		observe(t, e.NewObserver(), `{"session_id":"new","scores":{"m":0.1},"replay_input":1}`) // captured as a failure
		return replayexec.Answer{SessionID: "new"}, nil
	}}
	if v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]; !v.Applied {
		t.Errorf("%+v", v)
	}
}

// naming is an agent that names the session and leaves its scores to the scorer.
func naming(session string) *scriptedAgent {
	return &scriptedAgent{answer: func(string) (replayexec.Answer, error) { return replayexec.Answer{SessionID: session}, nil }}
}

func TestOwnAndRepeatedSessionsAreInconclusiveWhenScoresAreFetched(t *testing.T) {
	e := newEngine(t, nil)
	addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
	addCase(t, e, workspace.Failure, "s-2", "m", 0.3)
	addRule(t, e, "Do it.", "m")
	e.Scorer = fixedScorer{"m": 0.9}
	e.Agent = &scriptedAgent{answer: func(string) (replayexec.Answer, error) { return replayexec.Answer{SessionID: "s-2"}, nil }}
	v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]
	codes := []string{v.Details.Cases[0].ReasonCode, v.Details.Cases[1].ReasonCode}
	if diff := cmp.Diff([]string{replayexec.OwnSession, replayexec.RepeatedSession}, codes); diff != "" || v.Outcome != lifecycle.Pending {
		t.Errorf("%+v: %s", v, diff)
	}
}
