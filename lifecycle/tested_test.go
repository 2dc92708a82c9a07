package lifecycle_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// edits change in the file of a rule what it is tested on, or its status.
var edits = map[string][2]string{
	"text":       {`"Do it."`, `"Do it twice."`},
	"rationale":  {`"It was not done."`, `"It was done."`},
	"metric":     {`metric = "m"`, `metric = "n"`},
	"tags":       {`tags = ["often"]`, `tags = ["breach:n"]`},
	"signatures": {`signatures = []`, `signatures = ["breach:n"]`},
	"status":     {`status = "candidate"`, `status = "active"`},
}

// TestARuleThatIsEditedMeanwhileIsPassedOver edits it while it is replayed, and
// between the look at its trial and the verdict on that.
func TestARuleThatIsEditedMeanwhileIsPassedOver(t *testing.T) {
	for name, edit := range edits {
		for kind, answer := range map[string]func(string) (replayexec.Answer, error){
			"promotion": scored("m", 0.9), "retirement": scored("m", 0.1), "attempt": inconclusive(replayexec.ExitNonzero), "trial": nil,
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				e := newEngine(t, map[string]any{"rule_trial_min_sessions": 1})
				addCase(t, e, workspace.Failure, "s-1", "m", 0.3)
				rule := newRule(t, e, lifecycle.NewRule{Rule: "Do it.", Rationale: "It was not done.", Metric: "m", Tags: []string{"often"}})
				observe(t, e.NewObserver(), `{"session_id": "healthy", "scores": {"m": 0.9}}`)
				path := filepath.Join(e.Workspace.Root, "state", "rules", rule.ID+".toml")
				before, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				edited := strings.Replace(string(before), edit[0], edit[1], 1)
				if edited == string(before) {
					t.Fatalf("no %s in\n%s", edit[0], before)
				}
				change := sync.OnceFunc(func() { writeStateFile(t, e, "state/rules/"+rule.ID+".toml", edited) })
				if answer != nil {
					e.Agent = &scriptedAgent{answer: func(id string) (replayexec.Answer, error) {
						change()
						return answer(id)
					}}
				} else {
					// A torn line is told when the evidence is read, which is after the rule.
					appendTorn(t, filepath.Join(e.Workspace.Root, "state", "trials"))
					e.Workspace.Warn = func(error) { change() }
				}
				if diff := cmp.Diff([]string{"changed false"}, codes(validate(t, e, lifecycle.RoundOptions{}))); diff != "" {
					t.Error(diff)
				}
				if after, err := os.ReadFile(path); err != nil || string(after) != edited {
					t.Errorf("the rule became\n%s%v", after, err)
				}
				if status, _ := e.RuleStatus(rule.ID); status.Lifecycle.ReplayAttempts != 0 {
					t.Error("an attempt was counted")
				}
			})
		}
	}
}

func codes(round lifecycle.Round) (all []string) {
	for _, outcome := range outcomes(round) {
		words := strings.Fields(outcome)
		all = append(all, strings.Join(words[2:], " "))
	}
	return all
}

// appendTorn appends a torn line to the one file of a folder.
func appendTorn(t *testing.T, folder string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	f, err := os.OpenFile(names[0], os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("{\"ts\":\n"); err != nil {
		t.Fatal(err)
	}
}
