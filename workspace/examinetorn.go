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

// mostTorn bounds how often a record is looked for in vain in a torn line.
const mostTorn = 256

// unglue takes a torn line apart into the whole records that stand in it and
// the rest, as when a write followed a torn one without a line end between, or
// another program changed the line ends. White space between them is neither.
func unglue(line []byte, r *recordReader) (whole, torn [][]byte) {
	rest := 0
	tear := func(end int) {
		if part := bytes.TrimSpace(line[rest:end]); len(part) > 0 {
			torn = append(torn, part)
		}
	}
	for start, vain := 0, 0; start < len(line) && vain < mostTorn; {
		if value, ok := wholeAt(line[start:], r); ok {
			tear(start)
			whole = append(whole, value)
			start += len(value)
			rest = start
		} else {
			start++
			vain++
		}
		next := bytes.Index(line[start:], []byte(recordStart))
		if next < 0 {
			break
		}
		start += next
	}
	tear(len(line))
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
