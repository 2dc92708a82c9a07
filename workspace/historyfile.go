package workspace

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/go-json-experiment/json/jsontext"
)

const historyPath = "state/score_history.json"

// historyFile is an open score history. It may be larger than memory, so it is
// read as a stream, and the parts read at the same time share the one open file:
// a replacement meanwhile does not show.
type historyFile struct {
	f      *os.File
	opened os.FileInfo // as it was when it was opened
	start  int64       // behind the byte order mark
	size   int64
	finite bool // NaN and Infinity are read as numbers out of range

	blockSize int
}

// openHistory returns nil when there is no score history.
func (w *Workspace) openHistory() (*historyFile, error) {
	f, err := openFile(w.path(historyPath))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, ioError("cannot read", historyPath, err)
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, ioError("cannot read", historyPath, err)
	}
	var head [3]byte
	n, _ := f.ReadAt(head[:], 0)
	return &historyFile{f: f, opened: st, start: int64(n - len(TrimBOM(head[:n]))), size: st.Size(), blockSize: cmp.Or(testOnlyBlockSize, historyBlockSize)}, nil
}

func (h *historyFile) close() { h.f.Close() }

// memberFunc takes one member of the history. The key is valid during the call
// only; the entry is the next value of d, and must be read or skipped.
type memberFunc func(key []byte, d *jsontext.Decoder) error

// walk hands every member to the function, in the order of the file. Content
// that is not JSON is an *Error with its line, after which nothing that was
// handed out should be relied upon.
func (h *historyFile) walk(ctx context.Context, member memberFunc) error {
	p := h.open()
	_, err := p.run(ctx, 0, member)
	return h.describe(p, err)
}

// historyPart is one run over the file or a piece of it.
type historyPart struct {
	d      *jsontext.Decoder
	origin int64 // of the file, where the offsets of d begin
	key    []byte
}

// open begins to read the file as a stream.
func (h *historyFile) open() *historyPart {
	var r io.Reader = io.NewSectionReader(h.f, h.start, h.size-h.start)
	if h.finite {
		r = newFiniteReader(r)
	}
	// The check for double keys would hold every key in memory.
	return &historyPart{d: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true)), origin: h.start}
}

var errNoObject = errors.New("it must be a JSON object")

// run reads the document, or up to the offset end > 0, where a member must end:
// met tells whether one did.
func (p *historyPart) run(ctx context.Context, end int64, member memberFunc) (met bool, err error) {
	t, err := p.d.ReadToken()
	if err != nil {
		return false, err
	}
	if t.Kind() != '{' {
		return false, errNoObject
	}
	for n := 1; p.d.PeekKind() != '}'; n++ {
		if end > 0 && p.offset() == end {
			return true, nil
		}
		if n%1024 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if err := p.member(member); err != nil {
			return false, err
		}
	}
	if _, err := p.d.ReadToken(); err != nil {
		return false, err
	}
	if _, err := p.d.ReadToken(); err != io.EOF {
		return false, errors.Join(err, errTrailing)
	}
	return false, nil
}

var errTrailing = errors.New("something follows behind the end of the document")

func (p *historyPart) member(take memberFunc) error {
	name, err := p.d.ReadValue()
	if err != nil {
		return err
	}
	if p.key, err = jsontext.AppendUnquote(p.key[:0], name); err != nil {
		return err
	}
	return take(p.key, p.d)
}

func (p *historyPart) offset() int64 { return p.origin + p.d.InputOffset() }
