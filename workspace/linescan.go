package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// scanBlock is how many bytes of a file a scan reads at once.
const scanBlock = 128 << 10

// lineScanner reads JSONL files from their end, one file after the other, so
// that what was written last comes first and lines cost no memory of their own.
type lineScanner struct {
	w      *Workspace
	block  int    // bytes read at once
	buffer []byte // what was read stands at its end
	breaks []int  // where the lines of a block end

	rel string // the file
	at  int64  // where the current line begins in it
}

// scan calls each with every non-blank line of a file, the last one first. A
// byte-order mark in front is skipped, and a missing file has no lines. The line
// is each's only until it returns.
func (s *lineScanner) scan(rel string, each func(line []byte)) error {
	f, err := openFile(s.w.path(rel))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		defer f.Close()
		s.rel = rel
		err = s.scanFile(f, each)
	}
	if err != nil {
		return ioError("cannot read", rel, err)
	}
	return nil
}

func (s *lineScanner) scanFile(f *os.File, each func(line []byte)) error {
	st, err := f.Stat()
	if err != nil {
		return err
	}
	rest := 0 // bytes at the buffer's end: a line that begins further in front
	for end := st.Size(); end > 0; {
		size := int(min(end, int64(s.block)))
		end -= int64(size)
		s.makeRoom(rest, size)
		block := s.buffer[len(s.buffer)-rest-size:]
		if _, err := f.ReadAt(block[:size], end); err != nil && err != io.EOF {
			return err
		}
		first := s.eachAfterFirst(block, size, end, each)
		rest = copy(s.buffer[len(s.buffer)-len(first):], first)
	}
	s.at = 0
	s.give(TrimBOM(s.buffer[len(s.buffer)-rest:]), each)
	return nil
}

// makeRoom makes the buffer hold size bytes in front of the rest.
func (s *lineScanner) makeRoom(rest, size int) {
	if len(s.buffer) < rest+size {
		larger := make([]byte, rest+size+s.block)
		copy(larger[len(larger)-rest:], s.buffer[len(s.buffer)-rest:])
		s.buffer = larger
	}
}

// eachAfterFirst gives out all lines of a block but the first, which may begin
// in front of it. Only the first size bytes are new.
func (s *lineScanner) eachAfterFirst(block []byte, size int, offset int64, each func(line []byte)) (first []byte) {
	s.breaks = s.breaks[:0]
	for from := 0; ; {
		next := bytes.IndexByte(block[from:size], '\n')
		if next < 0 {
			break
		}
		from += next + 1
		s.breaks = append(s.breaks, from)
	}
	for _, begin := range slices.Backward(s.breaks) {
		s.at = offset + int64(begin)
		s.give(block[begin:], each)
		block = block[:begin-1]
	}
	return block
}

func (s *lineScanner) give(line []byte, each func(line []byte)) {
	if line = bytes.TrimSpace(line); len(line) > 0 {
		each(line)
	}
}

// number counts which line of its file the current one is.
func (s *lineScanner) number() int {
	data, err := s.w.readOptional(s.rel)
	if err != nil {
		return 0
	}
	return lineAt(data, int(min(s.at, int64(len(data)))))
}
