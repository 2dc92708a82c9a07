package lifecycle

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// countedNotice is what counting needs of a notice's journal line.
type countedNotice struct {
	at         workspace.Time
	signatures []string
	line       []byte
}

// noticeReader reads such lines, of which there are many, no further than it
// must. Most have one of few sets of signatures, which are decoded once.
type noticeReader struct {
	d     jsontext.Decoder
	known map[string][]string // signatures by their JSON
}

func (r *noticeReader) read(line []byte) (countedNotice, error) {
	n := countedNotice{line: line}
	r.d.Reset(bytes.NewBuffer(line))
	if _, err := r.d.ReadToken(); err != nil {
		return n, err
	}
	for n.at.IsZero() || n.signatures == nil {
		name, err := r.d.ReadToken()
		if err != nil || name.Kind() == '}' {
			return n, err
		}
		switch name.String() {
		case "ts":
			n.at, err = r.time()
		case "signatures":
			n.signatures, err = r.signatures()
		default:
			err = r.d.SkipValue()
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (r *noticeReader) time() (workspace.Time, error) {
	ts, err := r.d.ReadToken()
	if err != nil {
		return workspace.Time{}, err
	}
	return workspace.ParseTime(ts.String())
}

func (r *noticeReader) signatures() ([]string, error) {
	text, err := r.d.ReadValue()
	if err != nil {
		return nil, err
	}
	if known, ok := r.known[string(text)]; ok {
		return known, nil
	}
	signatures := []string{}
	if err := json.Unmarshal(text, &signatures); err != nil {
		return nil, err
	}
	if r.known == nil {
		r.known = map[string][]string{}
	}
	r.known[string(text)] = signatures
	return signatures, nil
}
