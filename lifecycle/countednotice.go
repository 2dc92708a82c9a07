package lifecycle

import (
	"bytes"

	"github.com/go-json-experiment/json"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// countedNotice is what counting needs of a notice's journal line.
type countedNotice struct {
	at   workspace.Time
	set  int // of signatures, in the reader that read it
	line []byte
}

// noticeReader reads such lines, of which there are many. Most have one of few
// sets of signatures, which are decoded once.
type noticeReader struct {
	sets  [][]string
	known map[string]int // sets by their JSON
}

func (r *noticeReader) read(line []byte) (countedNotice, error) {
	n := countedNotice{line: line}
	ts, signatures, ok := ownNotice(line)
	if ok {
		var err error
		if n.at, err = workspace.ParseTime(string(ts)); err == nil {
			n.set, err = r.setOf(signatures)
		}
		if err == nil {
			return n, nil
		}
	}
	var slow struct {
		TS         workspace.Time `json:"ts"`
		Signatures []string       `json:"signatures"`
	}
	if err := json.Unmarshal(line, &slow); err != nil {
		return n, err
	}
	raw, err := json.Marshal(slow.Signatures)
	if err != nil {
		return n, err
	}
	n.at = slow.TS
	n.set, err = r.setOf(raw)
	return n, err
}

// setOf returns the number of a set of signatures, which are given as JSON.
func (r *noticeReader) setOf(text []byte) (int, error) {
	if set, ok := r.known[string(text)]; ok {
		return set, nil
	}
	var signatures []string
	if err := json.Unmarshal(text, &signatures); err != nil {
		return 0, err
	}
	if r.known == nil {
		r.known = map[string]int{}
	}
	set := len(r.sets)
	r.sets = append(r.sets, append([]string{}, signatures...))
	r.known[string(text)] = set
	return set, nil
}

// ownNotice finds the time and the signatures, as JSON, in a line as this program
// writes it: the time in front, and no object or list before the signatures, so
// that they are the notice's own.
func ownNotice(line []byte) (ts, signatures []byte, ok bool) {
	const first, name = `{"ts":"`, `,"signatures":`
	head, rest, found := bytes.Cut(line, []byte(name))
	if !found || !bytes.HasPrefix(head, []byte(first)) || bytes.ContainsAny(head[1:], "{[") {
		return nil, nil, false
	}
	end := bytes.IndexByte(rest, ']')
	ts, _, found = bytes.Cut(head[len(first):], []byte{'"'})
	if !found || end < 0 || rest[0] != '[' {
		return nil, nil, false
	}
	return ts, rest[:end+1], true
}
