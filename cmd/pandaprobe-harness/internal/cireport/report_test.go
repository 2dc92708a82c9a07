package cireport_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/cmd/pandaprobe-harness/internal/cireport"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// hostile is a text that tries to get out of each of the formats.
const hostile = "a\x1b[31m | b\n\n# c <script>&\"' ]]> ::error::x %0A,: @all \u202e\ufffe \x00 token-1234"

func source(headline string) cireport.Source {
	return cireport.Source{
		Headline: headline,
		At:       time.Date(2026, 3, 1, 23, 30, 0, 5e8, time.FixedZone("", 3600)),
		Redact:   func(s string) string { return strings.ReplaceAll(s, "token-1234", "[redacted]") },
		Verdict:  func(v lifecycle.Verdict) string { return "became " + v.Outcome },
		Deltas:   func(d map[string]float64) string { return fmt.Sprint(len(d), " deltas") },
		Rule: func(id string) (string, error) {
			if id == "r-0000000009" {
				return "", errors.New("broken")
			}
			return "Be brief.", nil
		},
	}
}

func replayed(reason string) lifecycle.Details {
	return lifecycle.Details{ReplayDetails: &lifecycle.ReplayDetails{Cases: []lifecycle.CaseResult{
		{CaseID: "c-0000000001", Kind: "failure", Deltas: map[string]float64{"m": 0.1}, DurationS: 1.25},
		{CaseID: "c-0000000002", Kind: "win", DurationS: 0.5, ReasonCode: "exit_nonzero", Reason: reason, StderrTail: "one\ntwo\n"},
	}}}
}

// everyVerdict is a round with each kind of verdict.
func everyVerdict(reason string) lifecycle.Round {
	verdict := func(n int, outcome, validator, code string) lifecycle.Verdict {
		return lifecycle.Verdict{RuleID: fmt.Sprintf("r-%010d", n), Outcome: outcome, Validator: validator, ReasonCode: code, Reason: reason}
	}
	retired := verdict(2, lifecycle.Retire, lifecycle.ValidatorReplay, lifecycle.CodeRegression)
	retired.Details, retired.Applied = replayed(reason), true
	return lifecycle.Round{Verdicts: []lifecycle.Verdict{
		verdict(1, lifecycle.Promote, lifecycle.ValidatorTrial, lifecycle.CodeRateDropped),
		retired,
		verdict(3, lifecycle.Pending, lifecycle.ValidatorReplay, lifecycle.CodeInconclusive),
		verdict(4, lifecycle.Pending, lifecycle.ValidatorTrial, lifecycle.CodeTrialRunning),
		verdict(5, lifecycle.Pending, lifecycle.ValidatorReplay, lifecycle.CodeChanged),
		verdict(9, lifecycle.Pending, lifecycle.ValidatorNone, "error"),
	}}
}

// everyStatus is a regression run with each kind of outcome.
func everyStatus(reason string) lifecycle.Regression {
	outcome := func(n int, kind, status, code string) lifecycle.CaseOutcome {
		return lifecycle.CaseOutcome{CaseID: fmt.Sprintf("c-%010d", n), Kind: kind, Status: status, ReasonCode: code, Reason: reason, DurationS: 0.25}
	}
	return lifecycle.Regression{
		Results: []lifecycle.CaseOutcome{
			outcome(1, "win", lifecycle.Unchanged, ""), outcome(2, "win", lifecycle.Regressed, ""),
			outcome(3, "failure", lifecycle.Improved, ""), outcome(4, "failure", lifecycle.Skipped, "timed_out"),
			outcome(5, "failure", lifecycle.Skipped, lifecycle.CodeNoReplayInput),
		},
		Blame: &lifecycle.Blame{Limit: 7, Replays: 2, Wins: []lifecycle.BlamedWin{{
			CaseID: "c-0000000002", Outcome: lifecycle.BlameFound, RuleID: "r-0000000001", Reason: "m fell", Retired: true, Replays: 2,
			Tried: []lifecycle.BlameReplay{
				{CaseResult: lifecycle.CaseResult{CaseID: "c-0000000002", Kind: "win", DurationS: 1}},
				{LeftOut: []string{"r-0000000001"}, Restored: true, CaseResult: lifecycle.CaseResult{CaseID: "c-0000000002", Kind: "win", DurationS: 2}},
			},
		}}},
	}
}

func reports(text string) map[string]cireport.Report {
	plain, failed := source(text), source(text)
	plain.Rule = func(string) (string, error) { return text, nil }
	failed.Failure = text
	return map[string]cireport.Report{
		"round":                cireport.FromRound(everyVerdict(text), plain),
		"regression":           cireport.FromRegression(everyStatus(text), plain),
		"nothing":              cireport.FromRound(lifecycle.Round{}, source("no candidate to judge")),
		"round that failed":    cireport.FromRound(everyVerdict(text), failed),
		"nothing and a failed": cireport.FromRegression(lifecycle.Regression{}, failed),
	}
}

func TestJUnitKeepsTheSchema(t *testing.T) {
	for _, text := range []string{"plain", hostile, ""} {
		for name, report := range reports(text) {
			document := report.JUnit()
			if _, faults := checkJUnit(document); len(faults) > 0 {
				t.Errorf("%s, %q: %s\n%s", name, text, strings.Join(faults, "\n"), document)
			}
		}
	}
}

// TestSchemaChecks makes sure that the checks of the schema can fail.
func TestSchemaChecks(t *testing.T) {
	good := cireport.FromRound(everyVerdict("x"), source("x")).JUnit()
	for _, change := range [][2]string{
		{`hostname="localhost" `, ``},
		{`timestamp="2026-03-01T22:30:00"`, `timestamp="2026-03-01T22:30:00Z"`},
		{`failures="1"`, `failures="2"`},
		{`<testsuites>`, `<testsuites tests="6">`},
		{`<properties></properties>`, ``},
		{` type="regression"`, ``},
		{`</failure>`, `</failure><skipped type="x"></skipped>`},
		{`<system-err></system-err>`, `<system-err></system-err><system-err></system-err>`},
		{`<system-out>x</system-out>`, ``},
		{`r-0000000001: Be brief.`, `r-0000000002: Be brief.`},
		{`time="1.750"`, `time="1,75"`},
		{`</testsuites>`, ``},
		{`&`, ``},
	} {
		bad := strings.Replace(string(good), change[0], change[1], 1)
		if change[0] == "&" {
			bad = strings.Replace(string(good), "Be brief.", "Be & brief.", 1)
		}
		if bad == string(good) {
			t.Fatalf("the document lacks %s:\n%s", change[0], good)
		}
		if _, faults := checkJUnit([]byte(bad)); len(faults) == 0 {
			t.Errorf("%q for %q passes", change[1], change[0])
		}
	}
}

func FuzzJUnit(f *testing.F) {
	for _, text := range []string{"plain", hostile, "]]>", "\xff\xfe", "a\tb", strings.Repeat("é", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, report := range reports(text) {
			document := report.JUnit()
			if _, faults := checkJUnit(document); len(faults) > 0 {
				t.Errorf("%s: %s", name, strings.Join(faults, "\n"))
			}
		}
	})
}

// results lists the test cases of a document with what became of each.
func results(t *testing.T, report cireport.Report) (got []string) {
	t.Helper()
	root, faults := checkJUnit(report.JUnit())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, c := range root.children[0].children {
		if c.name != "testcase" {
			continue
		}
		line := c.attrs["time"] + " " + c.attrs["name"]
		for _, r := range c.children {
			line += fmt.Sprintf(": %s %s: %s", r.name, r.attrs["type"], r.attrs["message"])
		}
		got = append(got, line)
	}
	return got
}

func TestJUnitOfARound(t *testing.T) {
	want := []string{
		"0.000 r-0000000001: Be brief.",
		"1.750 r-0000000002: Be brief.: failure regression: why",
		"0.000 r-0000000003: Be brief.: skipped inconclusive: why",
		"0.000 r-0000000004: Be brief.: skipped trial_in_progress: why",
		"0.000 r-0000000005: Be brief.: skipped changed: why",
		"0.000 r-0000000009: error error: why",
	}
	if diff := cmp.Diff(want, results(t, cireport.FromRound(everyVerdict("why"), source("")))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJUnitOfARegressionRun(t *testing.T) {
	s := source("")
	s.Failure = "disk full"
	want := []string{
		"0.250 c-0000000001: win",
		"3.250 c-0000000002: win: failure regression: why; rule r-0000000001 breaks it and was retired; blame (2 replays): m fell",
		"0.250 c-0000000003: failure",
		"0.250 c-0000000004: failure: skipped timed_out: why",
		"0.250 c-0000000005: failure: skipped no_replay_input: why",
		"0.000 regress: the call itself: error error: disk full",
	}
	if diff := cmp.Diff(want, results(t, cireport.FromRegression(everyStatus("why"), s))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMarkdown(t *testing.T) {
	got := string(cireport.FromRegression(everyStatus("why"), source("5 cases")).Markdown())
	want := `### Regression run: 5 cases

| | what | outcome | why |
|---|---|---|---|
| failed | c-0000000002: win | regressed | why; rule r-0000000001 breaks it and was retired; blame (2 replays): m fell |
| skipped | c-0000000004: failure | skipped | why |
| skipped | c-0000000005: failure | skipped | why |
| passed | c-0000000003: failure | improved | why |
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s := source("no candidate to judge")
	s.Failure = "cannot start x"
	if diff := cmp.Diff("### Rule validation: it failed\n\ncannot start x\n", string(cireport.FromRound(lifecycle.Round{}, s).Markdown())); diff != "" {
		t.Errorf("of a failure (-want +got):\n%s", diff)
	}
}

// TestMarkdownForgesNothing: whatever a text holds, it stays in its cell.
func TestMarkdownForgesNothing(t *testing.T) {
	lines := strings.Split(string(cireport.FromRound(everyVerdict(hostile), source(hostile)).Markdown()), "\n")
	rows := slices.DeleteFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "| ") })
	for _, row := range rows {
		cells := strings.Count(strings.ReplaceAll(row, `\|`, ""), "|")
		if cells != 5 || strings.ContainsAny(row, "<\x1b\x00\u202e") || strings.Contains(row, "token-1234") {
			t.Errorf("%d bars: %q", cells, row)
		}
	}
	if len(rows) != 7 { // with the heading of the table
		t.Errorf("%d rows, want 7", len(rows))
	}
}

// TestMarkdownIsBounded: GitHub takes no more than 1 MiB.
func TestMarkdownIsBounded(t *testing.T) {
	run := lifecycle.Regression{}
	for i := range 5000 {
		run.Results = append(run.Results, lifecycle.CaseOutcome{CaseID: fmt.Sprintf("c-%010d", i), Status: lifecycle.Regressed, Reason: strings.Repeat("<", 5000)})
	}
	got := cireport.FromRegression(run, source("x")).Markdown()
	if len(got) > 1<<20 || !strings.Contains(string(got), "4850 more are not listed") {
		t.Errorf("%d bytes, ends %q", len(got), got[max(0, len(got)-100):])
	}
}

func TestAnnotations(t *testing.T) {
	round := everyVerdict("why")
	for _, tt := range []struct {
		name, dir string
		gate      []string
		want      string
	}{
		{"no gate", "", nil, `
::error title=r-0000000009%3A could not be judged::why
::warning title=r-0000000002%3A became retire::why
::warning title=r-0000000003%3A became pending::why
::notice title=r-0000000001%3A became promote::why
::notice title=r-0000000004%3A became pending::why
::notice title=r-0000000005%3A became pending::why
`},
		{"gates", "a,b", []string{lifecycle.GateRetired, lifecycle.GateInconclusive, lifecycle.GatePending}, `
::error file=a%2Cb/state/rules/retired/r-0000000002.toml,title=r-0000000002%3A became retire::why
::error file=a%2Cb/state/rules/r-0000000003.toml,title=r-0000000003%3A became pending::why
::error file=a%2Cb/state/rules/r-0000000004.toml,title=r-0000000004%3A became pending::why
::error file=a%2Cb/state/rules/r-0000000009.toml,title=r-0000000009%3A could not be judged::why
::notice file=a%2Cb/state/rules/r-0000000001.toml,title=r-0000000001%3A became promote::why
::notice file=a%2Cb/state/rules/r-0000000005.toml,title=r-0000000005%3A became pending::why
`},
	} {
		round.Gate = tt.gate
		got := string(cireport.FromRound(round, source("")).Annotations(tt.dir))
		if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestAnnotationsForgeNothing: a text can neither end its command nor begin one.
func TestAnnotationsForgeNothing(t *testing.T) {
	report := cireport.FromRound(everyVerdict(hostile), source(hostile))
	got := string(report.Annotations("."))
	for line := range strings.Lines(got) {
		parts := strings.SplitN(line, "::", 3)
		if len(parts) != 3 || parts[0] != "" || !strings.HasPrefix(parts[1], "error file=state/rules/") &&
			!strings.HasPrefix(parts[1], "warning file=state/rules/") && !strings.HasPrefix(parts[1], "notice file=state/rules/") {
			t.Errorf("%q", line)
		}
		if !strings.Contains(line, "%250A") || strings.ContainsAny(line, "\x1b\x00") || strings.Contains(line, "token-1234") {
			t.Errorf("not escaped: %q", line)
		}
	}
	if n := strings.Count(got, "\n"); n != len(report.Items) {
		t.Errorf("%d lines, want %d", n, len(report.Items))
	}
}

func TestAnnotationsAreBounded(t *testing.T) {
	run := lifecycle.Regression{}
	for i := range 30 {
		run.Results = append(run.Results, lifecycle.CaseOutcome{CaseID: fmt.Sprintf("c-%010d", i), Status: lifecycle.Regressed})
	}
	s := source("")
	s.Failure = "disk full"
	got := string(cireport.FromRegression(run, s).Annotations(""))
	if !strings.HasPrefix(got, "::error title=pandaprobe-harness regress failed::disk full\n") || strings.Count(got, "::error ") != 10 {
		t.Errorf("got\n%s", got)
	}
}

// TestSummariesForgeNothing: headlines and failures stay in their line too.
func TestSummariesForgeNothing(t *testing.T) {
	for name, report := range reports(hostile) {
		headings := 0
		for line := range strings.Lines(string(report.Markdown())) {
			if strings.HasPrefix(line, "#") {
				headings++
			}
			if strings.ContainsAny(line, "<\x1b\x00\u202e") || strings.Contains(strings.ReplaceAll(line, `\#`, ""), "# c") || strings.Contains(line, " @all") {
				t.Errorf("%s: not escaped: %q", name, line)
			}
		}
		if headings != 1 {
			t.Errorf("%s: %d headings:\n%s", name, headings, report.Markdown())
		}
	}
}

// TestReportsAreRedacted plants a secret in every text that a report may show.
func TestReportsAreRedacted(t *testing.T) {
	s := source(hostile)
	s.Failure = hostile
	s.Rule = func(string) (string, error) { return hostile, nil }
	round, run := everyVerdict(hostile), everyStatus(hostile)
	for _, v := range round.Verdicts {
		if v.Details.ReplayDetails != nil {
			v.Details.Cases[1].StderrTail = hostile
		}
	}
	for i := range run.Results {
		run.Results[i].StderrTail = hostile
	}
	win := &run.Blame.Wins[0]
	win.Reason, win.Tried[0].ReasonCode, win.Tried[0].Reason, win.Tried[0].StderrTail = hostile, "exit_nonzero", hostile, hostile
	unfailed := s
	unfailed.Failure = ""
	for name, report := range map[string]cireport.Report{
		"round": cireport.FromRound(round, s), "regression": cireport.FromRegression(run, s), "round that went well": cireport.FromRound(round, unfailed),
	} {
		for form, text := range map[string][]byte{"JUnit": report.JUnit(), "summary": report.Markdown(), "annotations": report.Annotations(".")} {
			if strings.Contains(string(text), "token-1234") || !strings.Contains(string(text), "redacted") {
				t.Errorf("%s, %s: the secret is there, or no trace of it:\n%s", name, form, text)
			}
		}
	}
}
