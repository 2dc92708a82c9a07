package workspace

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/go-json-experiment/json/jsontext"
)

// history reads the score history as a stream: it may be larger than memory.
// NaN and Infinity, which other tools write, are let pass.
func (x *examiner) history(ctx context.Context) {
	f, err := x.tree.Open(historyPath)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			x.unreadable(historyPath, err)
		}
		return
	}
	defer f.Close()
	h := historyCheck{ctx: ctx}
	if err := h.run(f); err != nil {
		x.add(x.brokenHistory(err, h.offset(err)))
	}
	if h.unusable > 0 {
		x.add(Finding{Kind: KindBadEntry, File: historyPath, Severity: SeverityNote,
			Message: fmt.Sprintf("has entries without a series, without :: in the key, or with a sample without a readable time: %d, the first is %q", h.unusable, clip(h.first)),
			Mend:    "correct them; they are left out, or count as the oldest"})
	}
}

// brokenHistory finds the line of the offset, for which it reads the file again.
func (x *examiner) brokenHistory(err error, offset int64) Finding {
	f := Finding{Kind: KindNotJSON, File: historyPath, Line: 1, Severity: SeverityError,
		Message: "is no score history: " + whyNotJSON(err), Mend: mendsOfBroken[KindNotJSON]}
	again, openErr := x.tree.Open(historyPath)
	if openErr != nil {
		return f
	}
	defer again.Close()
	eachLine(bufio.NewReader(again), func(l rawLine) {
		if l.offset > offset {
			return
		}
		if f.Line = l.number; isMarker(l.content()) {
			f.Kind, f.Message, f.Mend = KindConflict, "holds git conflict markers", "choose one side and remove them"
		}
	})
	return f
}

func whyNotJSON(err error) string {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it is empty or cut off"
	case errors.As(err, &syntactic):
		return shorten(syntactic.Err)
	}
	return shorten(err)
}

// historyCheck is one run over the score history.
type historyCheck struct {
	ctx      context.Context
	d        *jsontext.Decoder
	bom      int64 // bytes of the byte order mark
	unusable int
	first    string // the first unusable entry
}

func (h *historyCheck) run(r io.Reader) error {
	buffer := bufio.NewReader(r)
	if head, _ := buffer.Peek(3); len(TrimBOM(head)) < len(head) {
		n, _ := buffer.Discard(3)
		h.bom = int64(n)
	}
	// The check for double keys would hold every key in memory.
	h.d = jsontext.NewDecoder(newFiniteReader(buffer), jsontext.AllowDuplicateNames(true))
	if kind := h.d.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		return errors.New("it must be a JSON object")
	}
	if _, err := h.d.ReadToken(); err != nil {
		return err
	}
	for n := 1; h.d.PeekKind() != '}'; n++ {
		if n%1024 == 0 && h.ctx.Err() != nil {
			return nil // the examination ends with the error of ctx
		}
		if err := h.entry(); err != nil {
			return err
		}
	}
	if _, err := h.d.ReadToken(); err != nil {
		return err
	}
	if _, err := h.d.ReadToken(); err != io.EOF {
		return errors.New("something follows behind the end of the document")
	}
	return nil
}

func (h *historyCheck) entry() error {
	key, err := h.d.ReadToken()
	if err != nil {
		return err
	}
	name := key.String()
	usable := bytes.LastIndex([]byte(name), []byte("::")) > 0
	series := false
	if h.d.PeekKind() != '{' {
		err = h.d.SkipValue()
	} else {
		err = h.members(func(member string) error {
			if member != "series" || h.d.PeekKind() != '[' {
				return h.d.SkipValue()
			}
			series = true
			return h.series(&usable)
		})
	}
	if usable = usable && series; !usable && err == nil {
		if h.unusable++; h.unusable == 1 {
			h.first = name
		}
	}
	return err
}

func (h *historyCheck) series(usable *bool) error {
	if _, err := h.d.ReadToken(); err != nil {
		return err
	}
	for h.d.PeekKind() != ']' {
		if h.d.PeekKind() != '{' {
			*usable = false
			if err := h.d.SkipValue(); err != nil {
				return err
			}
			continue
		}
		timed := false
		err := h.members(func(member string) error {
			if member != "ts" || h.d.PeekKind() != '"' {
				return h.d.SkipValue()
			}
			t, err := h.d.ReadToken()
			if err == nil {
				_, bad := ParseTime(t.String())
				timed = bad == nil
			}
			return err
		})
		if err != nil {
			return err
		}
		*usable = *usable && timed
	}
	_, err := h.d.ReadToken()
	return err
}

// members reads an object; take must read the value of each member.
func (h *historyCheck) members(take func(name string) error) error {
	if _, err := h.d.ReadToken(); err != nil {
		return err
	}
	for h.d.PeekKind() != '}' {
		name, err := h.d.ReadToken()
		if err != nil {
			return err
		}
		if err := take(name.String()); err != nil {
			return err
		}
	}
	_, err := h.d.ReadToken()
	return err
}

// offset is where in the file an error was met.
func (h *historyCheck) offset(err error) int64 {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		return h.bom + syntactic.ByteOffset
	}
	return h.bom + h.d.InputOffset()
}
