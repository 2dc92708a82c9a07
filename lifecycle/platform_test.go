package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform/platformtest"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// newPlatformEngine has an agent that names "new-<case>" and brings no scores,
// and a platform that plays the scenario.
func newPlatformEngine(t *testing.T, scenario string) (*lifecycle.Engine, *platformtest.Fake) {
	t.Helper()
	fake := platformtest.New(t, scenario)
	e := newEngine(t, map[string]any{
		"poll_interval_s": 0, "poll_max_attempts": 3, "eval_retry_attempts": 2, "eval_retry_backoff_s": 0, "cli_binary": fake.Binary,
	})
	e.Scorer = lifecycle.NewPlatformScorer(e.Config, fake.Env)
	e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
		return replayexec.Answer{SessionID: "new-" + id}, nil
	}}
	return e, fake
}

func addNamedCase(t *testing.T, e *lifecycle.Engine, id, metric string, second int) {
	t.Helper()
	at, err := workspace.ParseTime(fmt.Sprintf("2026-02-01T00:00:%02dZ", second))
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = e.AddCase(context.Background(), workspace.Case{
		ID: id, CreatedAt: at, Kind: workspace.Failure, SessionID: "old-" + id, Signature: []string{"breach:" + metric},
		BaselineScores: map[string]float64{"agent_reliability": 0.3, "agent_consistency": 0.3}, ReplayInput: []byte("1"),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestARoundScoredByThePlatform: the run of the first replay ends only at the
// last look at it, that of the second never.
func TestARoundScoredByThePlatform(t *testing.T) {
	e, fake := newPlatformEngine(t, `{
		"sessions": {"new-c-00000000f1": {"next": {"agent_reliability": "0.9", "agent_consistency": "0.3"}}, "new-c-00000000f2": {}},
		"new_runs": [{"polls": 2}, {"polls": -1}]}`)
	addNamedCase(t, e, "c-00000000f1", "agent_reliability", 1)
	addNamedCase(t, e, "c-00000000f2", "agent_consistency", 2)
	addRule(t, e, "Helps.", "agent_reliability")
	addRule(t, e, "Is never scored.", "agent_consistency")
	round := validate(t, e, lifecycle.RoundOptions{})
	if diff := cmp.Diff([]string{"promote replay improved true", "pending replay inconclusive false"}, outcomes(round)); diff != "" {
		t.Fatal(diff)
	}
	unscored := round.Verdicts[1].Details.Cases[0]
	if unscored.ReasonCode != replayexec.ScorerFailed || len(unscored.Deltas) != 0 {
		t.Errorf("what was never scored has %+v", unscored)
	}
	if got := fake.Count(t, "evals runs batch"); got != 2 {
		t.Errorf("%d runs were started, want one a replay", got)
	}
}

// TestAnOutageRetiresNobody lets the platform go away at every call of a round
// that promotes without it.
func TestAnOutageRetiresNobody(t *testing.T) {
	const sessions = `"sessions": {
		"new-c-00000000f1": {"next": {"agent_reliability": "0.9", "agent_consistency": "0.3"}},
		"new-c-00000000f2": {"next": {"agent_reliability": "0.3", "agent_consistency": "0.3"}}}`
	promoted := 0
	for calls := range 8 {
		e, _ := newPlatformEngine(t, fmt.Sprintf(`{%s, "faults": [{"endpoint": "*", "skip": %d, "times": -1, "kind": "status", "status": 503}]}`, sessions, calls))
		addNamedCase(t, e, "c-00000000f1", "agent_reliability", 1)
		addNamedCase(t, e, "c-00000000f2", "agent_reliability", 2)
		addRule(t, e, "Helps on one of two.", "agent_reliability")
		v := validate(t, e, lifecycle.RoundOptions{}).Verdicts[0]
		switch v.Outcome {
		case lifecycle.Retire:
			t.Errorf("an outage after %d calls retired the rule: %s", calls, v.Reason)
		case lifecycle.Promote:
			promoted++
		case lifecycle.Pending:
			if !strings.Contains(v.Reason, "could not be scored") {
				t.Errorf("an outage after %d calls: %s", calls, v.Reason)
			}
		}
	}
	if promoted == 0 || promoted == 8 {
		t.Errorf("%d of 8 rounds promoted: the outage never met the round, or always", promoted)
	}
}

// TestARefusedKeyCountsNoAttempt: without a key no session can be scored, so the
// replays said nothing of the rule.
func TestARefusedKeyCountsNoAttempt(t *testing.T) {
	e, _ := newPlatformEngine(t, `{"faults": [{"endpoint": "*", "times": -1, "kind": "status", "status": 401}]}`)
	addNamedCase(t, e, "c-00000000f1", "agent_reliability", 1)
	rule := addRule(t, e, "Helps.", "agent_reliability")
	round, err := e.Validate(t.Context(), lifecycle.RoundOptions{})
	var setup *lifecycle.SetupError
	if !errors.As(err, &setup) || len(round.Verdicts) != 0 {
		t.Errorf("%v, %+v", err, round)
	}
	if status, _ := e.RuleStatus(rule.ID); status.Lifecycle.ReplayAttempts != 0 {
		t.Error("an attempt was counted")
	}
}
