package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

const (
	localDir = "state/local" // what belongs to this clone
	logsDir  = localDir + "/logs"
)

// place is where writers need a file or a folder, or nothing that is in the way
// of making it.
type place struct {
	rel      string
	isFolder bool
	linked   bool // it may be a link
}

// writersPlaces are those of every writing command, the outer ones first. What
// only saves work, as state/local/writers.json does, is not among them.
var writersPlaces = []place{
	{"state", true, true}, {localDir, true, true}, {marksDir, true, false}, {logsDir, true, false}, {repairedDir, true, false},
	{localDir + "/write.lock", false, false}, {localDir + "/round.lock", false, false},
	{localDir + "/waiter.lock", false, false}, {localDir + "/history.lock", false, false},
	{writerFile, false, true}, {RenderedName, false, true},
}

// obstacles are what stands in the places of writers and cannot serve them.
func (w *Workspace) obstacles() (all []*Error) {
	for _, p := range writersPlaces {
		all = w.obstacle(all, p)
	}
	for _, dir := range []string{marksDir, logsDir} {
		entries, _ := os.ReadDir(w.path(dir))
		for _, e := range entries {
			all = w.obstacle(all, place{rel: dir + "/" + e.Name()})
		}
	}
	return all
}

func (w *Workspace) obstacle(all []*Error, p place) []*Error {
	look := os.Lstat
	if p.linked {
		look = os.Stat
	}
	if !isDir(w.path(path.Dir(p.rel))) {
		return all // told of the folder, if anything stands there
	}
	st, err := look(w.path(p.rel))
	tell := func(message string) []*Error {
		return append(all, &Error{Code: CodeRefused, File: p.rel, Message: message})
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return append(all, ioError("cannot be looked at", p.rel, err))
	case p.isFolder && !st.IsDir():
		return tell("is no folder, and keeps commands from writing; move it away")
	case !p.isFolder && !st.Mode().IsRegular():
		return tell("is no regular file, and keeps commands from writing; move it away")
	}
	return all
}

// CheckLocal returns what stands in the way of this clone's own files, such as
// locks and marks, which would otherwise look as if nobody had left any.
func (w *Workspace) CheckLocal() error {
	for _, obstacle := range w.obstacles() {
		if obstacle.File != RenderedName {
			return obstacle
		}
	}
	return nil
}

// inTheWay tells of what stands in the places of writers.
func (x *examiner) inTheWay() {
	for _, e := range x.w.obstacles() {
		if e.File == "state" {
			continue // as a folder of records
		}
		what, how, _ := strings.Cut(e.Message, "; ")
		x.add(Finding{Kind: KindUnreadable, File: e.File, Severity: SeverityError, Message: what, Mend: how})
	}
}

// noState tells of a workspace that has lost all that it knew. What a command
// made since, to have a lock, is no state.
func (x *examiner) noState() {
	entries, err := fs.ReadDir(x.tree, "state")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // told by those that read in it
	}
	for _, e := range entries {
		if e.Name() != path.Base(localDir) {
			return
		}
	}
	x.add(Finding{Kind: KindNoState, File: "state", Severity: SeverityError,
		Message: "is missing, or holds nothing but " + localDir + ": rules, cases and evidence are gone",
		Mend: "bring it back from git or a backup (" + RenderedName + ", if it is there, has the texts of the rules as they were); " +
			"to begin anew, make the folder " + rulesDir})
}
