package workspace

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// isTorn tells what is left of a record from JSON that only breaks its rules:
// a double name, text that is not UTF-8.
func isTorn(line []byte) bool {
	value := jsontext.Value(line)
	return value.Kind() != '{' || !value.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// isMarker tells a line that git writes around the sides of a conflict.
func isMarker(line []byte) bool {
	for _, marker := range []string{"<<<<<<< ", "||||||| ", ">>>>>>> "} {
		if bytes.HasPrefix(line, []byte(marker)) {
			return true
		}
	}
	return string(line) == "======="
}

// recordStart is how this program begins every line of evidence.
const recordStart = `{"ts":"`

// mostGlued bounds how many records are looked for in a torn line.
const mostGlued = 64

// unglue takes a torn line apart into the whole records that stand in it and
// the rest, as when a write followed a torn one without a line end between.
func unglue(line []byte, r *recordReader) (whole, torn [][]byte) {
	rest := 0
	for start, tries := 0, 0; start < len(line) && tries < mostGlued; tries++ {
		if value, ok := wholeAt(line[start:], r); ok {
			if start > rest {
				torn = append(torn, line[rest:start])
			}
			whole = append(whole, value)
			start += len(value)
			rest = start
		} else {
			start++
		}
		next := bytes.Index(line[start:], []byte(recordStart))
		if next < 0 {
			break
		}
		start += next
	}
	if rest < len(line) {
		torn = append(torn, line[rest:])
	}
	return whole, torn
}

// wholeAt returns the record that b begins with.
func wholeAt(b []byte, r *recordReader) ([]byte, bool) {
	value, err := jsontext.NewDecoder(bytes.NewBuffer(b)).ReadValue()
	if err != nil {
		return nil, false
	}
	rec, err := r.read(value)
	if err != nil || rec.problem.kind != "" || rec.ts.IsZero() || len(rec.id) == 0 || len(rec.kind)+len(rec.session) == 0 {
		return nil, false
	}
	return value, true
}
