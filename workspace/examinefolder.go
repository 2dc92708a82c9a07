package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// folder lists the files that belong into a folder, and tells what else lies
// there.
func (x *examiner) folder(dir, ending string, others ...string) (names []string) {
	entries, err := fs.ReadDir(x.tree, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.unreadable(dir, err)
	}
	for _, e := range entries {
		name, rel := e.Name(), dir+"/"+e.Name()
		isLink := e.Type()&fs.ModeSymlink != 0
		switch {
		case isLeftover(name):
			x.leftover(rel)
		case strings.HasPrefix(name, "."):
		case isLink && !x.link(rel):
		case slices.Contains(others, name):
		case ending != "" && isVisible(name, ending):
			names = append(names, name)
		default:
			x.add(Finding{Kind: KindUnknownFile, File: rel, Severity: SeverityNote,
				Message: "is nothing that the harness knows in this folder; it is not read", Mend: "move it away, or give it the name that it was to have"})
		}
	}
	return names
}

// unreadable tells of a file or folder, unless it is the one in which it lies
// that is at fault.
func (x *examiner) unreadable(rel string, err error) {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if st, err := fs.Stat(x.tree, dir); err == nil && !st.IsDir() {
			return
		}
	}
	f := Finding{Kind: KindUnreadable, File: rel, Severity: SeverityError, Message: "cannot be read: " + reason(err), Mend: "see to its permissions and its disk"}
	switch {
	case errors.Is(err, ErrIrregular):
		f.Message, f.Mend = "is no regular file, where one belongs", "bring the file back from git, or move away what lies in its place"
	case errors.Is(err, errNoFolder):
		f.Message, f.Mend = "is no folder, where one belongs", "bring the folder back from git, or move away what lies in its place"
	}
	x.add(f)
}

// read returns the content of a document; false when it is not there any more
// or cannot be read, which is told.
func (x *examiner) read(rel string) ([]byte, bool) {
	data, err := fs.ReadFile(x.tree, rel)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.unreadable(rel, err)
	}
	return data, err == nil
}

// leftoverName is that of the file which a replacement makes before it renames
// it (createTemp).
var leftoverName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(tempPrefix) + `.+-[0-9a-f]{8}$`)
})

func isLeftover(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && leftoverName().MatchString(name)
}

// leftover tells of a file that a writer made and did not live to rename.
func (x *examiner) leftover(rel string) {
	x.suspect(Finding{Kind: KindLeftover, File: rel, Severity: SeverityWarning,
		Message: "was left by a write that was broken off; nothing was lost with it", Mend: "remove it"},
		func() bool { return x.w.isLeft(rel) },
		func(tx *Tx) (string, error) {
			if !tx.w.isLeft(rel) {
				return "", nil
			}
			return "removed", tx.remove(rel)
		})
}

// isLeft tells a leftover from the new score history, which is written without
// the write lock.
func (w *Workspace) isLeft(rel string) bool {
	isHistory := strings.HasPrefix(rel, parentOf(historyPath)+"/"+tempPrefix+baseName(historyPath)+"-")
	return exists(w.path(rel)) && !(isHistory && w.historyLock().Held())
}

// link tells of a symbolic link, and whether it leads to something to read.
func (x *examiner) link(rel string) (readable bool) {
	target, err := fs.ReadLink(x.tree, rel)
	if err != nil {
		x.unreadable(rel, err)
		return false
	}
	f := Finding{Kind: KindLink, File: rel, Severity: SeverityWarning, Mend: "put what it leads to in its place: it is read, but never written through"}
	f.Message = "is a symbolic link to " + clip(target)
	inside, readable := x.resolve(rel, target)
	switch {
	case !inside:
		f.Message = "is a symbolic link out of the workspace, to " + clip(target)
	case !readable:
		f.Severity, f.Message, f.Mend = SeverityError, "is a symbolic link to "+clip(target)+", which is not there", "restore or remove it"
	}
	if x.staged() && isRecordName(rel) {
		f.Severity, f.Message = SeverityError, "is a symbolic link to "+clip(target)+", and what it leads to is not in the commit"
	}
	x.add(f)
	return readable && !x.staged() // git keeps the link, not what it leads to
}

// isRecordName tells the files that hold something from folders.
func isRecordName(rel string) bool {
	return slices.Contains([]string{ruleEnding, jsonEnding, evidenceEnding}, path.Ext(rel))
}

func (x *examiner) resolve(rel, target string) (inside, readable bool) {
	if x.staged() {
		at := path.Join(path.Dir(rel), filepath.ToSlash(target))
		return !filepath.IsAbs(target) && at != ".." && !strings.HasPrefix(at, "../"), true
	}
	real, err := filepath.EvalSymlinks(x.w.path(rel))
	if err != nil {
		return true, false
	}
	root, err := filepath.EvalSymlinks(x.w.Root)
	if err != nil {
		return true, true
	}
	from, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(from), true
}
