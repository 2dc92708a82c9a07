package workspace

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
)

// mostSamples bounds a series in the score history; the newest stay.
const mostSamples = 500

// Averages computes the averages of every metric after the lines, which are in
// order. An adopted line sets them to its own.
type Averages func(lines []SessionLine) map[string]EWMA

// HistorySync tells what SyncHistory did.
type HistorySync struct {
	Series  int  // entries in the file now
	Added   int  // samples that it had not
	Changed bool // false: it had everything, and was not touched
}

// SyncHistory writes every series into state/score_history.json, for tools that
// read that file: at most the last 500 samples of each, entries sorted by key
// (docs/workspace.md, "Score history"). What other tools wrote there stays as
// they wrote it, also what this program cannot use; only NaN and Infinity, which
// are no JSON, become null. The averages of a series that gets new samples go on
// from those in the file, or are those of the session where all of the file is
// in it.
//
// The new file is built without the write lock, which is taken only to put it in
// place of the old one; a lock of its own keeps two of them from undoing each
// other's work. A file that another program changed meanwhile is read again. A
// file that is not JSON is an *Error, and stays as it is.
func (w *Workspace) SyncHistory(ctx context.Context, averages Averages) (HistorySync, error) {
	if err := w.makeDir(parentOf(historyPath)); err != nil {
		return HistorySync{}, err
	}
	if st, err := os.Lstat(w.path(historyPath)); err == nil && !st.Mode().IsRegular() {
		return HistorySync{}, &Error{Code: CodeRefused, File: historyPath, Message: "is no regular file; it is read but never written through: replace it with a file"}
	}
	if err := w.makeDir("state/local"); err != nil {
		return HistorySync{}, err
	}
	release, err := w.historyLock().Acquire(ctx, "the writing of "+historyPath, w.LockTimeout, nil)
	if err != nil {
		return HistorySync{}, err
	}
	defer release()
	const tries = 3
	for range tries {
		done, err := w.syncHistory(ctx, averages)
		if !errors.Is(err, errHistoryChanged) {
			return done, err
		}
	}
	return HistorySync{}, &Error{Code: CodeRefused, File: historyPath, Message: "changes while it is being written anew; try again when the other program is done"}
}

var errHistoryChanged = errors.New("the score history was changed by another program")

func (w *Workspace) syncHistory(ctx context.Context, averages Averages) (done HistorySync, err error) {
	s := &historySync{w: w, averages: averages}
	if s.old, err = w.openHistory(); err != nil {
		return done, err
	}
	if s.old != nil {
		defer s.old.close()
	}
	if s.index, err = w.indexHistory(ctx, s.old); err != nil {
		return done, err
	}
	if s.writers, err = w.writers(); err != nil {
		return done, err
	}
	s.done.Series = len(s.index.keys)
	tmp, err := createTemp(w.path(historyPath))
	if err != nil {
		return done, ioError("cannot write", historyPath, err)
	}
	defer os.Remove(tmp.Name())
	err = s.write(ctx, tmp)
	if err == nil {
		err = syncFile(tmp, w.path(historyPath))
	}
	if err = joinOnce(err, closeFile(tmp, w.path(historyPath))); err != nil {
		if ctx.Err() == nil && CodeOf(err) == "" {
			err = ioError("cannot write", historyPath, err)
		}
		return done, err
	}
	if s.done.Changed, err = s.differs(tmp.Name()); err != nil || !s.done.Changed {
		return s.done, err
	}
	return s.done, w.Update(ctx, func(tx *Tx) error { return s.put(tmp.Name()) })
}

// put renames the new file over the old one when that is still what was read.
func (s *historySync) put(tmp string) error {
	path := s.w.path(historyPath)
	if !s.old.isStill(path) {
		return errHistoryChanged
	}
	if err := renameFile(tmp, path); err != nil {
		return ioError("cannot write", historyPath, err)
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return unsynced(ioError("cannot sync", historyPath, err))
	}
	return nil
}

// isStill tells whether the file at path is the one that was read, unchanged.
func (h *historyFile) isStill(path string) bool {
	now, err := os.Stat(path)
	if h == nil {
		return errors.Is(err, os.ErrNotExist)
	}
	return err == nil && os.SameFile(now, h.opened) && now.Size() == h.opened.Size() && now.ModTime().Equal(h.opened.ModTime())
}

// differs compares the new file with the old one.
func (s *historySync) differs(path string) (bool, error) {
	if s.old == nil {
		return true, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false, ioError("cannot read", historyPath, err)
	}
	defer f.Close()
	fresh, old := make([]byte, 64<<10), make([]byte, 64<<10)
	for at := int64(0); ; at += int64(len(fresh)) {
		n, ended := f.ReadAt(fresh, at)
		m, _ := s.old.f.ReadAt(old, at)
		switch {
		case !bytes.Equal(fresh[:n], old[:m]):
			return true, nil
		case ended != nil:
			return false, nil // the last pieces are as long
		}
	}
}
