package workspace

import (
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"
)

// lineMend is a line of an evidence file that a repair takes care of.
type lineMend struct {
	kind           string
	number         int
	offset, length int64
	sum            uint64 // digest of the bytes that were seen there
	to             string // the file into which a whole record belongs, up to the writer
}

// mendLines takes the lines out of the file, or ends them, and copies all other
// bytes as they are. The caller has the write lock, so that no writer of this
// clone appends meanwhile; lines that came since the examination stay. When one
// of the mended lines is not what was seen, the file is left alone.
func (tx *Tx) mendLines(rel string, mends []lineMend) ([]Mended, error) {
	if err := tx.w.refuseLinkedDir(parentOf(rel)); err != nil {
		return nil, err
	}
	path := tx.w.path(rel)
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() {
		return nil, &Error{Code: CodeRefused, File: rel, Message: "is no regular file; evidence is never written through a link: move it away"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, ioError("cannot read", rel, err)
	}
	defer f.Close()
	plan, changed, err := planLines(f, rel, mends)
	if err != nil {
		return nil, ioError("cannot read", rel, err)
	}
	if changed {
		return nil, Errorf(CodeRefused, "%s was changed meanwhile; it was left alone: repair again", rel)
	}
	return tx.carryOut(rel, f, plan)
}

// carryOut writes what leaves the file to where it goes, durably, and only then
// the file.
func (tx *Tx) carryOut(rel string, f *os.File, plan linePlan) ([]Mended, error) {
	for _, move := range plan.moves {
		if err := tx.moveRecord(rel, move); err != nil {
			return nil, err
		}
	}
	if len(plan.aside) > 0 {
		if err := tx.keepAside(rel, plan.aside); err != nil {
			return nil, err
		}
	}
	path := tx.w.path(rel)
	// What is appended later must go to the new file; and some systems rename
	// over no open one.
	if old := tx.touched[path]; old != nil {
		old.f.Close()
		delete(tx.touched, path)
	}
	size, err := rewrite(path, func(w io.Writer) error {
		defer f.Close()
		return copyAround(w, f, plan.cuts)
	})
	if err == nil && size == 0 {
		err = removeFile(path)
	}
	if err != nil {
		return nil, ioError("cannot write", rel, err)
	}
	return plan.mended(rel), nil
}

// moveRecord appends a record to the file of this writer where it belongs. A
// record that is there already is dropped by its id.
func (tx *Tx) moveRecord(rel string, m lineMove) error {
	to := m.to + "." + tx.writer + evidenceEnding
	if _, err := tx.appendKnown(to, Time{}, jsontext.Value(m.record)); err != nil {
		return err
	}
	tx.touched[tx.w.path(to)].narrow(tx.w.path(rel))
	if err := tx.syncEvidence(tx.w.path(to)); err != nil {
		return ioError("cannot sync", to, err)
	}
	return nil
}

// copyAround copies the file without the cuts, which are in order.
func copyAround(w io.Writer, f *os.File, cuts []lineCut) error {
	at := int64(0)
	for _, cut := range cuts {
		if _, err := io.Copy(w, io.NewSectionReader(f, at, cut.from-at)); err != nil {
			return err
		}
		if _, err := w.Write(cut.instead); err != nil {
			return err
		}
		at = cut.to
	}
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, f)
	return err
}

// rewrite is replaceFile for content that need not be in memory.
func rewrite(path string, fill func(io.Writer) error) (size int64, err error) {
	tmp, err := createTemp(path)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	err = faultAt("write", path)
	if err == nil {
		err = fill(tmp)
	}
	if err == nil {
		size, err = tmp.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		err = syncFile(tmp, path)
	}
	if err = joinOnce(err, closeFile(tmp, path)); err == nil {
		err = renameFile(tmp.Name(), path)
	}
	if err != nil {
		return 0, err
	}
	return size, syncDir(filepath.Dir(path))
}
