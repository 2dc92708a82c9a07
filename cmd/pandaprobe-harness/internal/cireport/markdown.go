package cireport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// What bounds a summary: GitHub takes one of at most 1 MiB.
const (
	mostRows    = 150
	longestCell = 600
)

// Markdown renders the report as a summary: what it came to, and a table with
// what failed first.
func (r Report) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s: %s\n", r.Title, lifecycle.SafeMarkdown(r.heading()))
	if r.Failure != "" {
		fmt.Fprintf(&b, "\n%s\n", cell(r.Failure))
	}
	rows := r.listed()
	if len(rows) == 0 {
		return []byte(b.String())
	}
	b.WriteString("\n| | what | outcome | why |\n|---|---|---|---|\n")
	for _, item := range rows[:min(len(rows), mostRows)] {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", item.Result, cell(item.what()), cell(item.Outcome), cell(item.Reason))
	}
	if more := len(rows) - mostRows; more > 0 {
		fmt.Fprintf(&b, "\n%d more are not listed here.\n", more)
	}
	return []byte(b.String())
}

// heading does not sum up what never came to its end.
func (r Report) heading() string {
	if r.Failure != "" {
		return "it failed"
	}
	return r.Headline
}

func (item Item) what() string {
	if item.Name == "" {
		return item.ID
	}
	return item.ID + ": " + item.Name
}

// listed are the items for the table, in the order of the results.
func (r Report) listed() []Item {
	items := slices.DeleteFunc(slices.Clone(r.Items), func(i Item) bool { return i.Quiet })
	order := []Result{Failed, Errored, Skipped, Passed}
	slices.SortStableFunc(items, func(a, b Item) int { return slices.Index(order, a.Result) - slices.Index(order, b.Result) })
	return items
}

func cell(text string) string { return lifecycle.SafeMarkdown(clip(text, longestCell)) }
