package cireport

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

const product = "pandaprobe-harness"

// JUnit renders the report as JUnit XML (docs/ci.md, "JUnit"): a test case for
// each item, and one more, an error, when the call did not come to its end. It
// keeps to what both common schemas allow: that of Ant, which wants every
// attribute and element of a suite and knows no output of a single test case,
// and that of Jenkins. (Package encoding/xml would cost each start of the
// program a table that only HTML needs.)
func (r Report) JUnit() []byte {
	items := r.Items
	if r.Failure != "" {
		items = append(items[:len(items):len(items)], Item{ID: r.Command, Name: "the call itself", Result: Errored, Code: "error", Reason: r.Failure})
	}
	counts, total := map[Result]int{}, 0.0
	for _, item := range items {
		counts[item.Result]++
		total += item.DurationS
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<testsuites>\n")
	// The schema allows no time zone, and wants a host.
	fmt.Fprintf(&b, `  <testsuite name="%s %s" package="%s" id="0" timestamp="%s" hostname="localhost" tests="%d" failures="%d" errors="%d" skipped="%d" time="%s">`+"\n",
		product, r.Command, product, r.At.UTC().Format("2006-01-02T15:04:05"),
		len(items), counts[Failed], counts[Errored], counts[Skipped], seconds(total))
	b.WriteString("    <properties></properties>\n")
	for _, item := range items {
		r.writeTestCase(&b, item)
	}
	fmt.Fprintf(&b, "    <system-out>%s</system-out>\n    <system-err></system-err>\n  </testsuite>\n</testsuites>\n", escapeXML(r.heading()))
	return []byte(b.String())
}

// longestName keeps the names of test cases readable in lists.
const longestName = 120

func (r Report) writeTestCase(b *strings.Builder, item Item) {
	fmt.Fprintf(b, `    <testcase name="%s" classname="%s.%s" time="%s">`,
		escapeXML(strings.TrimSpace(clip(item.what(), longestName))), product, r.Command, seconds(item.DurationS))
	if element := map[Result]string{Failed: "failure", Errored: "error", Skipped: "skipped"}[item.Result]; element != "" {
		fmt.Fprintf(b, "\n      <%s message=\"%s\" type=\"%s\">", element, escapeXML(item.Reason), escapeXML(item.Code))
		for i, line := range append([]string{item.Reason}, item.Details...) {
			if i > 0 {
				b.WriteString("\n")
			}
			b.WriteString(escapeXML(line))
		}
		fmt.Fprintf(b, "</%s>\n    ", element)
	}
	b.WriteString("</testcase>\n")
}

// escapeXML makes a text fit for an attribute and for the inside of an element.
func escapeXML(text string) string {
	text = strings.Map(xmlOnly, lifecycle.SafeLine(text))
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}

// xmlOnly replaces the two characters that are no text in XML and that SafeLine
// lets through.
func xmlOnly(r rune) rune {
	if r == 0xFFFE || r == 0xFFFF {
		return utf8.RuneError
	}
	return r
}

func clip(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-3]) + "..."
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
