package lifecycle_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// refundAgent is an agent within this program, so that no command is needed to
// run it again. It does better once it is told to check the refund window.
type refundAgent struct{}

func (refundAgent) Preflight() error { return nil }

func (refundAgent) Replay(_ context.Context, r replayexec.Request, caseID, _ string) (replayexec.Answer, error) {
	score := 0.25
	if strings.Contains(r.Context, "refund window") {
		score = 0.875
	}
	return replayexec.Answer{
		SessionID: "replay-of-" + caseID,
		Scores:    map[string]float64{"agent_reliability": score},
		HasScores: true,
	}, nil
}

// Run a round now: each candidate is replayed on the captured sessions, and
// promoted or retired.
func ExampleEngine_Validate() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "harness")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ws, err := workspace.Init(ctx, dir)
	if err != nil {
		log.Fatal(err)
	}
	engine := &lifecycle.Engine{Workspace: ws, Config: workspace.DefaultConfig(), Agent: refundAgent{}}

	if _, _, err := engine.AddCase(ctx, workspace.Case{
		ID: "c-00000000f1", SessionID: "chat-1041", Kind: workspace.Failure,
		Signature:      []string{"breach:agent_reliability"},
		BaselineScores: map[string]float64{"agent_reliability": 0.25},
		ReplayInput:    []byte(`{"request": "refund", "days_since_purchase": 45}`),
	}); err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"Check the refund window before you refund.", "Thank the customer."} {
		if _, _, err := engine.AddRule(ctx, lifecycle.NewRule{Rule: text, Metric: "agent_reliability"}); err != nil {
			log.Fatal(err)
		}
	}

	round, err := engine.Validate(ctx, lifecycle.RoundOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range round.Verdicts {
		rule, err := engine.Rule(v.RuleID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q is %s: %s\n", rule.Rule, rule.Status, v.ReasonCode)
	}
	// Output:
	// "Check the refund window before you refund." is active: improved
	// "Thank the customer." is retired: no_improvement
}
