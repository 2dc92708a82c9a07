package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Tx is what a writer may do while it has the write lock. It is valid only
// inside the function that Update calls.
type Tx struct {
	w       *Workspace
	writer  string
	touched map[string]*evidenceFile // open evidence files by path
	newDirs map[string]bool          // folders that got a new name in them
	known   knownWriters
	steps   steps
}

// Update takes the write lock, runs change, gives the lock back, and only then
// syncs the evidence that was written, so that a slow disk holds up nobody
// else (docs/reliability.md, "Durability"). What change wrote before an error
// stays, unless it wrote it in Atomically.
func (w *Workspace) Update(ctx context.Context, change func(*Tx) error) error {
	if w.ReadOnly != nil {
		return w.ReadOnly
	}
	if err := w.makeDir("state/local"); err != nil {
		return err
	}
	release, err := w.writeLock().Acquire(ctx, "the write lock of "+w.Root, w.LockTimeout, nil)
	if err != nil {
		return err
	}
	tx := &Tx{w: w, touched: map[string]*evidenceFile{}, newDirs: map[string]bool{}}
	err = func() error {
		defer release()
		w.mu.Lock()
		defer w.mu.Unlock()
		if tx.writer, err = w.writerID(); err != nil {
			return err
		}
		defer tx.storeWriters()
		return change(tx)
	}()
	return joinOnce(err, unsynced(tx.finish()))
}

// UnsyncedError says that evidence was written and stands, but that the file
// system could not make it durable: a loss of power may cost it.
type UnsyncedError struct{ Files []error }

func (u *UnsyncedError) Error() string {
	text := u.Files[0].Error()
	if more := len(u.Files) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more files)", more)
	}
	return text + "; it was written, but a loss of power may cost it"
}

func (u *UnsyncedError) Unwrap() error { return u.Files[0] }

func unsynced(err error) error {
	if err == nil {
		return nil
	}
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return &UnsyncedError{all.Unwrap()}
	}
	return &UnsyncedError{[]error{err}}
}

func (w *Workspace) writeLock() Lock { return Lock{w.path("state/local/write.lock"), "--lock-timeout"} }

// RoundLock excludes a second validation round.
func (w *Workspace) RoundLock() Lock { return Lock{w.path("state/local/round.lock"), "--wait"} }

// WaiterLock is held by the one background process that waits for its turn.
func (w *Workspace) WaiterLock() Lock { return Lock{path: w.path("state/local/waiter.lock")} }

// historyLock is held while the score history is written anew.
func (w *Workspace) historyLock() Lock {
	return Lock{w.path("state/local/history.lock"), "--lock-timeout"}
}

// MakeLocal makes the folder of this clone's own files, where the locks lie.
func (w *Workspace) MakeLocal() error { return w.makeDir("state/local") }

// makeDir makes a folder below the root, refusing to pass through a link that
// would lead the write out of the workspace.
func (w *Workspace) makeDir(rel string) error {
	if err := w.refuseLinkedDir(rel); err != nil {
		return err
	}
	if w.BeforeWrite != nil {
		w.BeforeWrite()
	}
	path := w.path(rel)
	if isDir(path) {
		return nil
	}
	if !isDir(w.Root) { // made anew it would be another workspace, without rules and knobs
		return &Error{Code: CodeNoWorkspace, File: w.Root, Message: "is gone; nothing was written"}
	}
	if err := faultAt("mkdir", path); err != nil {
		return ioError("cannot make the folder", rel, err)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return ioError("cannot make the folder", rel, err)
	}
	return nil
}

func (w *Workspace) refuseLinkedDir(rel string) error {
	at := ""
	for part := range strings.SplitSeq(rel, "/") {
		at = filepath.Join(at, part)
		st, err := os.Lstat(filepath.Join(w.Root, at))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && st.Mode()&fs.ModeSymlink != 0 {
			return &Error{Code: CodeRefused, File: filepath.ToSlash(at),
				Message: "is a symbolic link; it is read but never written through: replace it with a folder"}
		}
	}
	return nil
}

// replace gives a file below the root new content, unless it has it already.
func (tx *Tx) replace(rel string, content []byte) error {
	return tx.replaceBy(replaceFile, rel, content)
}

// replaceLike does the same with the mode of the file that the new one takes the
// place of, so that what was private stays so.
func (tx *Tx) replaceLike(rel, like string, content []byte) error {
	return tx.replaceBy(func(path string, content []byte) error {
		if err := swapFileMode(path, modeOf(tx.w.path(like)), content); err != nil {
			return err
		}
		return syncDir(filepath.Dir(path))
	}, rel, content)
}

// replaceSoon does the same, but the name of the file becomes durable only with
// the evidence of this Update.
func (tx *Tx) replaceSoon(rel string, content []byte) error {
	err := tx.replaceBy(swapFile, rel, content)
	if err == nil {
		tx.newDirs[tx.w.path(parentOf(rel))] = true
	}
	return err
}

func (tx *Tx) replaceBy(write func(path string, content []byte) error, rel string, content []byte) error {
	w := tx.w
	if err := w.makeDir(parentOf(rel)); err != nil {
		return err
	}
	if err := w.refuseLink(rel); err != nil {
		return err
	}
	path := w.path(rel)
	old, err := readFile(path)
	if err == nil && string(old) == string(content) {
		return nil
	}
	tx.willChange(path, err == nil, old)
	if err := write(path, content); err != nil {
		return ioError("cannot write", rel, err)
	}
	return nil
}

// refuseLink tells what stands in the place of a file and is none: a link is
// not written through, and a pipe would wait for a reader.
func (w *Workspace) refuseLink(rel string) error {
	st, err := os.Lstat(w.path(rel))
	switch {
	case err != nil || st.Mode().IsRegular():
		return nil
	case st.Mode()&fs.ModeSymlink != 0:
		return &Error{Code: CodeRefused, File: rel, Message: "is a symbolic link; it is read but never written through: replace it with a file"}
	}
	return &Error{Code: CodeRefused, File: rel, Message: ErrIrregular.Error()}
}

// Remove removes a file below the root.
func (tx *Tx) remove(rel string) error {
	if err := tx.w.refuseLinkedDir(parentOf(rel)); err != nil {
		return err
	}
	path := tx.w.path(rel)
	if old, err := readFile(path); err == nil {
		tx.willChange(path, true, old)
	}
	if err := removeFile(path); err != nil {
		return ioError("cannot remove", rel, err)
	}
	return nil
}

// move renames a file below the root.
func (tx *Tx) move(from, to string) error {
	if err := tx.w.makeDir(parentOf(to)); err != nil {
		return err
	}
	if err := tx.w.refuseLinkedDir(parentOf(from)); err != nil {
		return err
	}
	tx.willMove(tx.w.path(from), tx.w.path(to))
	if err := moveFile(tx.w.path(from), tx.w.path(to)); err != nil {
		return ioError("cannot move it to "+to, from, err)
	}
	return nil
}

func parentOf(rel string) string {
	return filepath.ToSlash(filepath.Dir(filepath.FromSlash(rel)))
}
