package workspace

import (
	"strings"
	"testing"
)

// TestAnErrorIsOneLine: names from outside do not break it.
func TestAnErrorIsOneLine(t *testing.T) {
	for _, test := range []struct {
		err  Error
		want string
	}{
		{Error{File: "a.json", Line: 3, Field: "scores.m", Message: "is no number"}, "a.json:3: scores.m: is no number"},
		{Error{File: "a\nb.json", Line: 3, Message: "is empty"}, `a\nb.json:3: is empty`},
		{Error{Field: "\x1b[31mm", Message: "is no number"}, `\x1b[31mm: is no number`},
		{Error{Field: "Gr\u00f6\u00dfe", Message: "is unknown"}, "Gr\u00f6\u00dfe: is unknown"},
		{Error{Message: "is empty"}, "is empty"},
		{Error{File: "a.toml", Message: "invalid escape in string '\\\n'"}, `a.toml: invalid escape in string '\\n'`},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestAnErrorIsShort: a document that is nested without end fills no screen.
func TestAnErrorIsShort(t *testing.T) {
	deep := `{"a":` + strings.Repeat(`{"a":`, 20000)
	for _, text := range []string{deep, deep + "1" + strings.Repeat("}", 20000), deep + "!"} {
		var v any
		err := DecodeInput("x.json", []byte(text), &v)
		if err == nil || len(err.Error()) > 200 {
			t.Errorf("%.300v", err)
		}
	}
}
