package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// arguments are those of one call, checked; null stands for one that is absent.
type arguments map[string]jsontext.Value

// check holds what was given against what the operation takes.
func (o operation) check(given jsontext.Value) (arguments, error) {
	a, err := o.decode(given)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if !slices.ContainsFunc(o.params, func(p param) bool { return p.name == name }) {
			return nil, wrong(fmt.Sprintf("%.80s", name), "is no argument of "+o.name+o.meant(name))
		}
	}
	for _, p := range o.params {
		v, ok := a[p.name]
		switch {
		case !ok && p.required:
			return nil, wrong(p.name, "is missing; "+o.name+" needs it: "+p.about)
		case !ok || v.Kind() == 'n' && !p.required:
			delete(a, p.name)
		case !p.takes(v):
			return nil, wrong(p.name, p.found(v)+"; it must be "+p.wants())
		}
	}
	return a, nil
}

func (o operation) decode(given jsontext.Value) (a arguments, err error) {
	if len(given) == 0 {
		return arguments{}, nil
	}
	var document jsontext.Value
	if err := workspace.DecodeInput("arguments", given, &document); err != nil {
		return nil, err
	}
	if document.Kind() != '{' {
		return nil, wrong("", "the arguments of "+o.name+" are "+found(document)+"; they must be one JSON object")
	}
	return a, json.Unmarshal(document, &a)
}

func wrong(field, message string) error {
	return &workspace.Error{Code: workspace.CodeBadInput, Field: field, Message: message}
}

// meant names the argument that was probably meant, or all.
func (o operation) meant(name string) string {
	var known []string
	for _, p := range o.params {
		known = append(known, p.name)
	}
	if near, ok := workspace.Nearest(name, known); ok {
		return "; did you mean " + near + "?"
	}
	if len(known) == 0 {
		return ", which takes none"
	}
	return "; it takes " + strings.Join(known, ", ")
}

func (a arguments) text(name string) string { return textOf(a[name]) }
func (a arguments) flag(name string) bool   { return a[name].Kind() == 't' }
func (a arguments) texts(name string) []string {
	var all []string
	for _, item := range itemsOf(a[name]) {
		all = append(all, textOf(item))
	}
	return all
}

// whole returns the argument, or otherwise where it is absent.
func (a arguments) whole(name string, otherwise int) int {
	if n, ok := wholeOf(a[name]); ok {
		return n
	}
	return otherwise
}
