package workspace

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strconv"
)

// repairedDir is where a repair puts what it takes out, under the same path as
// before. It belongs to this clone; nothing is ever removed from it.
const repairedDir = "state/local/repaired"

// mend is how one finding about a document is mended. do looks again, under the
// lock: it does nothing, and says "", when the finding holds no more.
type mend struct {
	kind, file string
	do         func(*Tx) (done string, err error)
}

// Mend mends what an examination of the working tree found repairable, as it is
// now. No whole record is lost: what readers cannot read is moved to
// state/local/repaired, what readers do read stays as it is, byte for byte
// (docs/doctor.md). What could not be mended is told to warn and left alone; an
// error of the file system ends the repair.
func (tx *Tx) Mend(x *Examination, warn func(error)) (mended []Mended, err error) {
	for _, rel := range slices.Sorted(maps.Keys(x.lines)) {
		done, err := tx.mendLines(rel, x.lines[rel])
		mended = append(mended, done...)
		if err := passOver(err, warn); err != nil {
			return mended, err
		}
	}
	for _, m := range x.mends {
		done, err := m.do(tx)
		if err == nil && done != "" {
			mended = append(mended, Mended{m.kind, m.file, done})
		}
		if err := passOver(err, warn); err != nil {
			return mended, err
		}
	}
	return mended, nil
}

// passOver tells of what cannot be mended and lets the rest go on.
func passOver(err error, warn func(error)) error {
	if err == nil || CodeOf(err) == CodeIO || CodeOf(err) == "" {
		return err
	}
	warn(err)
	return nil
}

// setAside moves a file out of the state.
func (tx *Tx) setAside(rel string) (done string, err error) {
	data, err := readFile(tx.w.path(rel))
	if err != nil {
		return "", ioError("cannot read", rel, err)
	}
	to := repairedDir + "/" + rel
	for n := 2; ; n++ {
		old, err := tx.w.readOptional(to)
		if err != nil {
			return "", err
		}
		if old == nil || bytes.Equal(old, data) {
			break
		}
		to = repairedDir + "/" + rel + "." + strconv.Itoa(n)
	}
	if err := tx.replaceLike(to, rel, data); err != nil {
		return "", err
	}
	return "moved to " + to, tx.remove(rel)
}

// keepAside appends what a repair took out of a file to its namesake among the
// repaired.
func (tx *Tx) keepAside(rel string, parts [][]byte) error {
	to := repairedDir + "/" + rel
	if err := tx.w.makeDir(parentOf(to)); err != nil {
		return err
	}
	f, err := openForAppend(tx.w.path(to))
	if err != nil {
		return ioError("cannot open", to, err)
	}
	defer f.f.Close()
	f.narrow(tx.w.path(rel))
	var text bytes.Buffer
	if f.torn {
		text.WriteByte('\n') // a repair that was broken off left half a line
	}
	for _, part := range parts {
		text.Write(bytes.TrimRight(part, "\r\n"))
		text.WriteByte('\n')
	}
	st, err := f.f.Stat()
	if err == nil {
		err = f.write(text.Bytes(), tx.w.path(to), st.Size())
	}
	if err == nil {
		err = syncFile(f.f, tx.w.path(to))
	}
	if err == nil {
		err = syncDir(tx.w.path(parentOf(to)))
	}
	if err != nil {
		return ioError("cannot write", to, errors.Join(err))
	}
	return nil
}
