package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type forwardVector struct {
	Config           map[string]any
	Journal          []map[string]any
	Rule             vectorRule
	Observations     []vectorReport
	ExpectedBaseline vectorBaseline `json:"expected_baseline"`
	Checkpoints      []struct {
		After              int
		Outcome, Validator string
		trialState
	}
}

type vectorBaseline struct {
	Window   int     `json:"baseline_window"`
	Sessions int     `json:"baseline_sessions"`
	Breached int     `json:"baseline_breached_sessions"`
	Rate     float64 `json:"baseline_rate"`
}

type trialState struct {
	Status           string
	TrialRate        float64 `json:"trial_rate"`
	SessionsObserved int     `json:"sessions_observed"`
}

func TestForwardVectors(t *testing.T) {
	eachVector(t, "forward", func(t *testing.T, v forwardVector) {
		p := newProgram(t, knobs(v.Config))
		p.writeJournal(v.Journal)
		flags, stdin := v.Rule.flags()
		var added struct {
			Rule struct {
				ID    string
				Trial vectorBaseline
			}
		}
		p.ask(&added, stdin, append([]string{"rule", "add"}, flags...))
		if diff := cmp.Diff(v.ExpectedBaseline, added.Rule.Trial, within); diff != "" {
			t.Errorf("baseline (-want +got):\n%s", diff)
		}
		done := 0
		for i, point := range v.Checkpoints {
			p.observeAll(v.Observations[done:point.After])
			done = point.After
			checkVerdict(t, i+1, p.validate(nil).Verdicts, point.Outcome, point.Validator)
			l := p.lifecycleOf(added.Rule.ID)
			if diff := cmp.Diff(point.trialState, trialState{l.Status, l.TrialRate, l.SessionsObserved}, within); diff != "" {
				t.Errorf("after %d reports (-want +got):\n%s", point.After, diff)
			}
		}
	})
}

// writeJournal puts events into the journal, as docs/workspace.md has them, a
// second apart.
func (p *program) writeJournal(events []map[string]any) {
	p.t.Helper()
	var b strings.Builder
	at := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)
	for i, event := range events {
		event["ts"] = at.Add(time.Duration(i) * time.Second).Format("2006-01-02T15:04:05.000000Z")
		event["id"] = fmt.Sprintf("%016x", i)
		line, err := json.Marshal(event)
		if err != nil {
			p.t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	p.write("state/journal/"+at.Format("2006-01-02")+".ffffff.jsonl", b.String())
}
