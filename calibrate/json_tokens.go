package calibrate

import (
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

func (j *jsonLabels) token() (jsontext.Token, error) {
	t, err := j.dec.ReadToken()
	j.at.line = j.lines.lineAt(j.dec.InputOffset())
	return t, j.failure(err)
}

// more reports whether the list or object goes on; a fault in the text counts
// as going on, since the next token then tells it.
func (j *jsonLabels) more() bool {
	kind := j.dec.PeekKind()
	return kind != '}' && kind != ']'
}

func (j *jsonLabels) end() error {
	if _, err := j.dec.ReadToken(); err != io.EOF {
		if err = j.failure(err); err == nil {
			err = labelError(j.at, "", "", "the labels end here, but the file goes on: keep one JSON document")
		}
		return err
	}
	return nil
}

func (j *jsonLabels) failure(err error) error {
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return labelError(j.at, "", "", "the JSON breaks off before its end")
	case errors.As(err, &syntax):
		at := place{j.lines.lineAt(syntax.ByteOffset), j.at.entry}
		return labelError(at, "", "", "not valid JSON: %v", syntax.Err)
	}
	return err
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	}
	return ""
}
