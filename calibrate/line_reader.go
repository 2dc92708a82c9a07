package calibrate

import (
	"bytes"
	"io"
)

// lineReader passes text on and can tell on which line an offset stands, though
// its reader is ahead. It remembers only the lines between the two.
type lineReader struct {
	from  io.Reader
	read  int64
	ends  []int64 // where lines start that lie ahead of the last question
	lines int32   // line ends before those
}

func (l *lineReader) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	for rest := p[:n]; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		l.ends = append(l.ends, l.read+int64(n-len(rest)))
	}
	l.read += int64(n)
	return n, err
}

// lineAt returns the line of an offset, from 1. Offsets must not go back.
func (l *lineReader) lineAt(offset int64) int32 {
	passed := 0
	for passed < len(l.ends) && l.ends[passed] <= offset {
		passed++
	}
	l.ends = l.ends[passed:]
	l.lines += int32(passed)
	return l.lines + 1
}
