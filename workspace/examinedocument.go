package workspace

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// broken tells of a document that its reader refuses.
func (x *examiner) broken(rel string, data []byte, err error) {
	f := Finding{File: rel, Severity: SeverityError, Message: reason(err), Kind: kindOfBroken(data, err)}
	f.Mend = mendsOfBroken[f.Kind]
	var located *Error
	if errors.As(err, &located) {
		f.Line, f.Message = located.Line, withField(located.Field, located.Message)
		if f.Line == 0 && located.Field != "" {
			f.Line = jsonLine(data, located.Field)
		}
	}
	if f.Kind == KindWrongType && f.Line == 0 {
		f.Line, f.Message = typeFault(f.Message)
	}
	if located != nil && (located.Field != "" || f.Kind == KindConflict) {
		if what, how, ok := strings.Cut(f.Message, "; "); ok {
			f.Message, f.Mend = what, how // the reader knows better
		}
	}
	x.add(f)
}

// withField puts the field in front of what is wrong with it.
func withField(field, message string) string {
	switch {
	case field == "":
		return message
	case strings.HasPrefix(message, "is "), strings.HasPrefix(message, "has "):
		return field + " " + message
	}
	return field + ": " + message
}

var tomlTypeFault = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`line (\d+) \(last key "([^"]*)"\): incompatible types: TOML value has type (\S+); destination has type (\S+)`)
})

// typeFault finds the line in what the TOML decoder says of a value of the
// wrong type.
func typeFault(message string) (line int, told string) {
	m := tomlTypeFault().FindStringSubmatch(message)
	if m == nil {
		return 0, message
	}
	line, _ = strconv.Atoi(m[1])
	return line, m[2] + " has a value of the type " + m[3] + "; it must be of the type " + m[4]
}

var mendsOfBroken = map[string]string{
	KindNotTOML:        "correct it, or bring back the last good version from git",
	KindNotJSON:        "correct it, or bring back the last good version from git",
	KindConflict:       "choose one side and remove the markers",
	KindWrongType:      "correct the value",
	KindUnreadableTime: "give an RFC 3339 time such as 2026-01-31T09:30:00Z",
	KindMissingField:   "add it",
	KindBadValue:       "correct the value",
	KindOutOfRange:     "correct the value",
}

func kindOfBroken(data []byte, err error) string {
	var parse toml.ParseError
	var syntactic *jsontext.SyntacticError
	var located *Error
	switch {
	case conflictLine(data) > 0:
		return KindConflict
	case errors.As(err, &parse) && strings.Contains(parse.Message, "RFC 3339"):
		return KindUnreadableTime
	case errors.As(err, &parse):
		return KindNotTOML
	case errors.As(err, &syntactic), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return KindNotJSON
	case errors.As(err, &located):
		return kindOfField(located)
	}
	return KindWrongType
}

func kindOfField(e *Error) string {
	var semantic *json.SemanticError
	switch field, _, _ := strings.Cut(e.Field, "."); {
	case strings.Contains(e.Message, "RFC 3339") && !strings.HasPrefix(e.Message, "is missing"):
		return KindUnreadableTime
	case errors.As(e, &semantic), field == "" && e.Err == nil:
		return KindWrongType
	case strings.HasPrefix(e.Message, "is missing"), field == "status" && strings.HasPrefix(e.Message, `is ""`):
		return KindMissingField
	case field == "id":
		return KindIDMismatch
	case field == "status":
		return KindUnknownStatus
	case field == "trial", field == "baseline_scores":
		return KindOutOfRange
	}
	return KindBadValue
}

// jsonLine is the line on which a member is named first, 0 when none is.
func jsonLine(data []byte, field string) int {
	name, _, _ := strings.Cut(field, ".")
	if at := bytes.Index(data, []byte(`"`+name+`"`)); at >= 0 {
		return lineAt(data, at)
	}
	return 0
}

// future tells of a time that no clock can have shown yet.
func (x *examiner) future(rel string, line int, field string, at Time) []Finding {
	if at.Compare(x.late) <= 0 {
		return nil
	}
	return []Finding{{Kind: KindFutureTime, File: rel, Line: line, Severity: SeverityWarning,
		Message: field + " " + at.String() + " lies in the future, and counts as the newest until then",
		Mend:    "set the clock of the machine that wrote it, and correct the time"}}
}
