package workspace

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

const marksDir = "state/local/marks"

// Mark returns a short note that this clone keeps for itself, "" without one.
// Marks save work; nothing is lost with them.
func (w *Workspace) Mark(name string) string {
	b, err := w.readOptional(marksDir + "/" + name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// PutMark keeps a short note for this clone. A loss of power may take it.
func (tx *Tx) PutMark(name, note string) error {
	return tx.replaceBy(markFile, marksDir+"/"+name, []byte(note+"\n"))
}

func markFile(path string, content []byte) error {
	if err := faultAt("write", path); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o666)
}

// Touch leaves an empty mark without the write lock.
func (w *Workspace) Touch(name string) error {
	if err := w.makeDir(marksDir); err != nil {
		return err
	}
	err := faultAt("touch", w.path(marksDir+"/"+name))
	if err == nil {
		var f *os.File
		f, err = os.OpenFile(w.path(marksDir+"/"+name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			err = f.Close()
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return ioError("cannot write", marksDir+"/"+name, err)
	}
	return nil
}

// Touched tells whether the mark is there.
func (w *Workspace) Touched(name string) bool { return exists(w.path(marksDir + "/" + name)) }

// Untouch takes the mark away.
func (w *Workspace) Untouch(name string) error {
	if err := w.refuseLinkedDir(marksDir); err != nil {
		return err
	}
	if err := os.Remove(w.path(marksDir + "/" + name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError("cannot remove", marksDir+"/"+name, err)
	}
	return nil
}

// MoveMark gives a mark another name. There is no moment without either.
func (w *Workspace) MoveMark(from, to string) error {
	if err := w.refuseLinkedDir(marksDir); err != nil {
		return err
	}
	err := os.Rename(w.path(marksDir+"/"+from), w.path(marksDir+"/"+to))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ioError("cannot write", marksDir+"/"+to, err)
	}
	return nil
}

// OpenLocal opens a file of this clone for appending, by its name below
// state/local. One larger than limit bytes is set aside first, under the name
// with ".1" behind it.
func (w *Workspace) OpenLocal(name string, limit int64) (*os.File, error) {
	rel := "state/local/" + name
	if err := w.makeDir(parentOf(rel)); err != nil {
		return nil, err
	}
	path := w.path(rel)
	st, err := os.Lstat(path)
	if err == nil && !st.Mode().IsRegular() {
		return nil, &Error{Code: CodeRefused, File: rel, Message: "is no regular file; remove it"}
	}
	if err == nil && st.Size() > limit {
		os.Rename(path, path+".1") // else it goes on growing for once
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, ioError("cannot write", rel, err)
	}
	return f, nil
}
