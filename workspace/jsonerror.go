package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// CheckScore says whether a metric's score can be used: the metric has a name
// and the score is a finite number between 0 and 1.
func CheckScore(metric string, score float64) error {
	switch {
	case strings.TrimSpace(metric) == "":
		return Errorf(CodeBadInput, "a metric has no name")
	case math.IsNaN(score) || math.IsInf(score, 0):
		return Errorf(CodeBadInput, "the score is not a finite number")
	case score < 0 || score > 1:
		return Errorf(CodeBadInput, "the score %v lies outside 0 to 1", score)
	}
	return nil
}

// DecodeInput reads one JSON document that came from outside; source names it
// in messages ("standard input", a file).
func DecodeInput(source string, data []byte, v any) error {
	data = TrimBOM(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return &Error{Code: CodeBadInput, File: source, Message: "is empty; a JSON document was expected"}
	}
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	bad := &Error{Code: CodeBadInput, File: source, Err: err}
	bad.Line, bad.Field, bad.Message = describeJSON(data, err)
	return bad
}

// describeJSON turns a decoder's error into a place and a plain sentence.
func describeJSON(data []byte, err error) (line int, field, message string) {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return 1 + bytes.Count(data, []byte{'\n'}), "", "is cut off: the JSON does not end"
	case errors.As(err, &syntactic):
		return lineAt(data, clampOffset(data, syntactic.ByteOffset)), fieldOf(syntactic.JSONPointer), "is not valid JSON: " + shorten(syntactic.Err)
	case errors.As(err, &semantic):
		return lineAt(data, clampOffset(data, semantic.ByteOffset)), fieldOf(semantic.JSONPointer), wrongValue(semantic)
	}
	return 0, "", shorten(err)
}

func wrongValue(e *json.SemanticError) string {
	if e.Err != nil {
		return shorten(e.Err)
	}
	kinds := map[jsontext.Kind]string{'n': "null", 't': "a boolean", 'f': "a boolean", '"': "a text", '0': "a number", '{': "an object", '[': "a list"}
	if e.GoType == nil {
		return "has a value of the wrong kind"
	}
	want := map[string]string{"string": "a text", "float64": "a number", "int": "a whole number", "int64": "a whole number", "bool": "true or false", "slice": "a list", "map": "an object", "struct": "an object"}[e.GoType.Kind().String()]
	if want == "" {
		want = e.GoType.String()
	}
	return fmt.Sprintf("is %s; it must be %s", kinds[e.JSONKind], want)
}

func clampOffset(data []byte, offset int64) int { return int(min(max(offset, 0), int64(len(data)))) }

func fieldOf(p jsontext.Pointer) string {
	return clip(strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", "."))
}

func shorten(err error) string {
	text := strings.TrimPrefix(err.Error(), "jsontext: ")
	return strings.TrimPrefix(text, "json: ")
}

func marshalString(s string) ([]byte, error) { return jsontext.AppendQuote(nil, s) }
