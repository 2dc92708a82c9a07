//go:build unix

package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// everywhere is a file of each kind that readers and writers meet.
var everywhere = []string{
	"state/rules/r-00000000ff.toml", "state/rules/retired/r-00000000fe.toml", "state/evalset/c-00000000ff.json",
	"state/mailbox/pending/n-20260101T000000000000-000000ff.json", "state/mailbox/processed/n-20260101T000000000000-000000fe.json",
	"state/sessions/s-1.bbbbbb.jsonl", "state/sessions/s-1.aaaaaa.jsonl", "state/journal/2027-03-01.aaaaaa.jsonl", "state/journal/2020-01-01.bbbbbb.jsonl",
	"state/trials/r-00000000ff.bbbbbb.jsonl", "state/score_history.json", "harness_rules.md",
	"state/local/writers.json", "state/local/rendered", "state/local/writer", "state/local/marks/breaker", "state/local/marks/announced_mode",
	"state/local/marks/round_wanted", "state/local/write.lock", "state/local/round.lock", "state/local/waiter.lock", "state/local/history.lock",
	"state/local/logs/background.log", "state/local/logs", "state/local/marks", "state/local/repaired", "state/local",
	"state/rules", "state/trials", "state/sessions", "state/journal", "state/evalset", "state/mailbox", "state/mailbox/pending",
}

// useAll reads and writes a bit of everything; that some of it is refused is
// right.
func useAll(e *lifecycle.Engine) {
	e.Workspace.LockTimeout = time.Second
	addOne(e)
	observe(e, report("s-1", 0.1))
	addCase(e, "s-9", workspace.Win)
	validateOnce(e)
	e.WantRound(ctx, func() error { return nil })
	e.SyncHistory(ctx)
	e.Context("")
	e.Reflect()
	e.Notices(true)
	e.Notice("n-20260101T000000000000-000000ff")
	e.History(ctx, "s-1")
	e.Rules(workspace.Candidate, workspace.Active, workspace.Retired)
	e.RetireRule(ctx, theRule(e), "it does harm")
	e.Workspace.Baselines()
	if log, err := lifecycle.OpenLog(e.Workspace, "background.log"); err == nil {
		log.WriteString("a line\n")
		log.Close()
	}
	doctor := lifecycle.Doctor{Workspace: e.Workspace, Warn: func(error) {}}
	doctor.Examine(ctx)
	doctor.Repair(ctx)
}

// TestNothingIsWrittenThroughALink puts a link that leads out of the workspace
// into each place, to a file that is there and to one that is not.
func TestNothingIsWrittenThroughALink(t *testing.T) {
	o := operation{knobs: []string{"rule_trial_min_sessions=1"}, prepare: nothing}
	for _, name := range everywhere {
		if name == workspace.RenderedName {
			continue // its target is rewritten
		}
		for _, target := range []string{"precious", "absent"} {
			root, outside := copied(t, prepared(t, operation{name: "x", prepare: nothing, do: addOne}).from), quickDir(t)
			precious := filepath.Join(outside, "precious")
			must(t, os.WriteFile(precious, []byte("{}"), 0o666))
			path := filepath.Join(root, filepath.FromSlash(name))
			os.RemoveAll(path)
			must(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must(t, os.Symlink(filepath.Join(outside, target), path))
			useAll(o.engine(t, root))
			entries, err := os.ReadDir(outside)
			must(t, err)
			content, err := os.ReadFile(precious)
			if len(entries) != 1 || err != nil || string(content) != "{}" {
				t.Errorf("a link at %s to a file that is %s was written through: %v %q", name, target, entries, content)
			}
		}
	}
}

// TestAPipeHoldsNobodyUp puts a pipe into each place, and a link to one, as to a
// device: what never ends, or never begins, is an error and is not read.
func TestAPipeHoldsNobodyUp(t *testing.T) {
	o := operation{knobs: []string{"rule_trial_min_sessions=1"}, prepare: nothing}
	for _, name := range everywhere {
		for _, linked := range []bool{false, true} {
			root, outside := copied(t, prepared(t, operation{name: "x", prepare: nothing, do: addOne}).from), quickDir(t)
			path, pipe := filepath.Join(root, filepath.FromSlash(name)), filepath.Join(outside, "pipe")
			os.RemoveAll(path)
			must(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must(t, syscall.Mkfifo(pipe, 0o666))
			if linked {
				must(t, os.Symlink(pipe, path))
			} else {
				must(t, os.Rename(pipe, path))
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				useAll(o.engine(t, root))
			}()
			select {
			case <-done:
			case <-time.After(20 * time.Second):
				t.Fatalf("a pipe at %s (linked: %v) holds everything up", name, linked)
			}
			if st, err := os.Lstat(pipe); linked && (err != nil || st.Mode()&os.ModeNamedPipe == 0) {
				t.Errorf("the pipe behind %s was replaced: %v", name, err)
			}
		}
	}
}

// TestARuleThatIsNoFileIsToldAndTheRestIsJudged: one that cannot be read is one
// clear message.
func TestARuleThatIsNoFileIsToldAndTheRestIsJudged(t *testing.T) {
	o := operation{prepare: nothing}
	root := copied(t, prepared(t, operation{name: "x", prepare: nothing, do: addOne}).from)
	e := o.engine(t, root)
	must(t, addOne(e))
	pipe := filepath.Join(quickDir(t), "pipe")
	must(t, syscall.Mkfifo(pipe, 0o666))
	must(t, os.Symlink(pipe, filepath.Join(root, "state", "rules", "r-00000000ff.toml")))
	var warned []string
	e.Workspace.Warn = func(err error) { warned = append(warned, err.Error()) }
	round, err := e.Validate(context.Background(), lifecycle.RoundOptions{})
	if err == nil || round.Checked != 1 || len(warned) == 0 || !strings.Contains(warned[0], "state/rules/r-00000000ff.toml: cannot read: is no regular file") {
		t.Errorf("checked %d, %v; warned %q", round.Checked, err, warned)
	}
}
