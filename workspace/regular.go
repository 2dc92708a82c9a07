package workspace

import (
	"errors"
	"io/fs"
	"os"
)

// ErrIrregular says that a folder, a pipe or a device stands where a file
// belongs.
var ErrIrregular = errors.New("is no regular file; replace it with one")

var errNoFolder = errors.New("is no folder; replace it with one")

// checkRegular refuses what would be read for ever, or never: a link in the
// state may lead to a device or a pipe.
func checkRegular(path string) error {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return &fs.PathError{Op: "read", Path: path, Err: ErrIrregular}
	}
	return nil
}

// readFile is os.ReadFile for what may stand in the state.
func readFile(path string) ([]byte, error) {
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// openFile is os.Open for what may stand in the state.
func openFile(path string) (*os.File, error) {
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// isRegular tells whether an entry of a folder is a file, or a link that does
// not lead to anything else.
func isRegular(path string, entry fs.DirEntry) bool {
	return entry.Type().IsRegular() || entry.Type()&fs.ModeSymlink != 0 && checkRegular(path) == nil
}

// writeHint writes a file of state/local that only saves work: neither whole at
// once nor durable, but never through a link. That it fails is no failure.
func (w *Workspace) writeHint(rel string, data []byte) {
	if st, err := os.Lstat(w.path(rel)); err != nil || st.Mode().IsRegular() {
		os.WriteFile(w.path(rel), data, 0o666)
	}
}

// regularTree is a tree of which only regular files can be opened, and folders
// be listed.
type regularTree struct{ fs.FS }

func (t regularTree) Open(name string) (fs.File, error) {
	if st, err := fs.Stat(t.FS, name); err == nil && !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	return t.FS.Open(name)
}

func (t regularTree) Stat(name string) (fs.FileInfo, error)  { return fs.Stat(t.FS, name) }
func (t regularTree) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(t.FS, name) }
func (t regularTree) ReadLink(name string) (string, error)   { return fs.ReadLink(t.FS, name) }

func (t regularTree) ReadDir(name string) ([]fs.DirEntry, error) {
	if st, err := fs.Stat(t.FS, name); err == nil && !st.IsDir() {
		return nil, &fs.PathError{Op: "list", Path: name, Err: errNoFolder}
	}
	return fs.ReadDir(t.FS, name)
}

// ReadRegular reads a file from outside, refusing a pipe, a device or a folder,
// at which a reader would hang or fail oddly.
func ReadRegular(path string) ([]byte, error) { return readFile(path) }

// OpenRegular opens a file with the same care.
func OpenRegular(path string) (*os.File, error) { return openFile(path) }
