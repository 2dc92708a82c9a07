package lifecycle_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// brittleScorer scores every session alike but one, which it cannot score.
type brittleScorer struct {
	fixedScorer
	fails, code string
}

func (s brittleScorer) Score(ctx context.Context, session string) (map[string]float64, error) {
	if session == s.fails {
		return nil, &replayexec.Inconclusive{Code: s.code, Detail: "came to nothing"}
	}
	return s.fixedScorer.Score(ctx, session)
}

// TestWhatCouldNotBeScoredRetiresNobody: one failure did not improve, the other
// ran and was not scored, however the scorer failed. A replay that failed in the
// same way is no outage.
func TestWhatCouldNotBeScoredRetiresNobody(t *testing.T) {
	for _, code := range []string{replayexec.ScorerFailed, replayexec.TimedOut, replayexec.OutputTooLarge, replayexec.BadScores} {
		e := newEngine(t, nil)
		addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
		lost := addCase(t, e, workspace.Failure, "s-2", "m", 0.3)
		addRule(t, e, "Do it.", "m")
		names := &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
			return replayexec.Answer{SessionID: "new-" + id}, nil
		}}
		e.Agent, e.Scorer = names, brittleScorer{fixedScorer{"m": 0.3}, "new-" + lost.ID, code}
		if diff := cmp.Diff([]string{"pending replay inconclusive false"}, outcomes(validate(t, e, lifecycle.RoundOptions{}))); diff != "" {
			t.Errorf("the scorer: %s: %s", code, diff)
		}
		if code == replayexec.ScorerFailed {
			continue
		}
		e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
			if id == lost.ID {
				return inconclusive(code)(id)
			}
			return names.answer(id)
		}}
		if diff := cmp.Diff([]string{"retire replay no_improvement true"}, outcomes(validate(t, e, lifecycle.RoundOptions{}))); diff != "" {
			t.Errorf("the replay: %s: %s", code, diff)
		}
	}
}

// TestACaseThatCannotBeReadHoldsPromotionsBack: replays or live sessions would
// promote, but the case may be what the rule must help with, or what it breaks.
// That is no fault of the rule, so no attempt is counted.
func TestACaseThatCannotBeReadHoldsPromotionsBack(t *testing.T) {
	for _, kind := range []string{workspace.Failure, workspace.Win} {
		e := newEngine(t, map[string]any{"rule_trial_min_sessions": 1})
		kept := addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
		broken := kept
		if kind == workspace.Win {
			broken = addCase(t, e, workspace.Win, "s-2", "m", 0.9)
		}
		rule := addRule(t, e, "Do it.", "m")
		observe(t, e.NewObserver(), `{"session_id": "healthy", "scores": {"m": 0.9}}`)
		path := filepath.Join(e.Workspace.Root, "state", "evalset", broken.ID+".json")
		if err := os.WriteFile(path, []byte("<<<<<<< HEAD\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		e.Agent = &scriptedAgent{answer: scored("m", 0.9)}
		round, err := e.Validate(context.Background(), lifecycle.RoundOptions{})
		if files := (*lifecycle.BrokenFilesError)(nil); !errors.As(err, &files) {
			t.Errorf("%s: got %v", kind, err)
		}
		if diff := cmp.Diff([]string{"pending replay unreadable_case false"}, outcomes(round)); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
		if status, _ := e.RuleStatus(rule.ID); status.Lifecycle.ReplayAttempts != 0 {
			t.Errorf("%s: it counts as an attempt", kind)
		}
	}
}
