// Package gitindex shows what is staged in git as a file system: the content
// that the next commit would have, whatever the working tree holds.
package gitindex

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Tree is what is staged below one folder. It is an fs.FS that may be read by
// several goroutines, also an fs.ReadDirFS, fs.ReadFileFS and fs.ReadLinkFS.
// Links are shown, never followed.
type Tree struct {
	entries  map[string]entry // files by their path below the folder
	folders  map[string][]string
	changed  map[string]bool
	unmerged []string
	blobs    *blobs
}

type entry struct {
	mode string // as git writes it: 100644, 100755, 120000 or 160000
	blob string // the name of its object
}

const (
	linkMode   = "120000"
	moduleMode = "160000" // a submodule: only the commit of another repository
)

// Open reads the index of the repository in which dir lies; only the paths
// below dir that are given are looked at. env is the environment for git: the
// variables that git sets for a hook are understood. Errors: a
// *replayexec.StartError without git; else what git said, in one line.
//
// The Tree holds a git process until it is closed.
func Open(ctx context.Context, dir string, env []string, paths ...string) (*Tree, error) {
	g, err := newGit(dir, env)
	if err != nil {
		return nil, err
	}
	t := &Tree{entries: map[string]entry{}, folders: map[string][]string{".": nil}, changed: map[string]bool{}}
	staged, err := g.run(ctx, append([]string{"ls-files", "--stage", "-z", "--"}, paths...))
	if err != nil {
		return nil, err
	}
	if err := t.addAll(staged); err != nil {
		return nil, err
	}
	// Before the first commit git compares with the empty tree.
	changed, err := g.run(ctx, append([]string{"diff", "--cached", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", "--"}, paths...))
	if err != nil {
		return nil, err
	}
	for name := range fields(changed) {
		t.changed[name] = true
	}
	t.blobs, err = g.startBlobs(ctx)
	return t, err
}

// Close ends the git process behind the Tree.
func (t *Tree) Close() error { return t.blobs.close() }

// Changed tells whether the file differs from that of the last commit.
func (t *Tree) Changed(name string) bool { return t.changed[name] }

// Unmerged lists the files that a merge could not settle and nobody did yet.
// In the file system they have the content of this branch.
func (t *Tree) Unmerged() []string { return t.unmerged }

// addAll takes in "<mode> <object> <stage>\t<path>" for each file.
func (t *Tree) addAll(staged []byte) error {
	for line := range fields(staged) {
		head, name, ok := strings.Cut(line, "\t")
		parts := strings.Fields(head)
		if !ok || len(parts) != 3 {
			return fmt.Errorf("git ls-files: cannot understand %q", line)
		}
		stage, err := strconv.Atoi(parts[2])
		if err != nil {
			return fmt.Errorf("git ls-files: cannot understand %q", line)
		}
		if !fs.ValidPath(name) || name == "." {
			return fmt.Errorf("the staged file %q has a name that cannot be used; rename it", name)
		}
		if stage > 0 && !slices.Contains(t.unmerged, name) {
			t.unmerged = append(t.unmerged, name)
		}
		if _, known := t.entries[name]; known && stage != 2 {
			continue // of the three sides of a merge this branch's
		}
		t.add(name, entry{mode: parts[0], blob: parts[1]})
	}
	for _, names := range t.folders {
		slices.Sort(names)
	}
	return nil
}

func (t *Tree) add(name string, e entry) {
	_, known := t.entries[name]
	t.entries[name] = e
	for !known {
		folder := path.Dir(name)
		_, known = t.folders[folder]
		t.folders[folder] = append(t.folders[folder], path.Base(name))
		name = folder
	}
}

// fields cuts what git ends with NUL.
func fields(b []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for field := range bytes.SplitSeq(b, []byte{0}) {
			if len(field) > 0 && !yield(string(field)) {
				return
			}
		}
	}
}
