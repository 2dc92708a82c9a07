package workspace

import (
	"bytes"
	"io"
	"time"
)

// mostSetBack is how far a clock may have been set back for lines to keep the
// order in which they were written. Behind more than that, the last line is what
// has a wrong time, and only that.
const mostSetBack = futureTolerance

// stamp is the time of a line that is written to the file now: the clock's, or
// the next microsecond after the file's last line where the clock was set back
// or stood still since (docs/workspace.md, "Times").
func (tx *Tx) stamp(rel string) (Time, error) {
	now := NewTime(tx.w.Now())
	file, err := tx.openEvidence(rel)
	if err != nil {
		return now, err
	}
	if ahead := file.last.t.Sub(now.t); ahead >= 0 && ahead < mostSetBack {
		return NewTime(file.last.t.Add(time.Microsecond)), nil
	}
	return now, nil
}

// stampKnown is stamp for a file of a folder with many.
func (tx *Tx) stampKnown(rel string) (Time, error) {
	if err := tx.knowWriter(rel); err != nil {
		return Time{}, err
	}
	return tx.stamp(rel)
}

// tailBlocks are how many bytes from a file's end are looked at for its last
// line, one after the other.
var tailBlocks = [...]int64{1 << 10, 256 << 10}

// readTail tells whether the file ends inside a line, and the time of its last
// whole one where that is as this program writes it.
func readTail(f io.ReaderAt, size int64) (torn bool, last Time, err error) {
	for _, block := range tailBlocks {
		tail := make([]byte, min(size, block))
		if len(tail) == 0 {
			break
		}
		if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
			return false, last, err
		}
		end := bytes.LastIndexByte(tail, '\n')
		torn = end < len(tail)-1
		if begin := bytes.LastIndexByte(tail[:max(0, end)], '\n') + 1; begin > 0 || int64(len(tail)) == size {
			return torn, stampOf(tail[begin:max(begin, end)]), nil
		}
	}
	return torn, last, nil
}

func stampOf(line []byte) Time {
	rest, ok := bytes.CutPrefix(line, []byte(beforeTime))
	text, _, found := bytes.Cut(rest, []byte{'"'})
	if !ok || !found {
		return Time{}
	}
	t, err := ParseTime(string(text))
	if err != nil {
		return Time{}
	}
	return t
}
