// Package cireport renders a round or a regression run for continuous
// integration: as JUnit XML, as a Markdown summary, and as annotations of
// GitHub. It decides nothing and touches no file: values in, bytes out.
package cireport

import (
	"strings"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// Result is how an item shows in a test report.
type Result string

// The results, in the order in which a summary lists them.
const (
	Failed  Result = "failed"
	Errored Result = "error"
	Skipped Result = "skipped"
	Passed  Result = "passed"
)

// Level is how loud an annotation is.
type Level string

// The levels of annotations.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Item is one candidate or one case.
type Item struct {
	ID        string
	Name      string // what it is, beside the id
	Outcome   string // in words, such as "would be retired"
	Result    Result
	Level     Level // "" = no annotation
	Code      string
	Reason    string
	Details   []string // lines for who looks closer
	DurationS float64
	File      string // relative to the workspace, with slashes; "" = none
	Quiet     bool   // counted but not listed in a summary
}

// Report is what one call of the program came to.
type Report struct {
	Command  string    // validate or regress
	Title    string    // heading of the summary
	Headline string    // what it came to, in one line
	At       time.Time // when
	Items    []Item
	Failure  string // why it did not come to its end; "" = it did
}

// Source is what a report knows beside the result itself.
type Source struct {
	Headline string
	At       time.Time
	Failure  string                          // why the call did not come to its end; "" = it did
	Rule     func(id string) (string, error) // the text of a rule
	Redact   func(string) string             // applied to every text that is shown
	Verdict  func(lifecycle.Verdict) string  // what became of a candidate, in words
	Deltas   func(map[string]float64) string // differences by metric, in words
}

func newReport(command, title string, s Source) Report {
	return Report{Command: command, Title: title, Headline: s.Redact(s.Headline), At: s.At, Failure: s.Redact(s.Failure)}
}

// ruleText is "" for a rule that cannot be read.
func (s Source) ruleText(id string) string {
	text, err := s.Rule(id)
	if err != nil {
		return ""
	}
	return s.Redact(text)
}

// caseLines shows replays in words, and the end of what they printed.
func (s Source) caseLines(cases []lifecycle.CaseResult) (lines []string) {
	for _, c := range cases {
		text := s.Deltas(c.Deltas)
		if c.ReasonCode != "" {
			text = "inconclusive (" + c.ReasonCode + "): " + c.Reason
		}
		lines = append(lines, s.Redact(c.Kind+" "+c.CaseID+": "+text))
		lines = append(lines, s.tail(c.StderrTail)...)
	}
	return lines
}

const mostTailLines = 10

func (s Source) tail(text string) (lines []string) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	for _, line := range all[max(0, len(all)-mostTailLines):] {
		lines = append(lines, s.Redact("| "+line))
	}
	return lines
}

func ruleFile(id string, retired bool) string {
	if retired {
		return "state/rules/retired/" + id + ".toml"
	}
	return "state/rules/" + id + ".toml"
}

func caseFile(id string) string { return "state/evalset/" + id + ".json" }

// isRetired tells where the file of a rule lies after a verdict.
func isRetired(v lifecycle.Verdict) bool { return v.Outcome == lifecycle.Retire && v.Applied }
