package workspace

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// record is what every line of evidence has in common. Its texts are valid
// until the next line is read.
type record struct {
	ts                      Time
	id, kind, session, rule []byte
	reports                 bool    // it has signatures or scores
	problem                 problem // the first field that is wrong
}

// problem is what is wrong with a record that is JSON.
type problem struct{ kind, message, mend string }

// recordReader reads records many times faster than decoding them wholly. It is
// for one file after the other.
type recordReader struct {
	buffer *bufio.Reader // of the file
	d      *jsontext.Decoder
	line   []byte
}

func newRecordReader() *recordReader {
	return &recordReader{buffer: bufio.NewReaderSize(nil, 64<<10), d: jsontext.NewDecoder(new(bytes.Buffer))}
}

var errNoRecord = errors.New("is no JSON object")

// read returns the record of a line. The error says that the line is not one
// JSON object; what is wrong inside of one is the record's problem.
func (r *recordReader) read(line []byte) (rec record, err error) {
	r.line = line
	r.d.Reset(bytes.NewBuffer(line))
	if r.d.PeekKind() != '{' {
		return rec, errNoRecord
	}
	if _, err := r.d.ReadToken(); err != nil {
		return rec, err
	}
	for r.d.PeekKind() != '}' {
		name, err := r.text()
		if err != nil {
			return rec, err
		}
		if err := r.member(name, &rec); err != nil {
			return rec, err
		}
	}
	if _, err := r.d.ReadToken(); err != nil {
		return rec, err
	}
	if _, err := r.d.ReadToken(); err != io.EOF {
		return rec, errNoRecord
	}
	return rec, nil
}

func (r *recordReader) member(name []byte, rec *record) error {
	var to *[]byte
	switch string(name) {
	case "ts":
		return r.time(rec)
	case "id":
		to = &rec.id
	case "type":
		to = &rec.kind
	case "session_id":
		to = &rec.session
	case "rule_id":
		to = &rec.rule
	case "signatures", "scores":
		rec.reports = true
		return r.d.SkipValue()
	default:
		return r.d.SkipValue()
	}
	switch r.d.PeekKind() {
	case '"':
		text, err := r.text()
		*to = text
		return err
	case 'n': // as if it were not there
	default:
		rec.blame(KindWrongType, string(name)+" is no text", "correct the value")
	}
	return r.d.SkipValue()
}

func (r *recordReader) time(rec *record) error {
	switch r.d.PeekKind() {
	case '"':
	case 'n': // as if it were not there
		return r.d.SkipValue()
	default:
		rec.blame(KindWrongType, "ts is no text", "give it the time of writing in RFC 3339, which its neighbours tell about")
		return r.d.SkipValue()
	}
	text, err := r.text()
	if err != nil {
		return err
	}
	at, bad := ParseTime(string(text))
	if bad != nil {
		rec.blame(KindUnreadableTime, "ts "+bad.Error(), "give it the time of writing, which its neighbours tell about")
	}
	rec.ts = at
	return nil
}

// text reads a name or text, which stays in the line where it has no escapes.
func (r *recordReader) text() ([]byte, error) {
	raw, err := r.d.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(r.d.InputOffset())
	inner := r.line[end-len(raw)+1 : end-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner, nil
	}
	return jsontext.AppendUnquote(nil, raw)
}

func (rec *record) blame(kind, message, mend string) {
	if rec.problem.kind == "" {
		rec.problem = problem{kind, message, mend}
	}
}
