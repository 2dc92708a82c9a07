package workspace

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
)

// lineHead is what orders and chooses a journal line without decoding it. Its
// texts are parts of the line, so that a head costs no copy.
type lineHead struct {
	at   []byte // its time as sortable gives it
	id   []byte
	line []byte
}

func (h lineHead) compare(other lineHead) int {
	if c := bytes.Compare(h.at, other.at); c != 0 {
		return c
	}
	return bytes.Compare(h.id, other.id)
}

var errNoHead = errors.New("no record with ts, id and type")

// readHead takes the head and the type from the front of a line as this program
// writes it, and decodes the line when another writer put its keys elsewhere.
func readHead(line []byte) (head lineHead, kind []byte, err error) {
	if head, kind, ok := fastHead(line); ok {
		return head, kind, nil
	}
	var slow struct {
		TS   Time   `json:"ts"`
		ID   string `json:"id"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &slow); err != nil {
		return head, nil, err
	}
	if slow.TS.IsZero() || slow.ID == "" || slow.Type == "" {
		return head, nil, errNoHead
	}
	return lineHead{sortable(slow.TS), []byte(slow.ID), line}, []byte(slow.Type), nil
}

// fastHead reads {"ts":"...","id":"...","type":"..." when the line ends in a
// brace.
func fastHead(line []byte) (head lineHead, kind []byte, ok bool) {
	if line[len(line)-1] != '}' {
		return head, nil, false
	}
	ts, rest, ok1 := plainField(line, `{"ts":"`)
	id, rest, ok2 := plainField(rest, `,"id":"`)
	kind, _, ok3 := plainField(rest, `,"type":"`)
	if !ok1 || !ok2 || !ok3 || len(id) == 0 || len(kind) == 0 || !hasTimeLayout(ts) {
		return head, nil, false
	}
	return lineHead{ts[:len(ts)-1], id, line}, kind, true
}

// plainField cuts a string value without escapes that follows the opening.
func plainField(b []byte, opening string) (value, rest []byte, ok bool) {
	if len(b) < len(opening) || string(b[:len(opening)]) != opening {
		return nil, nil, false
	}
	b = b[len(opening):]
	end := bytes.IndexByte(b, '"')
	if end < 0 || bytes.IndexByte(b[:end], '\\') >= 0 {
		return nil, nil, false
	}
	return b[:end], b[end+1:], true
}

// sortable writes an instant so that texts compare as instants do: timeLayout
// without its Z, with up to three more digits where another writer gave more.
func sortable(t Time) []byte {
	text := t.t.UTC().AppendFormat(nil, "2006-01-02T15:04:05.000000000")
	for range 3 {
		text = bytes.TrimSuffix(text, []byte("0"))
	}
	return text
}

// hasTimeLayout tells a time in timeLayout by its looks: a thirteenth month is
// found when the line is decoded.
func hasTimeLayout(b []byte) bool {
	if len(b) != len(timeLayout) {
		return false
	}
	for i, c := range []byte(timeLayout) {
		isDigit := b[i]-'0' <= 9
		if wantDigit := c-'0' <= 9; wantDigit != isDigit || !wantDigit && b[i] != c {
			return false
		}
	}
	return true
}
