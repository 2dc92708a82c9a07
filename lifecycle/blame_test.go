package lifecycle_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// addActive adds a rule that is active at once.
func addActive(t *testing.T, e *lifecycle.Engine, text string) workspace.Rule {
	t.Helper()
	e.Config.RuleValidation = false
	rule := addVectorRule(t, e, vectorRule{Rule: text})
	e.Config.RuleValidation = true
	return rule
}

func writeStateFile(t *testing.T, e *lifecycle.Engine, rel, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.Workspace.Root, rel), []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func journaledRuns(t *testing.T, e *lifecycle.Engine) []workspace.Event {
	t.Helper()
	events, err := e.Workspace.Events(workspace.JournalFilter{Types: []string{lifecycle.EventRegression}})
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// breaks gives 0.2 while the context holds one of the texts, else 0.9.
func breaks(texts ...string) func(string, string, int) float64 {
	return func(_, rendered string, _ int) float64 {
		for _, text := range texts {
			if strings.Contains(rendered, text) {
				return 0.2
			}
		}
		return 0.9
	}
}

// TestBlame plays a win of 0.90 against the active rules A (the oldest) to E and,
// where it says so, the candidates X and Y.
func TestBlame(t *testing.T) {
	for _, tt := range []struct {
		name       string
		candidates bool
		limit      int
		play       func(string, string, int) float64
		outcome    string
		rule       string
		replays    int
		limited    int // replays that were said to be the most
	}{
		{"the newest", false, 0, breaks("rule E."), lifecycle.BlameFound, "E", 3, 7},
		{"the oldest", false, 0, breaks("rule A."), lifecycle.BlameFound, "A", 7, 7},
		{"one in between, candidates aside", true, 0, breaks("rule C."), lifecycle.BlameFound, "C", 6, 8},
		{"a candidate", true, 0, breaks("rule X."), lifecycle.BlameCandidates, "", 3, 8},
		{"two rules, each enough", false, 0, breaks("rule A.", "rule E."), lifecycle.BlameNone, "", 6, 7},
		{"the agent itself", false, 0, breaks(""), lifecycle.BlameNone, "", 6, 7},
		{"it does not happen again", false, 0, func(_, _ string, before int) float64 { return []float64{0.2, 0.9}[before] },
			lifecycle.BlameNotConfirmed, "", 1, 7},
		{"restored by chance", false, 0, func(_, _ string, before int) float64 { return []float64{0.2, 0.2, 0.2, 0.9, 0.2}[before] },
			lifecycle.BlameUnsteady, "", 4, 7},
		{"it cannot be replayed again", false, 0, func(_, _ string, before int) float64 { return []float64{0.2, -1}[before] },
			lifecycle.BlameInconclusive, "", 1, 7},
		{"a replay that fails restores nothing", false, 0, func(_, rendered string, _ int) float64 {
			switch {
			case !strings.Contains(rendered, "rule E."):
				return -1
			case !strings.Contains(rendered, "rule D."):
				return 2 // no scores
			}
			return breaks("rule C.")("", rendered, 0)
		}, lifecycle.BlameFound, "C", 5, 7},
		{"the limit", false, 3, breaks("rule A."), lifecycle.BlameLimited, "", 3, 3},
		{"no limit", false, -1, breaks("rule A."), lifecycle.BlameFound, "A", 7, 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEngine(t, nil)
			addPlayed(t, e, win1, workspace.Win, 1, 0.90)
			ids := map[string]string{}
			for _, name := range []string{"A", "B", "C", "D", "E"} {
				ids[name] = addActive(t, e, "rule "+name+".").ID
			}
			if tt.candidates {
				addVectorRule(t, e, vectorRule{Rule: "rule X."})
				addVectorRule(t, e, vectorRule{Rule: "rule Y."})
			}
			e.Agent = &contextAgent{play: tt.play}
			said := -1
			got, err := e.Regress(context.Background(), lifecycle.RegressOptions{
				Blame: true, BlameLimit: tt.limit, Planned: func(p lifecycle.BlamePlan) { said = p.Limit },
			})
			if err != nil {
				t.Fatal(err)
			}
			if got.Blame == nil || len(got.Blame.Wins) != 1 {
				t.Fatalf("blame: %+v", got.Blame)
			}
			win := got.Blame.Wins[0]
			if win.Outcome != tt.outcome || string(win.RuleID) != ids[tt.rule] || win.Replays != tt.replays || len(win.Tried) != tt.replays {
				t.Errorf("got %s, rule %q after %d replays (%s), want %s, %q after %d",
					win.Outcome, win.RuleID, win.Replays, win.Reason, tt.outcome, ids[tt.rule], tt.replays)
			}
			if got.Blame.Replays != tt.replays || said != tt.limited || got.Blame.Limit != tt.limited {
				t.Errorf("%d replays, said at most %d and %d, want %d and %d", got.Blame.Replays, said, got.Blame.Limit, tt.replays, tt.limited)
			}
		})
	}
}

// TestBlameKnownCulpritFirst: a rule that broke one win is the first suspect of
// the next.
func TestBlameKnownCulpritFirst(t *testing.T) {
	e := newEngine(t, nil)
	addEvalSet(t, e)
	for _, name := range []string{"A", "B", "C"} {
		addActive(t, e, "rule "+name+".")
	}
	e.Agent = &contextAgent{play: func(caseID, rendered string, _ int) float64 {
		if caseID == fail1 || caseID == fail2 {
			return 0.1 // failures regress too, and are not looked into
		}
		return breaks("rule A.")("", rendered, 0)
	}}
	got, err := e.Regress(context.Background(), lifecycle.RegressOptions{Blame: true})
	if err != nil {
		t.Fatal(err)
	}
	replays := []int{}
	for _, win := range got.Blame.Wins {
		replays = append(replays, win.Replays)
	}
	if diff := cmp.Diff([]int{5, 3}, replays); diff != "" || got.Regressed != 4 {
		t.Errorf("%d regressed; replays for the wins (-want +got):\n%s", got.Regressed, diff)
	}
}

// TestBlameKeepsNoOutput: what the user's command printed may hold anything.
func TestBlameKeepsNoOutput(t *testing.T) {
	e := newEngine(t, nil)
	addPlayed(t, e, win1, workspace.Win, 1, 0.90)
	addActive(t, e, "rule A.")
	addActive(t, e, "rule B.")
	e.Agent = &contextAgent{play: func(caseID, rendered string, before int) float64 {
		if !strings.Contains(rendered, "rule B.") {
			return -1
		}
		return breaks("rule A.")(caseID, rendered, before)
	}}
	got, err := e.Regress(context.Background(), lifecycle.RegressOptions{Blame: true, Retire: true})
	if err != nil {
		t.Fatal(err)
	}
	if failed := got.Blame.Wins[0].Tried[1]; failed.StderrTail == "" || !got.Blame.Wins[0].Retired {
		t.Fatalf("got %+v", got.Blame)
	}
	events, err := e.Workspace.Events(workspace.JournalFilter{Types: []string{lifecycle.EventRegression, lifecycle.EventRetire}})
	if err != nil || len(events) != 2 {
		t.Fatalf("%d events (%v), want 2", len(events), err)
	}
	for _, event := range events {
		for _, output := range []string{"secret trace", "exit code 7"} {
			if strings.Contains(string(event.Data), output) {
				t.Errorf("%s holds %q: %s", event.Type, output, event.Data)
			}
		}
	}
}

func TestBlameRetires(t *testing.T) {
	ctx := context.Background()
	for _, tt := range []struct {
		name    string
		options lifecycle.RegressOptions
		meddle  func(t *testing.T, e *lifecycle.Engine, rule workspace.Rule) // while the win is replayed the second time
		status  workspace.Status
		retired bool
		reason  string // part of what is said of the win
	}{
		{"retired", lifecycle.RegressOptions{Blame: true, Retire: true}, nil, workspace.Retired, true, "m -0.70 (0.90 to 0.20) with rule"},
		{"not asked for", lifecycle.RegressOptions{Blame: true}, nil, workspace.Active, false, "each seen twice"},
		{"only checked", lifecycle.RegressOptions{Blame: true, Retire: true, DryRun: true}, nil, workspace.Active, false, "each seen twice"},
		{"edited meanwhile", lifecycle.RegressOptions{Blame: true, Retire: true}, func(t *testing.T, e *lifecycle.Engine, rule workspace.Rule) {
			path := filepath.Join("state", "rules", rule.ID+".toml")
			data, err := os.ReadFile(filepath.Join(e.Workspace.Root, path))
			if err != nil {
				t.Fatal(err)
			}
			writeStateFile(t, e, path, strings.Replace(string(data), "rule B.", "rule B!", 1))
		}, workspace.Active, false, "was not retired: it was edited meanwhile"},
		{"retired by somebody else", lifecycle.RegressOptions{Blame: true, Retire: true}, func(t *testing.T, e *lifecycle.Engine, rule workspace.Rule) {
			if _, err := e.RetireRule(ctx, rule.ID, "my own reason"); err != nil {
				t.Fatal(err)
			}
		}, workspace.Retired, false, "was not retired: it became retired meanwhile"},
		{"the win is removed", lifecycle.RegressOptions{Blame: true, Retire: true}, func(t *testing.T, e *lifecycle.Engine, _ workspace.Rule) {
			if _, err := e.RemoveCase(ctx, win1); err != nil {
				t.Fatal(err)
			}
		}, workspace.Active, false, "was not retired: case " + win1 + " was changed or removed meanwhile"},
		{"the win gets another input", lifecycle.RegressOptions{Blame: true, Retire: true}, func(t *testing.T, e *lifecycle.Engine, _ workspace.Rule) {
			if _, err := e.AttachCase(ctx, win1, []byte(`"another"`)); err != nil {
				t.Fatal(err)
			}
		}, workspace.Active, false, "was not retired: case " + win1 + " was changed or removed meanwhile"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEngine(t, nil)
			addPlayed(t, e, win1, workspace.Win, 1, 0.90)
			addActive(t, e, "rule A.")
			guilty := addActive(t, e, "rule B.")
			e.Agent = &contextAgent{play: func(caseID, rendered string, before int) float64 {
				if before == 1 && tt.meddle != nil {
					tt.meddle(t, e, guilty)
				}
				return breaks("rule B.")(caseID, rendered, before)
			}}
			got, err := e.Regress(ctx, tt.options)
			if err != nil {
				t.Fatal(err)
			}
			rule, err := e.Rule(guilty.ID)
			if err != nil {
				t.Fatal(err)
			}
			win := got.Blame.Wins[0]
			if rule.Status != tt.status || win.Retired != tt.retired || !strings.Contains(win.Reason, tt.reason) {
				t.Errorf("the rule is %s, the win says retired %v: %s", rule.Status, win.Retired, win.Reason)
			}
			if tt.retired {
				checkRetirement(t, e, rule)
			}
		})
	}
}

func checkRetirement(t *testing.T, e *lifecycle.Engine, rule workspace.Rule) {
	t.Helper()
	events, err := e.Workspace.Events(workspace.JournalFilter{Types: []string{lifecycle.EventRetire}, RuleID: rule.ID})
	if err != nil || len(events) != 1 {
		t.Fatalf("%d retirements (%v), want 1", len(events), err)
	}
	for _, part := range []string{`"validator":"regression"`, `"from":"active"`, `"reason":"regression run: win ` + win1, `"left_out":["` + rule.ID + `"]`} {
		if !strings.Contains(string(events[0].Data), part) {
			t.Errorf("the event lacks %s: %s", part, events[0].Data)
		}
	}
	if !strings.HasPrefix(rule.Trial.Verdict, "retired:regression run: win "+win1+": m -0.70") {
		t.Errorf("verdict %q", rule.Trial.Verdict)
	}
}

// TestBlameInterrupted keeps what the cases came to, and retires nobody.
func TestBlameInterrupted(t *testing.T) {
	e := newEngine(t, nil)
	addEvalSet(t, e)
	rule := addActive(t, e, "rule A.")
	ctx, cancel := context.WithCancel(context.Background())
	e.Agent = &contextAgent{play: func(caseID, rendered string, before int) float64 {
		if caseID == win1 && before == 2 {
			cancel()
		}
		return breaks("rule A.")(caseID, rendered, before)
	}}
	got, err := e.Regress(ctx, lifecycle.RegressOptions{Blame: true, Retire: true})
	if err == nil || got.OK || len(got.Blame.Wins) != 1 {
		t.Errorf("error %v, blame %+v", err, got.Blame)
	}
	after, err := e.Rule(rule.ID)
	if err != nil || after.Status != workspace.Active || len(journaledRuns(t, e)) != 1 {
		t.Errorf("the rule is %s (%v), journal %v", after.Status, err, journaledRuns(t, e))
	}
}
