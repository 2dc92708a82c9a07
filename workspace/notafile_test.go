//go:build unix

package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// hints only save work; whatever stands in their place is passed over.
var hints = []string{"state/local/writers.json", "state/local/rendered"}

// inItsPlace puts something else where a file or a folder belongs.
var inItsPlace = []struct {
	name string
	make func(path string) error
}{
	{"a folder", func(path string) error { return os.Mkdir(path, 0o777) }},
	{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o666) }},
	{"a file", func(path string) error { return os.WriteFile(path, nil, 0o666) }},
}

// replaced is a workspace with something else in the place; false when it
// belongs there.
func replaced(t *testing.T, place string, by int) (*lifecycle.Engine, bool) {
	t.Helper()
	isFolder := filepath.Ext(place) == "" && place != "state/local/writer" && !strings.HasPrefix(place, "state/local/marks/")
	if inItsPlace[by].name == "a folder" && isFolder || inItsPlace[by].name == "a file" && !isFolder {
		return nil, false
	}
	o := operation{prepare: nothing}
	root := copied(t, prepared(t, operation{name: "x", prepare: nothing, do: addOne}).from)
	path := filepath.Join(root, filepath.FromSlash(place))
	must(t, os.RemoveAll(path))
	must(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must(t, inItsPlace[by].make(path))
	return o.engine(t, root), true
}

// TestWhatIsNoFileIsAnErrorOfTheDoctor puts something else into each place that a
// reader or a writer uses.
func TestWhatIsNoFileIsAnErrorOfTheDoctor(t *testing.T) {
	for _, place := range append([]string{"state"}, everywhere...) {
		for by, what := range inItsPlace {
			e, wrong := replaced(t, place, by)
			if !wrong || slices.Contains(hints, place) {
				continue
			}
			os.WriteFile(filepath.Join(e.Workspace.Root, "harness.toml"), nil, 0o666)
			doctor := lifecycle.Doctor{Workspace: e.Workspace, Warn: func(error) {}}
			h, err := doctor.Examine(ctx)
			must(t, err)
			var told []workspace.Finding
			for _, f := range h.Findings {
				if f.Kind == workspace.KindUnreadable {
					told = append(told, f)
				}
			}
			if len(told) != 1 || told[0].File != place || told[0].Severity != workspace.SeverityError ||
				!strings.HasPrefix(told[0].Message, "is no ") || strings.Contains(told[0].Message, e.Workspace.Root) {
				t.Errorf("%s at %s: found %v", what.name, place, h.Findings)
			}
		}
	}
}

// TestWhatIsNoFileIsToldToEveryReader wants a warning, and not that there is
// nothing.
func TestWhatIsNoFileIsToldToEveryReader(t *testing.T) {
	for _, place := range everywhere {
		if !strings.HasPrefix(place, "state/") || strings.HasPrefix(place, "state/local") || filepath.Ext(place) == "" {
			continue
		}
		for by, what := range inItsPlace {
			e, wrong := replaced(t, place, by)
			if !wrong {
				continue
			}
			told := false
			tell := func(err error) {
				if err != nil && strings.Contains(err.Error(), place+": ") && strings.Contains(err.Error(), "is no regular file") {
					told = true
				}
			}
			ws := e.Workspace
			ws.Warn = tell
			ws.LiveRules()
			ws.RetiredRules()
			ws.Cases()
			ws.Notices(true)
			_, err := ws.Events(workspace.JournalFilter{})
			tell(err)
			_, err = ws.TrialLines("r-00000000ff")
			tell(err)
			_, err = ws.ReadSeries(ctx, "s-1")
			tell(err)
			if !told {
				t.Errorf("nobody was told of %s at %s", what.name, place)
			}
		}
	}
}

// TestWhatIsNoFileIsAmongTheBroken, which withhold a promotion.
func TestWhatIsNoFileIsAmongTheBroken(t *testing.T) {
	for place, read := range map[string]func(*workspace.Workspace) ([]error, error){
		"state/evalset/c-00000000ff.json":       func(w *workspace.Workspace) ([]error, error) { _, broken, err := w.Cases(); return broken, err },
		"state/rules/r-00000000ff.toml":         func(w *workspace.Workspace) ([]error, error) { _, broken, err := w.LiveRules(); return broken, err },
		"state/rules/retired/r-00000000fe.toml": (*workspace.Workspace).LostRules,
	} {
		for by, what := range inItsPlace[:2] {
			e, _ := replaced(t, place, by)
			broken, err := read(e.Workspace)
			if err != nil || len(broken) != 1 || !strings.HasPrefix(broken[0].Error(), place+": ") {
				t.Errorf("%s at %s: broken %v, %v", what.name, place, broken, err)
			}
		}
	}
}

// TestADrainSeesThatItCanSeeNothing: without its marks and locks it would take
// a round for done.
func TestADrainSeesThatItCanSeeNothing(t *testing.T) {
	for _, place := range []string{"state", "state/local", "state/local/marks", "state/local/round.lock", "state/local/waiter.lock"} {
		for by, what := range inItsPlace {
			e, wrong := replaced(t, place, by)
			if !wrong {
				continue
			}
			err := e.Drain(ctx, e.Workspace.LockTimeout, func() error { t.Errorf("a round was started"); return nil })
			if workspace.CodeOf(err) != workspace.CodeRefused || !strings.HasPrefix(err.Error(), place+": ") {
				t.Errorf("%s at %s: %v", what.name, place, err)
			}
		}
	}
}
