package cireport

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// The elements of JUnit XML, limited to what both common schemas allow: the one
// of Ant, which knows no output of a single test case and wants every attribute
// and element of a suite, and the one of Jenkins. Order matters.
type (
	testSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Suite   testSuite
	}
	testSuite struct {
		XMLName    xml.Name   `xml:"testsuite"`
		Name       string     `xml:"name,attr"`
		Package    string     `xml:"package,attr"`
		ID         int        `xml:"id,attr"`
		Timestamp  string     `xml:"timestamp,attr"` // UTC; the schema allows no zone
		Hostname   string     `xml:"hostname,attr"`
		Tests      int        `xml:"tests,attr"`
		Failures   int        `xml:"failures,attr"`
		Errors     int        `xml:"errors,attr"`
		Skipped    int        `xml:"skipped,attr"`
		Time       string     `xml:"time,attr"`
		Properties properties `xml:"properties"`
		Cases      []testCase `xml:"testcase"`
		Out        string     `xml:"system-out"`
		Err        string     `xml:"system-err"`
	}
	properties struct{}
	testCase   struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Time    string   `xml:"time,attr"`
		Skipped *message `xml:"skipped"`
		Error   *message `xml:"error"`
		Failure *message `xml:"failure"`
	}
	message struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",cdata"`
	}
)

const product = "pandaprobe-harness"

// JUnit renders the report as JUnit XML (docs/ci.md, "JUnit"): a test case for
// each item, and one more, an error, when the call did not come to its end.
func (r Report) JUnit() ([]byte, error) {
	suite := testSuite{
		Name: product + " " + r.Command, Package: product, Timestamp: r.At.UTC().Format("2006-01-02T15:04:05"),
		Hostname: "localhost", Out: lifecycle.SafeLine(r.heading()),
	}
	total := 0.0
	for _, item := range r.Items {
		suite.add(r.testCase(item))
		total += item.DurationS
	}
	if r.Failure != "" {
		suite.add(r.testCase(Item{ID: r.Command, Name: "the call itself", Result: Errored, Code: "error", Reason: r.Failure}))
	}
	suite.Time = seconds(total)
	b, err := xml.MarshalIndent(testSuites{Suite: suite}, "", "  ")
	return append([]byte(xml.Header), append(b, '\n')...), err
}

func (s *testSuite) add(c testCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// longestName keeps the names of test cases readable in lists.
const longestName = 120

func (r Report) testCase(item Item) testCase {
	c := testCase{Name: clip(joinName(item.ID, item.Name), longestName), Class: product + "." + r.Command, Time: seconds(item.DurationS)}
	m := &message{Message: lifecycle.SafeLine(item.Reason), Type: item.Code, Text: body(item)}
	switch item.Result {
	case Failed:
		c.Failure = m
	case Errored:
		c.Error = m
	case Skipped:
		c.Skipped = m
	}
	return c
}

// body goes into a CDATA section, which the library writes as it is.
func body(item Item) string {
	lines := append([]string{item.Reason}, item.Details...)
	for i := range lines {
		lines[i] = strings.Map(xmlOnly, lifecycle.SafeLine(lines[i]))
	}
	return strings.Join(lines, "\n")
}

// xmlOnly replaces the two characters that are no text in XML and that SafeLine
// lets through.
func xmlOnly(r rune) rune {
	if r == 0xFFFE || r == 0xFFFF {
		return utf8.RuneError
	}
	return r
}

func joinName(id, name string) string {
	if name == "" {
		return id
	}
	return id + ": " + lifecycle.SafeLine(name)
}

func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-3]) + "..."
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
