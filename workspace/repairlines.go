package workspace

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// lineMend is a line of an evidence file that a repair takes care of.
type lineMend struct {
	kind           string
	number         int
	offset, length int64
	sum            uint64 // digest of the bytes that were seen there
	to             string // base of the file into which a whole record belongs
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

// linePlan is what becomes of the lines of one file.
type linePlan struct {
	cuts  []lineCut
	aside [][]byte
	moves []lineMove
	done  [doneMoved + 1]int // lines by what is done with them
}

// lineCut is a piece of the file and what comes into its place.
type lineCut struct {
	from, to int64
	instead  []byte
}

type lineMove struct {
	to     string
	record []byte
}

// planLines reads the lines again; changed tells that they are not what was
// seen.
func planLines(f *os.File, rel string, mends []lineMend) (plan linePlan, changed bool, err error) {
	reader := newRecordReader()
	for _, m := range slices.SortedFunc(slices.Values(mends), func(a, b lineMend) int { return a.number - b.number }) {
		text := make([]byte, m.length)
		if _, err := f.ReadAt(text, m.offset); err == io.EOF {
			return plan, true, nil
		} else if err != nil {
			return plan, false, err
		}
		if digest(text) != m.sum {
			return plan, true, nil
		}
		end, err := lineEndAt(f, m.offset+m.length, text)
		if err != nil {
			return plan, false, err
		}
		plan.add(m, text, end, reader)
	}
	return plan, false, nil
}

// lineEndAt is the offset behind the line's end, which a writer may have put
// there since.
func lineEndAt(f *os.File, behind int64, text []byte) (int64, error) {
	if bytes.HasSuffix(text, []byte{'\n'}) {
		return behind, nil
	}
	var next [1]byte
	n, err := f.ReadAt(next[:], behind)
	if err != nil && err != io.EOF {
		return 0, err
	}
	if n == 1 && next[0] == '\n' {
		behind++
	}
	return behind, nil
}

func (p *linePlan) add(m lineMend, text []byte, end int64, reader *recordReader) {
	cut := lineCut{from: m.offset, to: end}
	content := rawLine{number: m.number, text: text}.content()
	whole, torn := [][]byte{content}, [][]byte(nil)
	if m.to == "" {
		whole, torn = unglue(content, reader)
	}
	p.aside = append(p.aside, torn...)
	for _, record := range whole {
		if m.kind == KindMisplacedRecord {
			p.moves = append(p.moves, lineMove{m.to, record})
		} else {
			cut.instead = append(append(cut.instead, record...), '\n')
		}
	}
	p.cuts = append(p.cuts, cut)
	switch {
	case m.kind == KindMisplacedRecord:
		p.done[doneMoved]++
	case len(whole) == 0:
		p.done[doneAside]++
	case len(torn) > 0 || len(whole) > 1:
		p.done[doneParted]++
	default:
		p.done[doneEnded]++
	}
}

// What is done with a line.
const (
	doneAside = iota
	doneParted
	doneEnded
	doneMoved
)

// carryOut writes what leaves the file to where it goes, durably, and only then
// the file.
func (tx *Tx) carryOut(rel string, f *os.File, plan linePlan) ([]Mended, error) {
	for _, move := range plan.moves {
		if err := tx.moveRecord(parentOf(rel), move); err != nil {
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
func (tx *Tx) moveRecord(dir string, m lineMove) error {
	to := dir + "/" + m.to + "." + tx.writer + evidenceEnding
	if _, err := tx.appendKnown(to, Time{}, jsontext.Value(m.record)); err != nil {
		return err
	}
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
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = faultAt("rename", path)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return 0, err
	}
	return size, syncDir(filepath.Dir(path))
}

// mended tells what was done.
func (p linePlan) mended(rel string) (all []Mended) {
	for _, d := range []struct {
		done       int
		kind, text string
	}{
		{doneAside, KindTornLine, "set %s aside in " + repairedDir},
		{doneParted, KindTornLine, "gave the records of %s lines of their own"},
		{doneEnded, KindTornTail, "ended %s"},
		{doneMoved, KindMisplacedRecord, "moved %s to where it belongs"},
	} {
		n := p.done[d.done]
		if n == 0 {
			continue
		}
		lines := "1 line"
		if n > 1 {
			lines = fmt.Sprintf("%d lines", n)
		}
		all = append(all, Mended{d.kind, rel, fmt.Sprintf(d.text, lines)})
	}
	return all
}
