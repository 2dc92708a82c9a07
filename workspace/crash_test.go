package workspace_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

var errDied = errors.New("the process died here")

// dying stops a command before its n-th step, counted from 0, as a kill would:
// nothing after it happens, nothing is taken back.
type dying struct {
	n     int
	torn  bool // the step is a write that came half through
	asked int
	at    step
}

func (d *dying) hook(op, path string) error {
	d.asked++
	if d.asked <= d.n {
		return nil
	}
	if d.torn && d.asked == d.n+1 && strings.HasSuffix(path, ".jsonl") {
		appendTo(path, `{"ts":"2026-03-01T00:00:00.000000Z","id":"half`)
	}
	d.at = step{op, path}
	panic(errDied)
}

// TestACrashAtAnyStepLosesNothing stops every command before each of its steps,
// and in the middle of each write, and wants what was there before to be there
// still, the doctor to mend all that is left half-done, and the command to work.
func TestACrashAtAnyStepLosesNothing(t *testing.T) {
	injected := 0
	for _, o := range operations {
		t.Run(o.name, func(t *testing.T) {
			o := prepared(t, o)
			for n := 0; n < len(o.steps); n += o.stride() {
				for _, torn := range []bool{false, true} {
					if torn && o.steps[n].op != "write" {
						continue
					}
					injected++
					d := &dying{n: n, torn: torn}
					o.crashAt(t, d, d.hook)
				}
			}
		})
	}
	t.Logf("torture: %d crashes before a step or in a write", injected)
}

// TestADiskThatDiesLosesNothing is the same with a disk that refuses everything
// from one step on, so that nothing can be taken back either.
func TestADiskThatDiesLosesNothing(t *testing.T) {
	injected := 0
	for _, o := range operations {
		t.Run(o.name, func(t *testing.T) {
			o := prepared(t, o)
			for n := 0; n < len(o.steps); n += o.stride() {
				injected++
				d := &dying{n: n, torn: o.steps[n].op == "write"}
				o.crashAt(t, d, func(op, path string) (err error) {
					defer func() {
						if recover() != nil {
							err = errFull
						}
					}()
					return d.hook(op, path)
				})
			}
		})
	}
	t.Logf("torture: %d disks that refused everything from a step on", injected)
}

func (p preparedOperation) crashAt(t *testing.T, d *dying, hook func(op, path string) error) {
	t.Helper()
	root := copied(t, p.from)
	before := content(t, root)
	func() {
		defer func() { recover() }()
		p.run(t, root, hook)
	}()
	what := fmt.Sprintf("stopped at step %d, %s (torn: %v)", d.n+1, p.steps[d.n], d.torn)
	if p.prepare == nil {
		if err := p.run(t, root, nil); err != nil && !p.alreadyDone(err) {
			t.Errorf("%s: trying again: %v", what, err)
		}
		now := slices.DeleteFunc(masked(t, root), func(file string) bool {
			name, _, _ := strings.Cut(file, "\n")
			return strings.Contains(name, "/.tmp-")
		})
		if diff := cmp.Diff(p.done, now); diff != "" {
			t.Errorf("%s, tried again (-whole +got):\n%s", what, diff)
		}
		return
	}
	if p.name != "import" { // half of one names rules that are still to come
		p.healthy(t, root, what)
	}
	p.keeps(t, before, root, what)
	if err := p.run(t, root, nil); err != nil && !p.alreadyDone(err) {
		t.Errorf("%s: trying again: %v", what, err)
	}
	p.healthy(t, root, what+", tried again")
	if strings.HasPrefix(p.name, "observe") {
		p.complete(t, root, what)
	}
}

// complete wants a file of each kind that a report makes when nothing fails: no
// notice may be lost with the crash.
func (p preparedOperation) complete(t *testing.T, root, what string) {
	t.Helper()
	now := map[string]bool{}
	for _, file := range masked(t, root) {
		name, _, _ := strings.Cut(file, "\n")
		now[name] = true
	}
	for _, file := range p.done {
		if name, _, _ := strings.Cut(file, "\n"); !now[name] {
			t.Errorf("%s: tried again, it did not make %s", what, name)
		}
	}
}

// alreadyDone tells the errors of a command that the crash came behind.
func (p preparedOperation) alreadyDone(err error) bool {
	switch workspace.CodeOf(err) {
	case workspace.CodeRefused, workspace.CodeNotFound:
		return true
	case workspace.CodeExists:
		return p.prepare == nil
	}
	return false
}

// healthy wants the doctor to mend everything.
func (p preparedOperation) healthy(t *testing.T, root, what string) {
	t.Helper()
	doctor := lifecycle.Doctor{Workspace: p.engine(t, root).Workspace, Warn: func(err error) { t.Errorf("%s: repair: %v", what, err) }}
	health, err := doctor.Examine(ctx)
	must(t, err)
	for _, f := range health.Findings {
		if f.Severity != workspace.SeverityNote && !slices.Contains(leftByACrash, f.Kind) {
			t.Errorf("%s: %s", what, f)
		}
	}
	health, err = doctor.Repair(ctx)
	if err != nil {
		t.Errorf("%s: repair: %v", what, err)
	}
	for _, f := range health.Findings {
		if f.Severity != workspace.SeverityNote {
			t.Errorf("%s: after the repair: %s", what, f)
		}
	}
	for name := range allFiles(t, root) {
		if strings.Contains(name, ".tmp-") && filepath.Base(name) != otherTemp {
			t.Errorf("%s: after the repair there is %s", what, name)
		}
	}
}

// leftByACrash is what the doctor finds after one (docs/doctor.md), and after what
// followed it here.
var leftByACrash = []string{
	workspace.KindTornTail, workspace.KindLeftover, workspace.KindHalfRetired, workspace.KindNoticeTwice,
	workspace.KindNoTransition, workspace.KindUnfinishedAck, workspace.KindStaleRendering,
	workspace.KindTornLine,  // a torn end behind which more was written
	workspace.KindRuleTwice, // of withDamage
}

// keeps wants every line and document of before, unless the command takes it
// away when nothing fails.
func (p preparedOperation) keeps(t *testing.T, before map[string]string, root, what string) {
	t.Helper()
	now := content(t, root)
	all := ""
	for _, text := range now {
		all += text + "\n"
	}
	for name, text := range before {
		if strings.HasSuffix(name, ".jsonl") {
			for line := range strings.Lines(text) {
				if strings.HasSuffix(line, "}\n") && !strings.Contains(all, line) {
					t.Errorf("%s: %s lost %s", what, name, line)
				}
			}
			continue
		}
		if p.removes(name) {
			continue
		}
		moved := map[string]string{"rules/": "rules/retired/", "pending/": "processed/"}
		_, there := now[name]
		for from, to := range moved {
			_, elsewhere := now[strings.Replace(name, from, to, 1)]
			there = there || elsewhere
		}
		if !there {
			t.Errorf("%s: %s is gone", what, name)
		}
	}
}

func (p preparedOperation) removes(name string) bool {
	return strings.HasPrefix(name, "state/evalset/") && (strings.Contains(p.name, "evict") || p.name == "case remove") ||
		strings.HasPrefix(filepath.Base(name), ".tmp-")
}
