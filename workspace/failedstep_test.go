package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

var errFull = errors.New("no space left on device")

// step is one change of a file that a command makes.
type step struct{ op, path string }

func (s step) String() string { return s.op + " " + s.path }

// like tells the steps that a folder which cannot be written to, or has no room,
// fails alike.
func (s step) like(other step) bool {
	return s.op == other.op && filepath.Dir(s.path) == filepath.Dir(other.path)
}

// derived tells a step at what the next writer mends: the rendered rules and the
// marks of this clone.
func (s step) derived() bool {
	return strings.HasPrefix(s.path, "state/local/") || s.path == workspace.RenderedName || s.op == "syncdir" && s.path == "."
}

func (s step) wantsRoom() bool { return s.op == "mkdir" || s.op == "create" || s.op == "write" }

// faultKinds are the ways in which the file system fails from the n-th step on.
// Each gets that step and a later one, or itself, and says whether it fails.
var faultKinds = map[string]func(first, now step, isFirst bool) bool{
	"one step fails":             func(_, _ step, isFirst bool) bool { return isFirst },
	"the folder fails from then": func(first, now step, _ bool) bool { return first.like(now) },
	"no room from then":          func(first, now step, _ bool) bool { return first.wantsRoom() && now.wantsRoom() },
}

// failing makes the n-th step of a command fail, counted from 0.
type failing struct {
	root  string
	n     int
	fails func(first, now step, isFirst bool) bool
	torn  bool // a failing write leaves half a line behind

	steps []step
	first step
	tells bool // what failed is to be told
}

func (f *failing) hook(op, path string) error {
	now := step{op, f.rel(path)}
	f.steps = append(f.steps, now)
	at := len(f.steps) - 1
	if at == f.n {
		f.first = now
	}
	if at < f.n || !f.fails(f.first, now, at == f.n) {
		return nil
	}
	f.tells = f.tells || !now.derived()
	if f.torn && op == "write" && strings.HasSuffix(path, ".jsonl") {
		appendTo(path, `{"ts":"2026-03-01T00:00:00.000000Z","id":"half`)
	}
	return errFull
}

func (f *failing) rel(path string) string {
	rel, err := filepath.Rel(f.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

func appendTo(path, text string) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.WriteString(text); err != nil {
		panic(err)
	}
}

// TestAFailedStepLeavesTheStateOfBefore lets every step of every command fail in
// turn, as a full disk, a folder without permission and a single fault would,
// and wants one clear line, the state of before, and the command to work when it
// is tried again.
func TestAFailedStepLeavesTheStateOfBefore(t *testing.T) {
	injected := 0
	for _, o := range operations {
		t.Run(o.name, func(t *testing.T) {
			o := prepared(t, o)
			for kind, fails := range faultKinds {
				for n := 0; n < len(o.steps); n += o.stride() {
					for _, torn := range []bool{false, true} {
						if torn && o.steps[n].op != "write" {
							continue
						}
						injected++
						o.failAt(t, kind, &failing{n: n, fails: fails, torn: torn})
					}
				}
			}
		})
	}
	t.Logf("torture: %d steps that failed", injected)
}

// preparedOperation is an operation with the workspace that it starts from.
type preparedOperation struct {
	operation
	from  string   // folder to be copied
	steps []step   // that it makes when nothing fails
	done  []string // what it leaves then, without what differs from run to run
}

// stride leaves out steps of long operations, unless all are asked for: they
// are much alike.
func (p preparedOperation) stride() int {
	if os.Getenv("TORTURE_ALL") != "" {
		return 1
	}
	return 1 + len(p.steps)/30
}

func prepared(t *testing.T, o operation) preparedOperation {
	t.Helper()
	p := preparedOperation{operation: o, from: t.TempDir()}
	if o.prepare != nil {
		if _, err := workspace.Init(context.Background(), p.from); err != nil {
			t.Fatal(err)
		}
		o.prepare(t, o.engine(t, p.from))
	}
	root := copied(t, p.from)
	count := &failing{root: root, n: 1 << 30}
	if err := o.run(t, root, count.hook); err != nil {
		t.Fatalf("without a fault: %v", err)
	}
	p.steps, p.done = count.steps, masked(t, root)
	if len(p.steps) == 0 {
		t.Fatal("the operation changes no file")
	}
	return p
}

func (p preparedOperation) failAt(t *testing.T, kind string, f *failing) {
	t.Helper()
	f.root = copied(t, p.from)
	before := content(t, f.root)
	err := p.run(t, f.root, f.hook)
	what := fmt.Sprintf("%s at step %d, %s (torn: %v)", kind, f.n+1, f.first, f.torn)
	after := content(t, f.root)
	var unsynced *workspace.UnsyncedError
	done := err == nil || !p.resumes && errors.As(err, &unsynced) && unsynced.Error() == err.Error()
	switch {
	case done:
		if err == nil && f.tells {
			t.Errorf("%s: nobody says so", what)
		}
		if diff := cmp.Diff(p.done, masked(t, f.root)); diff != "" && !f.first.derived() {
			t.Errorf("%s: it says %v, but (-whole +got):\n%s", what, err, diff)
		}
	case p.resumes:
	case strings.Contains(err.Error(), "cannot take back") && f.first.op == "remove":
		return // told; it takes a folder that can be written to but not removed from
	default:
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s: %v\nthe state changed (-before +after):\n%s", what, err, diff)
		}
	}
	if err != nil {
		if text := err.Error(); !strings.Contains(text, errFull.Error()) || strings.Contains(text, "\n") || p.prepare != nil && strings.Contains(text, f.root) {
			t.Errorf("%s: this is no clear line: %q", what, text)
		}
	}
	for name := range after {
		if _, known := before[name]; !known && strings.Contains(name, ".tmp-") {
			t.Errorf("%s: %s is left behind", what, name)
		}
	}
	if done {
		return
	}
	if err := p.run(t, f.root, nil); err != nil {
		t.Errorf("%s: trying again: %v", what, err)
	}
	if diff := cmp.Diff(p.done, masked(t, f.root)); diff != "" {
		t.Errorf("%s: after trying again (-whole +got):\n%s", what, diff)
	}
}

func (o operation) run(t *testing.T, root string, fault func(op, path string) error) error {
	t.Helper()
	defer workspace.SetFault(nil)
	if o.prepare == nil {
		workspace.SetFault(fault)
		return o.do(&lifecycle.Engine{Workspace: &workspace.Workspace{Root: root}})
	}
	e := o.engine(t, root)
	workspace.SetFault(fault)
	return o.do(e)
}

// TestAnObserverForgetsAReportThatFailed lets every step of a report fail in
// turn, and has the same observer handle it again.
func TestAnObserverForgetsAReportThatFailed(t *testing.T) {
	o := operation{knobs: []string{"rule_trial_min_sessions=2"}, prepare: withRule,
		do: func(e *lifecycle.Engine) error { return observe(e, report("s-1", 0.1)) }}
	p := prepared(t, o)
	for n := range p.steps {
		f := &failing{root: copied(t, p.from), n: n, fails: faultKinds["one step fails"]}
		observer := o.engine(t, f.root).NewObserver()
		reports := []lifecycle.Report{report("s-1", 0.1)}
		workspace.SetFault(f.hook)
		answers, err := observer.Observe(ctx, reports)
		workspace.SetFault(nil)
		if err != nil && len(answers) > 0 {
			t.Errorf("%s failed, and the report is answered", f.first)
		}
		var unsynced *workspace.UnsyncedError
		if err == nil || errors.As(err, &unsynced) {
			continue // it was kept
		}
		_, err = observer.Observe(ctx, reports)
		must(t, err)
		if diff := cmp.Diff(p.done, masked(t, f.root)); diff != "" {
			t.Errorf("after %s failed (-whole +got):\n%s", f.first, diff)
		}
	}
}
