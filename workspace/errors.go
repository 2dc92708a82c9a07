package workspace

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Code names a kind of failure. The codes are part of the JSON contract
// (docs/cli.md, "Errors").
type Code string

// The failures that this package tells apart.
const (
	CodeNoWorkspace Code = "no_workspace" // there is no workspace where one was looked for
	CodeExists      Code = "exists"       // what was to be made is there already
	CodeNotFound    Code = "not_found"    // an id that names nothing
	CodeConfig      Code = "bad_config"   // a knob that cannot be used
	CodeBadInput    Code = "bad_input"    // content from outside that cannot be used
	CodeBrokenFile  Code = "broken_file"  // a state file that cannot be read
	CodeLocked      Code = "locked"       // the write lock stayed taken for too long
	CodeRefused     Code = "refused"      // a rule of the harness forbids it (cap, state)
	CodeIO          Code = "io"           // the file system said no
)

// Error is a failure told in one line: what is wrong, where, and what to do.
// The zero values of File, Line and Field mean that it has no such place.
type Error struct {
	Code    Code
	File    string // as the user would name it: relative to the workspace where it lies in it
	Line    int    // counted from 1
	Field   string // key, column or flag
	Message string // lower-case, no full stop, ends with what to do where there is something
	Err     error  // the cause, for errors.Is; not printed
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	if e.Field != "" {
		fmt.Fprintf(&b, "%s: ", e.Field)
	}
	b.WriteString(e.Message)
	return inLine(b.String())
}

// inLine escapes what would break the line; names and the words of decoders may
// hold anything.
func inLine(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error of the given kind without a place.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// CodeOf returns the code of the first Error in err's chain, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// ioError tells a failure of the file system about the named file in one line.
func ioError(doing, file string, err error) *Error {
	return &Error{Code: CodeIO, File: file, Message: fmt.Sprintf("%s: %s", doing, reason(err)), Err: err}
}

// reason is the innermost text of a file system error, without the absolute
// path that the os package puts in front.
func reason(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}
