package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type replayVector struct {
	Config map[string]any
	Cases  []json.RawMessage
	Rule   vectorRule
	Rounds []replayRound
}

type replayRound struct {
	Observations []vectorReport
	Replays      map[string]vectorReplay
	Expected     struct {
		Replayed       []string
		Outcome        string
		Validator      string
		Status         string
		ReplayAttempts int `json:"replay_attempts"`
		Inconclusive   int
		Cases          []comparedCase
	}
}

// vectorReport is a report with nothing but signatures.
type vectorReport struct {
	SessionID  string   `json:"session_id"`
	Signatures []string `json:"signatures"`
}

type vectorReplay struct {
	Scores         map[string]float64
	Error, Timeout bool
}

// script is what the replay command does to answer so.
func (r vectorReplay) script(caseID string) string {
	switch {
	case r.Timeout:
		return "sleep 300"
	case r.Error:
		return "exit 7"
	}
	answer, _ := json.Marshal(map[string]any{"session_id": "new-" + caseID, "scores": r.Scores})
	return "cat <<'END'\n" + string(answer) + "\nEND\n"
}

type comparedCase struct {
	CaseID string `json:"case_id"`
	Kind   string
	Deltas map[string]float64
}

// vectorAgent notes the case and answers from a file.
const vectorAgent = `echo "$HARNESS_CASE_ID" >> replayed; . "./answers/$HARNESS_CASE_ID"`

func TestReplayVectors(t *testing.T) {
	eachVector(t, "replay", func(t *testing.T, v replayVector) {
		p := newProgram(t, knobs(v.Config)+replayConfig(vectorAgent, v.timeLimit()))
		for _, c := range v.Cases {
			p.ask(&struct{}{}, string(c), []string{"case", "add"})
		}
		flags, stdin := v.Rule.flags()
		var rule ruleAnswer
		p.ask(&rule, stdin, append([]string{"rule", "add"}, flags...))
		for i, round := range v.Rounds {
			p.observeAll(round.Observations)
			p.write("replayed", "")
			for id, answer := range round.Replays {
				p.write("answers/"+id, answer.script(id))
			}
			round.check(p, i+1, p.validate(nil))
			got, want := p.lifecycleOf(rule.Rule.ID), round.Expected
			if got.Status != want.Status || got.ReplayAttempts != want.ReplayAttempts {
				t.Errorf("round %d: %s after %d attempts, want %s after %d", i+1, got.Status, got.ReplayAttempts, want.Status, want.ReplayAttempts)
			}
		}
	})
}

// timeLimit is short only where a replay is to run into it.
func (v replayVector) timeLimit() string {
	for _, round := range v.Rounds {
		for _, id := range round.Expected.Replayed {
			if round.Replays[id].Timeout {
				return "replay_timeout_s = 2"
			}
		}
	}
	return ""
}

// observeAll handles the reports one by one, each in a process of its own.
func (p *program) observeAll(reports []vectorReport) {
	p.t.Helper()
	for _, r := range reports {
		text, err := json.Marshal(r)
		if err != nil {
			p.t.Fatal(err)
		}
		p.ask(&struct{}{}, string(text), []string{"observe", "--no-validate"})
	}
}

func (r replayRound) check(p *program, number int, got roundAnswer) {
	p.t.Helper()
	want := r.Expected
	checkVerdict(p.t, number, got.Verdicts, want.Outcome, want.Validator)
	if diff := cmp.Diff(want.Replayed, strings.Fields(p.read("replayed")), cmpEmpty); diff != "" {
		p.t.Errorf("round %d: replayed (-want +got):\n%s", number, diff)
	}
	cases, inconclusive := []comparedCase{}, 0
	for _, v := range got.Verdicts {
		inconclusive += v.Details.Inconclusive
		for _, c := range v.Details.Cases {
			if c.ReasonCode == "" {
				cases = append(cases, comparedCase{c.CaseID, c.Kind, c.Deltas})
			}
		}
	}
	if diff := cmp.Diff(want.Cases, cases, within); diff != "" || inconclusive != want.Inconclusive {
		p.t.Errorf("round %d: %d inconclusive, want %d; cases (-want +got):\n%s", number, inconclusive, want.Inconclusive, diff)
	}
}
