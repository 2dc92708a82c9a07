package workspace

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// scoreLine is what calibration needs of a line of a session file. Its texts
// are valid until the next line is read.
type scoreLine struct {
	ts, scoreTS []byte // sortable
	id, session []byte
	scores      []lineScore
	replay      bool
}

type lineScore struct {
	metric []byte
	value  float64
	left   string // why it is no score; "" = it is one
}

// at is when the scores were given; see SessionLine.SampleTime.
func (l *scoreLine) at() []byte {
	if len(l.scoreTS) > 0 {
		return l.scoreTS
	}
	return l.ts
}

// lineReader reads lines of session files, several times faster than decoding
// them into a SessionLine, and without new memory for each. Members that
// calibration has no use for are checked to be JSON and passed over.
type lineReader struct {
	d     *jsontext.Decoder
	input bytes.Buffer
	texts []byte // the memory of the texts in got
	got   scoreLine
}

func newLineReader() *lineReader {
	r := &lineReader{}
	r.d = jsontext.NewDecoder(&r.input)
	return r
}

var errWrongKind = errors.New("a value of the wrong kind")

// read returns what a line holds, or false when it is no whole record.
func (r *lineReader) read(line []byte) (*scoreLine, bool) {
	r.texts, r.got = r.texts[:0], scoreLine{scores: r.got.scores[:0]}
	if quickLine(line, &r.got) {
		r.reset(line)
		return &r.got, pass(r.d) == nil && r.atEnd(line)
	}
	r.got = scoreLine{scores: r.got.scores[:0]}
	r.reset(line)
	if r.d.PeekKind() != '{' || eachMember(r.d, r.member) != nil {
		return nil, false
	}
	return &r.got, r.atEnd(line)
}

func (r *lineReader) reset(line []byte) {
	r.input = *bytes.NewBuffer(line)
	r.d.Reset(&r.input, jsontext.AllowDuplicateNames(true)) // a check that would take a third of the time
}

func (r *lineReader) atEnd(line []byte) bool { return int(r.d.InputOffset()) == len(line) }

func (r *lineReader) member(name []byte) (err error) {
	switch string(name) {
	case "ts":
		r.got.ts, err = r.time()
	case "score_ts":
		r.got.scoreTS, err = r.time()
	case "id":
		r.got.id, err = r.text()
	case "session_id":
		r.got.session, err = r.text()
	case "scores":
		err = r.scores()
	case "replay":
		r.got.replay = r.d.PeekKind() == 't'
		err = pass(r.d)
	default:
		err = pass(r.d)
	}
	return err
}

func (r *lineReader) text() ([]byte, error) {
	raw, err := r.d.ReadValue()
	if err != nil || raw.Kind() != '"' {
		return nil, errors.Join(err, errWrongKind)
	}
	start := len(r.texts)
	r.texts, err = jsontext.AppendUnquote(r.texts, raw)
	return r.texts[start:], err
}

func (r *lineReader) time() ([]byte, error) {
	if r.d.PeekKind() == 'n' {
		return nil, pass(r.d)
	}
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	at := sortableText(text)
	if at == nil {
		return nil, errWrongKind
	}
	return at, nil
}

func (r *lineReader) scores() error {
	if kind := r.d.PeekKind(); kind == 'n' {
		return pass(r.d)
	} else if kind != '{' {
		return errWrongKind
	}
	return eachMember(r.d, func(name []byte) error {
		start := len(r.texts)
		r.texts = append(r.texts, name...)
		raw, err := r.d.ReadValue()
		if err != nil {
			return err
		}
		score := lineScore{metric: r.texts[start:], left: scoreFault(raw)}
		if score.left == "" {
			score.value, err = strconv.ParseFloat(string(raw), 64)
		}
		r.got.scores = append(r.got.scores, score)
		if score.left == LeftNotNumber {
			return errWrongKind
		}
		return err
	})
}
