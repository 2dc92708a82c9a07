package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// errNotFinite says that the file holds NaN or Infinity, which are no JSON, and
// has to be read again with these replaced.
var errNotFinite = errors.New("NaN or Infinity")

// describe tells what is wrong with the file at the line where p met it.
func (h *historyFile) describe(p *historyPart, err error) error {
	var syntactic *jsontext.SyntacticError
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	broken := func(offset int64, message string) error {
		return &Error{Code: CodeBrokenFile, File: historyPath, Line: h.lineAt(offset), Message: message, Err: err}
	}
	switch {
	case errors.Is(err, errNoObject):
		return broken(h.start, "is not a score history: "+errNoObject.Error())
	case errors.Is(err, io.EOF) && p.offset() <= h.start:
		return broken(h.start, "is empty; a JSON object was expected")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return broken(h.size, "is cut off: the JSON does not end")
	case errors.As(err, &syntactic):
		at, text := h.textAt(p.origin + syntactic.ByteOffset)
		switch {
		case !h.finite && isNonFinite(text):
			return errNotFinite
		case looksLikeConflict(string(text)):
			return broken(at, "holds git conflict markers; choose one side and remove them")
		case errors.Is(err, errTrailing):
			return broken(at, "is not valid JSON: "+errTrailing.Error())
		}
		return broken(at, "is not valid JSON: "+shorten(syntactic.Err))
	case errors.Is(err, errTrailing):
		return broken(p.offset(), "is not valid JSON: "+errTrailing.Error())
	}
	return ioError("cannot read", historyPath, err)
}

// textAt returns what stands at an offset behind the white space and
// punctuation there, and where that is.
func (h *historyFile) textAt(offset int64) (int64, []byte) {
	b := make([]byte, 4096)
	n, _ := h.f.ReadAt(b, offset)
	text := bytes.TrimLeft(b[:n], " \t\r\n,:[{")
	return offset + int64(n-len(text)), text[:min(len(text), len(nonFinite[0])+1)]
}

// lineAt is the number, from 1, of the line in which the offset lies.
func (h *historyFile) lineAt(offset int64) int {
	line, r := 1, io.NewSectionReader(h.f, 0, offset)
	for b := make([]byte, 64<<10); ; {
		n, err := r.Read(b)
		line += bytes.Count(b[:n], []byte{'\n'})
		if err != nil {
			return line
		}
	}
}
