package workspace_test

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestAWorkspaceThatIsGoneIsNotMadeAnew: a process that outlives it, as a round
// in the background may, writes nowhere.
func TestAWorkspaceThatIsGoneIsNotMadeAnew(t *testing.T) {
	for name, write := range map[string]func(w *workspace.Workspace) error{
		"update":       func(w *workspace.Workspace) error { return w.Update(ctx, func(*workspace.Tx) error { return nil }) },
		"mark":         func(w *workspace.Workspace) error { return w.Touch("x") },
		"locks":        func(w *workspace.Workspace) error { return w.MakeLocal() },
		"log":          func(w *workspace.Workspace) error { _, err := w.OpenLocal("logs/x", 1); return err },
		"history sync": func(w *workspace.Workspace) error { _, err := w.SyncHistory(ctx, nil); return err },
	} {
		root := t.TempDir() + "/w"
		w, err := workspace.Init(ctx, root)
		must(t, err)
		must(t, os.Rename(root, root+"-moved"))
		if err := write(w); workspace.CodeOf(err) != workspace.CodeNoWorkspace {
			t.Errorf("%s: got %v", name, err)
		}
		if _, err := os.Lstat(root); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the folder is there again", name)
		}
	}
}

// TestEveryWriteIsAnnounced, so that a signal breaks off none.
func TestEveryWriteIsAnnounced(t *testing.T) {
	for _, o := range operations {
		if o.prepare == nil {
			continue // there is no workspace before
		}
		t.Run(o.name, func(t *testing.T) {
			o := prepared(t, o)
			e, announced := o.engine(t, copied(t, o.from)), false
			e.Workspace.BeforeWrite = func() { announced = true }
			defer workspace.SetFault(nil)
			workspace.SetFault(func(op, path string) error {
				if !announced {
					t.Errorf("%s %s was not announced", op, path)
					announced = true
				}
				return nil
			})
			must(t, o.do(e))
		})
	}
}
