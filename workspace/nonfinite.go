package workspace

import (
	"bytes"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// nonFinite are the numbers that other writers put into JSON although it has
// none of them. The longest stands first.
var nonFinite = [...]string{"-Infinity", "Infinity", "NaN"}

// outOfRange stands for each of them: a number that is no score, and as short as
// the shortest of them, so that every byte behind it keeps its place.
const outOfRange = "9e9"

func isOutOfRange(number string) bool { return strings.TrimPrefix(number, "-") == outOfRange }

// isNonFinite tells whether the text begins with one of them.
func isNonFinite(text []byte) bool {
	for _, token := range nonFinite {
		if bytes.HasPrefix(text, []byte(token)) {
			return true
		}
	}
	return false
}

// finiteReader reads JSON in which NaN, Infinity and -Infinity, where they stand
// for a value, are replaced by a number out of range and blanks. Texts stay as
// they are.
type finiteReader struct {
	r        io.Reader
	buf      []byte
	from, to int // what is replaced already and not yet handed out
	end      int // of what was read
	err      error
	inText   bool
	escaped  bool // the byte before was a backslash in a text
}

func newFiniteReader(r io.Reader) *finiteReader {
	return &finiteReader{r: r, buf: make([]byte, 64<<10)}
}

func (f *finiteReader) Read(p []byte) (int, error) {
	for f.from == f.to {
		if f.err != nil && f.to == f.end {
			return 0, f.err
		}
		f.fill()
	}
	n := copy(p, f.buf[f.from:f.to])
	f.from += n
	return n, nil
}

// fill reads on behind what is left of the buffer, and replaces in it.
func (f *finiteReader) fill() {
	copy(f.buf, f.buf[f.to:f.end])
	f.from, f.to, f.end = 0, 0, f.end-f.to
	if f.err == nil {
		var n int
		n, f.err = f.r.Read(f.buf[f.end:])
		f.end += n
	}
	for f.to < f.end && f.step() {
	}
}

// step takes the next byte, or the token that begins with it. It returns false
// when more must be read to tell what it is.
func (f *finiteReader) step() bool {
	c := f.buf[f.to]
	switch {
	case f.escaped:
		f.escaped = false
	case f.inText:
		f.inText, f.escaped = c != '"', c == '\\'
	case c == '"':
		f.inText = true
	case c == 'N' || c == 'I':
		return f.token()
	}
	f.to++
	return true
}

func (f *finiteReader) token() bool {
	rest := f.buf[f.to:f.end]
	for _, token := range nonFinite[1:] {
		switch {
		case bytes.HasPrefix(rest, []byte(token)):
			blank := rest[copy(rest, outOfRange):len(token)]
			for i := range blank {
				blank[i] = ' '
			}
			f.to += len(token)
			return true
		case f.err == nil && len(rest) < len(token) && bytes.HasPrefix([]byte(token), rest):
			return false
		}
	}
	f.to++
	return true
}

// withoutNonFinite puts null for NaN and Infinity in a JSON value.
func withoutNonFinite(text []byte) (jsontext.Value, error) {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text, nil
	}
	var out bytes.Buffer
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true)}
	d := jsontext.NewDecoder(newFiniteReader(bytes.NewReader(text)), options...)
	e := jsontext.NewEncoder(&out, options...)
	for {
		token, err := d.ReadToken()
		if err == io.EOF {
			return bytes.TrimSpace(out.Bytes()), nil
		}
		if err == nil && token.Kind() == '0' && isOutOfRange(token.String()) {
			token = jsontext.Null
		}
		if err == nil {
			err = e.WriteToken(token)
		}
		if err != nil {
			return nil, err
		}
	}
}
