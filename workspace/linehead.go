package workspace

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json"
)

// lineHead is what orders and chooses a journal line without decoding it. Its
// texts are parts of the line where they can be, so that a head costs no copy.
type lineHead struct {
	at   []byte // its time as sortable gives it
	id   []byte
	line []byte
}

// copied returns the head in memory of its own.
func (h lineHead) copied() lineHead {
	memory := slices.Concat(h.at, h.id, h.line)
	id, line := len(h.at), len(h.at)+len(h.id)
	return lineHead{at: memory[:id], id: memory[id:line], line: memory[line:]}
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
	if kind, ok := ownKind(line); ok {
		at, id := line[ownTime:ownTime+len(timeLayout)-1], line[ownID:ownType-len(beforeType)]
		if hasTimeLayout(line[ownTime:ownID-len(beforeID)]) && isPlain(id) {
			return lineHead{at: at, id: id, line: line}, kind, nil
		}
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
	return lineHead{at: sortable(slow.TS), id: []byte(slow.ID), line: line}, []byte(slow.Type), nil
}

// Where a line of this program has its time, id and type.
const (
	beforeTime = `{"ts":"`
	beforeID   = `","id":"`
	beforeType = `","type":"`

	ownTime = len(beforeTime)
	ownID   = ownTime + len(timeLayout) + len(beforeID)
	ownType = ownID + lineIDDigits + len(beforeType)
)

// ownKind returns the type of a line that looks as this program writes it.
func ownKind(line []byte) (kind []byte, ok bool) {
	if len(line) <= ownType || line[len(line)-1] != '}' ||
		string(line[:ownTime]) != beforeTime ||
		string(line[ownID-len(beforeID):ownID]) != beforeID ||
		string(line[ownType-len(beforeType):ownType]) != beforeType {
		return nil, false
	}
	end := bytes.IndexByte(line[ownType:], '"')
	if end <= 0 {
		return nil, false
	}
	kind = line[ownType : ownType+end]
	return kind, isPlain(kind)
}

// isPlain tells a string's text that stands for itself.
func isPlain(text []byte) bool {
	return bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\\') < 0
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
