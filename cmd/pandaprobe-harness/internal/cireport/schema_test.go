package cireport_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// The two schemas of JUnit XML that tools check against, as far as they bind
// what is written here: for each element its attributes, those that must be
// there first, and what may stand in it. The stricter of both is that of Ant
// (JUnit.xsd), which wants the children in this order; the other is that of
// Jenkins' xunit plugin (junit-10.xsd), which leaves the order free but knows
// no more attributes than these.
var junitSchema = map[string]element{
	"testsuites": {children: []child{{"testsuite", 0, many}}},
	"testsuite": {
		required: map[string]*regexp.Regexp{
			"name": token, "package": token, "id": whole, "timestamp": localTime, "hostname": token,
			"tests": whole, "failures": whole, "errors": whole, "time": decimal,
		},
		optional: map[string]*regexp.Regexp{"skipped": whole},
		children: []child{{"properties", 1, 1}, {"testcase", 0, many}, {"system-out", 1, 1}, {"system-err", 1, 1}},
	},
	"properties": {},
	"testcase": {
		required: map[string]*regexp.Regexp{"name": token, "classname": token, "time": decimal},
		children: []child{{"skipped", 0, 1}, {"error", 0, 1}, {"failure", 0, 1}},
		oneOf:    true,
	},
	"skipped":    problem,
	"error":      problem,
	"failure":    problem,
	"system-out": {text: true},
	"system-err": {text: true},
}

var problem = element{
	required: map[string]*regexp.Regexp{"type": token},
	optional: map[string]*regexp.Regexp{"message": anything},
	text:     true,
}

var (
	token     = regexp.MustCompile(`^\S(.*\S)?$`)
	whole     = regexp.MustCompile(`^[0-9]+$`)
	decimal   = regexp.MustCompile(`^[0-9]+(\.[0-9]*)?$`)
	localTime = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$`)
	anything  = regexp.MustCompile(`(?s).*`)
)

const many = 1 << 30

type element struct {
	required, optional map[string]*regexp.Regexp
	children           []child
	oneOf              bool // at most one child
	text               bool // text may stand in it
}

type child struct {
	name        string
	least, most int
}

// node is an element as it was read.
type node struct {
	name     string
	attrs    map[string]string
	children []*node
	text     string
}

// checkJUnit reads a document strictly and says how it breaks the schema.
func checkJUnit(document []byte) (root *node, faults []string) {
	root, err := readXML(document)
	if err != nil {
		return nil, []string{err.Error()}
	}
	if root.name != "testsuites" {
		return root, []string{"the root is " + root.name}
	}
	root.check(&faults)
	for _, suite := range root.children {
		suite.checkCounts(&faults)
	}
	return root, faults
}

func readXML(document []byte) (*node, error) {
	dec := xml.NewDecoder(bytes.NewReader(document))
	stack := []*node{{}}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, attrs: map[string]string{}}
			for _, a := range t.Attr {
				if _, twice := n.attrs[a.Name.Local]; twice {
					return nil, fmt.Errorf("%s has %s twice", n.name, a.Name.Local)
				}
				n.attrs[a.Name.Local] = a.Value
			}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(t)
		}
	}
	if len(stack) != 1 || len(stack[0].children) != 1 {
		return nil, errors.New("it is not one element")
	}
	return stack[0].children[0], nil
}

func (n *node) check(faults *[]string) {
	fault := func(format string, args ...any) {
		*faults = append(*faults, n.name+" "+fmt.Sprintf(format, args...))
	}
	rule, known := junitSchema[n.name]
	if !known {
		fault("is no element of the schema")
		return
	}
	for name, pattern := range rule.required {
		if value, ok := n.attrs[name]; !ok || !pattern.MatchString(value) {
			fault("needs %s, has %q", name, value)
		}
	}
	for name, value := range n.attrs {
		if rule.required[name] == nil && (rule.optional[name] == nil || !rule.optional[name].MatchString(value)) {
			fault("may not have %s=%q", name, value)
		}
	}
	if !rule.text && strings.TrimSpace(n.text) != "" {
		fault("may hold no text, holds %q", n.text)
	}
	n.checkChildren(rule, fault)
	for _, c := range n.children {
		c.check(faults)
	}
}

func (n *node) checkChildren(rule element, fault func(string, ...any)) {
	at := 0
	for _, want := range rule.children {
		found := 0
		for at < len(n.children) && n.children[at].name == want.name {
			at++
			found++
		}
		if found < want.least || found > want.most {
			fault("has %d of %s", found, want.name)
		}
	}
	if at < len(n.children) {
		fault("has %s where it does not belong", n.children[at].name)
	}
	if rule.oneOf && len(n.children) > 1 {
		fault("has %d results", len(n.children))
	}
}

// checkCounts holds the counts of a suite against its test cases.
func (n *node) checkCounts(faults *[]string) {
	counts := map[string]int{}
	var names []string
	for _, c := range n.children {
		if c.name != "testcase" {
			continue
		}
		counts["tests"]++
		names = append(names, c.attrs["name"])
		for _, result := range c.children {
			counts[map[string]string{"failure": "failures", "error": "errors", "skipped": "skipped"}[result.name]]++
		}
	}
	for _, what := range []string{"tests", "failures", "errors", "skipped"} {
		if n.attrs[what] != fmt.Sprint(counts[what]) {
			*faults = append(*faults, fmt.Sprintf("the suite says %s=%s and has %d", what, n.attrs[what], counts[what]))
		}
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != counts["tests"] {
		*faults = append(*faults, "two test cases have one name, of which GitLab shows one")
	}
}
