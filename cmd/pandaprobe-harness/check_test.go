package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// `validate --check` writes nothing at all, not even what belongs to the clone,
// and says by its exit code what it would do.
func TestCheckWritesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, replay, outcome string
		code                  int
		gate                  []string
	}{
		{"would promote", better, "promote", exitDone, nil},
		{"would retire", same, "retire", exitGate, []string{"retired"}},
		{"inconclusive", "exit 1", "pending", exitDone, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, replayConfig(c.replay))
			id := p.addRule("one", "--metric", "m")
			p.addFailure("s-1")
			p.commit()
			p.dir = freshClone(p)
			before := everything(p)
			round := p.validate([]string{"--check"}, c.code)
			out := p.run("validate", "--check")
			if out.code != c.code {
				t.Errorf("exit code %d, want %d\n%s", out.code, c.code, out.stderr)
			}
			if len(round.Verdicts) != 1 || round.Verdicts[0].Outcome != c.outcome || round.Verdicts[0].Applied || !round.DryRun {
				t.Errorf("got %+v, want %s, not applied", round, c.outcome)
			}
			if diff := cmp.Diff(c.gate, round.Gate, cmpEmpty); diff != "" {
				t.Errorf("gate (-want +got):\n%s", diff)
			}
			if status := p.git("status", "--porcelain"); status != "" {
				t.Errorf("git status:\n%s", status)
			}
			if diff := cmp.Diff(before, everything(p)); diff != "" {
				t.Errorf("the folder changed (-before +after):\n%s", diff)
			}
			if l := p.lifecycleOf(id); l.Status != "candidate" || l.ReplayAttempts != 0 {
				t.Errorf("the rule changed: %+v", l)
			}
		})
	}
}

// freshClone makes a clone, as CI has it.
func freshClone(p *program) string {
	p.t.Helper()
	fresh := p.dir + "-clone"
	p.git("clone", "-q", p.dir, fresh)
	return fresh
}

// everything is each path of the workspace, those that git ignores too.
func everything(p *program) (paths []string) {
	p.t.Helper()
	err := filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.Name() == ".git" {
			return filepath.SkipDir
		}
		paths = append(paths, path)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return paths
}

// What a replayed session reports, in the round or after it, is no evidence
//
func TestReportsFromReplays(t *testing.T) {
	t.Parallel()
	const report = `echo '{"session_id":"new","scores":{"m":0.1},"replay_input":1}' | ` + programName + ` observe --json`
	p := newProgram(t, replayConfig(report+` > answered; echo '{"session_id":"new","scores":{"m":0.1}}'; exit 1`, "capture_eval_cases = true"))
	p.addFailure("s-1")
	id := p.addRule("one", "--metric", "m")
	p.commit()
	p.validate([]string{"--check"})
	if status := p.git("status", "--porcelain"); !onlyAnswered(status) {
		t.Errorf("a report under --check wrote:\n%s", status)
	}
	p.validate(nil)
	p.run("drain")
	checkNoEvidence(p, id)
	if !strings.Contains(p.read("answered"), `"validation_started": false`) {
		t.Errorf("a replay started a round: %s", p.read("answered"))
	}
	kept := p.files("state/sessions/new.*.jsonl")
	if len(kept) != 1 || !strings.Contains(p.read(kept[0]), `"replay":true`) {
		t.Errorf("the session's scores were not kept as those of a replay: %v", kept)
	}
}

func onlyAnswered(status string) bool {
	return strings.TrimSpace(status) == "?? answered"
}

// checkNoEvidence wants a candidate with one attempt, the one case that there
// was, and nothing told.
func checkNoEvidence(p *program, id string) {
	p.t.Helper()
	if l := p.lifecycleOf(id); l.Status != "candidate" || l.ReplayAttempts != 1 || l.SessionsObserved != 0 {
		p.t.Errorf("the rule took evidence from a replay: %+v", l)
	}
	if cases, notices := p.files("state/evalset/*.json"), p.files("state/mailbox/*/*.json"); len(cases) != 1 || len(notices) != 0 {
		p.t.Errorf("a replay was captured or told: %v %v", cases, notices)
	}
}
