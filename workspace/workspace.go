package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ConfigName is the file at the root that holds the knobs.
const ConfigName = "harness.toml"

// RenderedName is the file at the root that holds the rendered rules.
const RenderedName = "harness_rules.md"

// Workspace is an open workspace. Opening and reading need no lock and create
// nothing; changes go through Update. It may be used by several goroutines.
type Workspace struct {
	Root        string        // absolute path of the folder
	LockTimeout time.Duration // bound of the wait for the write lock
	Writer      string        // overrides the writer id of this clone; "" = the clone's own
	Now         func() time.Time
	Warn        func(error) // told of files and lines that are passed over; never nil
	ReadOnly    error       // when set, what every Update answers instead of writing
	BeforeWrite func()      // called before anything is written; nil = nothing to do

	mu     sync.Mutex                   // for who has the write lock: one goroutine sees what another did
	listed atomic.Pointer[writersCache] // what was found last
}

// Open opens the workspace in dir, which must hold a harness.toml or a state
// folder (docs/workspace.md, "Where it is").
func Open(dir string) (*Workspace, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, ioError("cannot find the folder", dir, err)
	}
	if !exists(filepath.Join(root, ConfigName)) && !isDir(filepath.Join(root, "state")) {
		return nil, &Error{Code: CodeNoWorkspace, File: dir,
			Message: "is no workspace: it has neither harness.toml nor state/; make one with `pandaprobe-harness init`"}
	}
	return newWorkspace(root), nil
}

// Find opens the workspace that explicit names, else the one that fromEnv
// names, else the nearest folder from dir upward that holds a harness.toml.
func Find(explicit, fromEnv, dir string) (*Workspace, error) {
	for _, named := range []string{explicit, fromEnv} {
		if named != "" {
			return Open(named)
		}
	}
	for at := dir; ; at = filepath.Dir(at) {
		if exists(filepath.Join(at, ConfigName)) {
			return newWorkspace(at), nil
		}
		if at == filepath.Dir(at) {
			return nil, Errorf(CodeNoWorkspace,
				"no workspace here: no folder from %s upward holds a harness.toml; make one with `pandaprobe-harness init` or name one with --workspace", dir)
		}
	}
}

func newWorkspace(root string) *Workspace {
	return &Workspace{
		Root:        root,
		LockTimeout: DefaultLockTimeout,
		Now:         time.Now,
		Warn:        func(error) {},
	}
}

// path joins a slash-separated path below the root.
func (w *Workspace) path(rel string) string { return filepath.Join(w.Root, filepath.FromSlash(rel)) }

// rel is how messages name a file: relative to the root, with slashes.
func (w *Workspace) rel(path string) string {
	if r, err := filepath.Rel(w.Root, path); err == nil && !strings.HasPrefix(r, "..") {
		return filepath.ToSlash(r)
	}
	return path
}

// Holds tells whether a path, relative to the current folder, is one of the
// workspace's own files: harness.toml, the rendered rules, or below state.
func (w *Workspace) Holds(path string) bool {
	full, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(folder, filepath.Base(full))
	}
	root, err := filepath.EvalSymlinks(w.Root)
	if err != nil {
		root = w.Root
	}
	rel, err := filepath.Rel(root, full)
	rel = filepath.ToSlash(rel)
	return err == nil && (rel == ConfigName || rel == RenderedName || rel == "state" || strings.HasPrefix(rel, "state/"))
}

// ReadConfig returns the content of harness.toml, nil when there is none.
func (w *Workspace) ReadConfig() ([]byte, error) { return w.readOptional(ConfigName) }

// readOptional returns nil for a file that is not there.
func (w *Workspace) readOptional(rel string) ([]byte, error) {
	b, err := readFile(w.path(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, ioError("cannot read", rel, err)
	}
	return b, nil
}

// names lists the files of a folder that have the ending, sorted; a folder
// that is not there has none. What has such a name and is no file is listed for
// its reader to refuse, and as evidence it is told to Warn: never is it taken for
// something that is not there.
func (w *Workspace) names(rel, ending string) ([]string, error) {
	entries, err := os.ReadDir(w.path(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, ioError("cannot list", rel, err)
	}
	var names []string
	for _, e := range entries {
		switch {
		case !isVisible(e.Name(), ending):
		case ending == evidenceEnding && !isRegular(w.path(rel+"/"+e.Name()), e):
			w.Warn(ioError("is passed over", rel+"/"+e.Name(), ErrIrregular))
		default:
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// size returns the bytes of a file, 0 when it is not there.
func (w *Workspace) size(rel string) int64 {
	st, err := os.Stat(w.path(rel))
	if err != nil {
		return 0
	}
	return st.Size()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}
