package tool

import (
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// param is an argument of an operation, or a field of its result.
type param struct {
	name     string
	kind     kind
	required bool
	about    string
	oneOf    []string // the texts that it can be; nil = any
}

// kind is what an argument can be.
type kind int

const (
	text     kind = iota
	texts         // a list of texts
	whole         // a whole number from 0 to mostWhole
	flag          // true or false
	value         // any JSON value but null
	object        // of results only
	list          // of results only
	anything      // of results only, null too
)

// mostWhole is far more than any count here comes to.
const mostWhole = 1<<31 - 1

func (p param) takes(v jsontext.Value) bool {
	switch p.kind {
	case text:
		return v.Kind() == '"' && (p.oneOf == nil || slices.Contains(p.oneOf, textOf(v)))
	case texts:
		return v.Kind() == '[' && !slices.ContainsFunc(itemsOf(v), isNoText)
	case whole:
		_, ok := wholeOf(v)
		return ok
	case flag:
		return v.Kind() == 't' || v.Kind() == 'f'
	}
	return v.Kind() != 'n'
}

func (p param) wants() string {
	switch p.kind {
	case text:
		if p.oneOf != nil {
			return "one of " + strings.Join(p.oneOf, ", ")
		}
		return "a text"
	case texts:
		return "a list of texts"
	case whole:
		return "a whole number from 0 up"
	case flag:
		return "true or false"
	}
	return "any JSON value but null"
}

// found tells what stands there instead of what is wanted.
func (p param) found(v jsontext.Value) string {
	if p.kind == texts && v.Kind() == '[' {
		items := itemsOf(v)
		return "holds " + found(items[slices.IndexFunc(items, isNoText)])
	}
	return "is " + found(v)
}

// found tells what a value is: short ones as they are.
func found(v jsontext.Value) string {
	if len(v) <= 40 && v.Kind() != '{' && v.Kind() != '[' {
		return string(v)
	}
	return map[jsontext.Kind]string{'"': "a text", '{': "an object", '[': "a list", '0': "a number"}[v.Kind()]
}

func textOf(v jsontext.Value) string {
	var s string
	if len(v) > 0 && json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

func itemsOf(v jsontext.Value) []jsontext.Value {
	var items []jsontext.Value
	if len(v) > 0 && json.Unmarshal(v, &items) != nil {
		return nil
	}
	return items
}

func isNoText(v jsontext.Value) bool { return v.Kind() != '"' }

// wholeOf takes 3.0 and 3e0 for 3, as JSON Schema does.
func wholeOf(v jsontext.Value) (int, bool) {
	var f float64
	if v.Kind() != '0' || json.Unmarshal(v, &f) != nil || f != math.Trunc(f) || f < 0 || f > mostWhole {
		return 0, false
	}
	return int(f), true
}
