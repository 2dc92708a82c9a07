package calibrate

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonLabels reads the two JSON forms, one token at a time.
type jsonLabels struct {
	dec    *jsontext.Decoder
	lines  *lineReader
	labels *Labels
	at     place

	// Of the record being read; kept here so that each costs no memory anew.
	name            []byte
	session, failed field
}

type field struct {
	text  string
	there bool
}

func readJSON(r io.Reader, labels *Labels) error {
	lines := &lineReader{from: r}
	// Double names are told apart from conflicts here, entry by entry, and the
	// decoder then need not remember 100,000 of them.
	dec := jsontext.NewDecoder(lines, jsontext.AllowDuplicateNames(true))
	j := &jsonLabels{dec: dec, lines: lines, labels: labels}
	open, err := j.token()
	if err != nil {
		return err
	}
	each := j.member
	if open.Kind() == '[' {
		each = j.record
	}
	for j.more() {
		j.at.entry++
		if err := each(); err != nil {
			return err
		}
	}
	if _, err := j.token(); err != nil {
		return err
	}
	return j.end()
}

// member reads "session": label.
func (j *jsonLabels) member() error {
	name, err := j.token()
	if err != nil {
		return err
	}
	session := name.String()
	word, err := j.word(session)
	if err != nil {
		return err
	}
	return j.labels.add(j.at, session, word)
}

// record reads {"session_id": session, "failed": label}; other names pass.
func (j *jsonLabels) record() error {
	open, err := j.token()
	if err != nil {
		return err
	}
	if open.Kind() != '{' {
		return labelError(j.at, "", open.String(), "the entry is %s: write {\"session_id\": text, \"failed\": true or false}", kindName(open.Kind()))
	}
	at := j.at
	j.session, j.failed = field{}, field{}
	for j.more() {
		if err := j.pair(); err != nil {
			return err
		}
	}
	if _, err := j.token(); err != nil {
		return err
	}
	switch {
	case !j.session.there:
		return labelError(at, "", "", "the entry has no \"session_id\"")
	case !j.failed.there:
		return labelError(at, j.session.text, "", "session %q has no label: its entry has no \"failed\"", j.session.text)
	}
	return j.labels.add(at, j.session.text, j.failed.text)
}

// pair reads a name of a record and its value.
func (j *jsonLabels) pair() error {
	quoted, err := j.dec.ReadValue()
	if err != nil {
		return j.failure(err)
	}
	j.at.line = j.lines.lineAt(j.dec.InputOffset())
	if j.name, err = jsontext.AppendUnquote(j.name[:0], quoted); err != nil {
		return err
	}
	switch string(j.name) {
	case "session_id":
		if kind := kindName(j.dec.PeekKind()); kind != "" && kind != "a text" {
			return labelError(j.at, "", "", "\"session_id\" is %s, not a text", kind)
		}
		return j.fill(&j.session)
	case "failed":
		return j.fill(&j.failed)
	}
	return j.failure(j.dec.SkipValue())
}

func (j *jsonLabels) fill(f *field) error {
	if f.there {
		return labelError(j.at, j.session.text, "", "the entry has %q twice", j.name)
	}
	text, err := j.word(j.session.text)
	*f = field{text: text, there: true}
	return err
}

// word reads a label as text: numbers digit for digit, so that they are held to
// the same words as a text.
func (j *jsonLabels) word(session string) (string, error) {
	kind := j.dec.PeekKind()
	if kind == '{' || kind == '[' || kind == 'n' {
		found := kindName(kind)
		return "", labelError(j.at, session, found, "label of session %q is %s: %s", session, found, knownWords)
	}
	text, err := j.token()
	if err != nil {
		return "", err
	}
	return text.String(), nil
}
