package lifecycle_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// scriptedAgent answers replays with a function.
type scriptedAgent struct {
	preflight error
	answer    func(caseID string) (replayexec.Answer, error)
	requests  []replayexec.Request
}

func (a *scriptedAgent) Preflight() error { return a.preflight }

func (a *scriptedAgent) Replay(_ context.Context, r replayexec.Request, caseID, _ string) (replayexec.Answer, error) {
	a.requests = append(a.requests, r)
	return a.answer(caseID)
}

func scored(metric string, value float64) func(string) (replayexec.Answer, error) {
	return func(caseID string) (replayexec.Answer, error) {
		return replayexec.Answer{SessionID: "new-" + caseID, Scores: map[string]float64{metric: value}, HasScores: true}, nil
	}
}

func inconclusive(code string) func(string) (replayexec.Answer, error) {
	return func(string) (replayexec.Answer, error) {
		return replayexec.Answer{}, &replayexec.Inconclusive{Code: code, Detail: "came to nothing", StderrTail: "secret output"}
	}
}

func addCase(t *testing.T, e *lifecycle.Engine, kind, session, metric string, score float64) workspace.Case {
	t.Helper()
	c, _, err := e.AddCase(context.Background(), workspace.Case{
		Kind: kind, SessionID: session, Signature: []string{"breach:" + metric},
		BaselineScores: map[string]float64{metric: score}, ReplayInput: []byte(`{"q":1}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func addRule(t *testing.T, e *lifecycle.Engine, text, metric string) workspace.Rule {
	t.Helper()
	r, _, err := e.AddRule(context.Background(), lifecycle.NewRule{Rule: text, Metric: metric})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func validate(t *testing.T, e *lifecycle.Engine, o lifecycle.RoundOptions) lifecycle.Round {
	t.Helper()
	round, err := e.Validate(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return round
}

func outcomes(round lifecycle.Round) []string {
	all := []string{}
	for _, v := range round.Verdicts {
		all = append(all, v.Outcome+" "+v.Validator+" "+v.ReasonCode+" "+strconv.FormatBool(v.Applied))
	}
	return all
}

// files is every file below a folder with its content.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

type fixedScorer map[string]float64

func (s fixedScorer) Score(context.Context, string) (map[string]float64, error) { return s, nil }
