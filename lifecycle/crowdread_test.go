package lifecycle_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestObserversSeeEachOther has the same reports handled by one observer, and in
// turn by two that remember what they read; a rule is added in between.
func TestObserversSeeEachOther(t *testing.T) {
	ctx := context.Background()
	play := func(observers int) (told []string) {
		e := newEngine(t, map[string]any{"rule_trial_min_sessions": 4})
		var all []*lifecycle.Observer
		for range observers {
			all = append(all, e.NewObserver())
		}
		var ids []string
		for i := range 20 {
			if i%8 == 2 {
				rule, _, err := e.AddRule(ctx, lifecycle.NewRule{Rule: fmt.Sprint("Rule ", i), Metric: "m"})
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, rule.ID)
			}
			score := 0.9 - float64(i)/25
			report := lifecycle.Report{SessionID: fmt.Sprint("s-", i%3), RunID: fmt.Sprint(i), HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &score}}}
			if _, err := all[i%observers].Observe(ctx, []lifecycle.Report{report}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 3 {
			lines, err := e.Workspace.SessionLines(fmt.Sprint("s-", i))
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, essences(lines)...)
		}
		for _, id := range ids {
			lines, err := e.Workspace.TrialLines(id)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				told = append(told, fmt.Sprint(l.SessionID, l.Breached))
			}
		}
		return told
	}
	if diff := cmp.Diff(play(1), play(2)); diff != "" {
		t.Errorf("(-one observer +two in turn):\n%s", diff)
	}
}

// TestWhatIsThereOnceIsWrittenOnce asks a second time for what is done already.
func TestWhatIsThereOnceIsWrittenOnce(t *testing.T) {
	ctx := context.Background()
	e := newEngine(t, nil)
	c := workspace.Case{SessionID: "s", Kind: workspace.Win, BaselineScores: map[string]float64{"m": 1}}
	score := 0.1
	answers, err := e.NewObserver().Observe(ctx, []lifecycle.Report{{SessionID: "s", HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &score}}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, _, err := e.AddCase(ctx, c); err != nil {
			t.Fatal(err)
		}
		if _, _, err := e.AckNotice(ctx, lifecycle.Ack{NoticeID: string(answers[0].NoticeID)}); err != nil {
			t.Fatal(err)
		}
	}
	counts := map[string]int{}
	events, err := e.Workspace.Events(workspace.JournalFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		counts[event.Type]++
	}
	if diff := cmp.Diff(map[string]int{lifecycle.EventNotice: 1, lifecycle.EventCapture: 1, lifecycle.EventAck: 1}, counts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
