package workspace

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
)

// lineHead is what orders and chooses a journal line without decoding it.
type lineHead struct {
	ts   Time
	id   string
	kind string
	line []byte
}

var errNoHead = errors.New("no record with ts, id and type")

// readHead takes the head from the front of a line as this program writes it,
// and decodes the line when another writer put its keys elsewhere.
func readHead(line []byte) (lineHead, error) {
	if h, ok := fastHead(line); ok {
		return h, nil
	}
	var slow struct {
		TS   Time   `json:"ts"`
		ID   string `json:"id"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &slow); err != nil {
		return lineHead{}, err
	}
	if slow.TS.IsZero() || slow.ID == "" || slow.Type == "" {
		return lineHead{}, errNoHead
	}
	return lineHead{slow.TS, slow.ID, slow.Type, line}, nil
}

// fastHead reads {"ts":"…","id":"…","type":"…" when the line ends in a brace.
func fastHead(line []byte) (lineHead, bool) {
	if line[len(line)-1] != '}' {
		return lineHead{}, false
	}
	ts, rest, ok1 := plainField(line, `{"ts":"`)
	id, rest, ok2 := plainField(rest, `,"id":"`)
	kind, _, ok3 := plainField(rest, `,"type":"`)
	if !ok1 || !ok2 || !ok3 || len(id) == 0 || len(kind) == 0 {
		return lineHead{}, false
	}
	at, ok := parseFixedTime(ts)
	if !ok {
		return lineHead{}, false
	}
	return lineHead{at, string(id), string(kind), line}, true
}

// plainField cuts a string value without escapes that follows the opening.
func plainField(b []byte, opening string) (value, rest []byte, ok bool) {
	b, ok = bytes.CutPrefix(b, []byte(opening))
	if !ok {
		return nil, nil, false
	}
	end := bytes.IndexByte(b, '"')
	if end < 0 || bytes.IndexByte(b[:end], '\\') >= 0 {
		return nil, nil, false
	}
	return b[:end], b[end+1:], true
}

func parseFixedTime(b []byte) (Time, bool) {
	if len(b) != len(timeLayout) || b[len(b)-1] != 'Z' {
		return Time{}, false
	}
	t, err := ParseTime(string(b))
	return t, err == nil
}
