package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/cmd/pandaprobe-harness/internal/cireport"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// reportFlags are the flags of the commands whose outcome CI shows.
func reportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "junit", Usage: "write JUnit XML to `FILE`"},
		&cli.StringFlag{Name: "summary", Usage: "write a Markdown summary to `FILE`"},
	}
}

// reportOptions names the files to write; "" = none.
type reportOptions struct {
	junit, summary string
}

func reportOptionsOf(c *cli.Context) (o reportOptions, err error) {
	o = reportOptions{c.String("junit"), c.String("summary")}
	for _, name := range []string{"junit", "summary"} {
		if c.IsSet(name) {
			if err := checkReportFile(name, c.String(name)); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// checkReportFile finds before a long run what would make its report fail.
func checkReportFile(flag, file string) error {
	wrong := func(message string) error {
		return &usageError{flag: "--" + flag, message: "flag --" + flag + ": " + message}
	}
	if file == "" || file == "-" {
		return wrong("give the name of a file; standard output is for the result")
	}
	if st, err := os.Stat(file); err == nil && st.IsDir() {
		return wrong(file + " is a folder; give the name of a file")
	}
	return nil
}

// refuseState keeps a report from overwriting what the workspace holds, or the
// other report.
func (o reportOptions) refuseState(ws *workspace.Workspace) error {
	for _, r := range []struct{ flag, file string }{{"--junit", o.junit}, {"--summary", o.summary}} {
		if r.file != "" && ws.Holds(r.file) {
			return &usageError{flag: r.flag, message: fmt.Sprintf("flag %s: %s belongs to the workspace; write the report elsewhere", r.flag, r.file)}
		}
	}
	if o.junit != "" && filepath.Clean(o.junit) == filepath.Clean(o.summary) {
		return &usageError{flag: "--summary", message: "flag --summary: --junit writes to the same file"}
	}
	return nil
}

// outcomeOf is how a command with reports ended: what kept its result or a report
// from being written, how the work itself failed, or the gates that tripped.
func outcomeOf(printed, err, reported error, gates []string) error {
	switch {
	case printed != nil:
		return printed
	case err != nil:
		return &reportedError{err}
	case reported != nil:
		return &reportedError{reported}
	case len(gates) > 0:
		return &gateError{gates}
	}
	return nil
}

// reportSource gathers what a report needs beside the result. err is how the
// call ended.
func (e *env) reportSource(ctx context.Context, engine *lifecycle.Engine, headline string, err error) cireport.Source {
	s := cireport.Source{
		Headline: headline,
		At:       engine.Workspace.Now(),
		Redact:   engine.Redact,
		Deltas:   func(deltas map[string]float64) string { return perMetric(deltas, signed) },
		Rule: func(id string) (string, error) {
			rule, err := engine.Workspace.Rule(id)
			return rule.Rule, err
		},
	}
	if err != nil {
		s.Failure = diagnose(ctx, err).Message
	}
	return s
}

// writeReports writes the files that were asked for and what GitHub wants. All
// of them are tried.
func (e *env) writeReports(o reportOptions, engine *lifecycle.Engine, report cireport.Report) error {
	var failed []error
	if o.junit != "" {
		failed = append(failed, reportFailure("the JUnit file", o.junit, replaceReport(o.junit, report.JUnit())))
	}
	step := e.variable("GITHUB_STEP_SUMMARY")
	if o.summary != "" && !sameFile(o.summary, step) {
		failed = append(failed, reportFailure("the summary", o.summary, replaceReport(o.summary, report.Markdown())))
	}
	if step != "" {
		failed = append(failed, reportFailure("the summary of the step (GITHUB_STEP_SUMMARY)", step, appendReport(step, report.Markdown())))
	}
	if e.variable("GITHUB_ACTIONS") == "true" {
		// Standard output may be one JSON document; GitHub reads both streams.
		e.stderr.Write(report.Annotations(inCheckout(e.variable("GITHUB_WORKSPACE"), engine.Workspace.Root)))
	}
	return errors.Join(failed...)
}

func reportFailure(what, file string, err error) error {
	if err == nil {
		return nil
	}
	return ioFailure("cannot write "+what+" "+file, err)
}

// inCheckout is the workspace's folder in the checked-out repository, with
// slashes, or "" when it does not lie there.
func inCheckout(checkout, root string) string {
	if checkout == "" {
		return ""
	}
	rel, err := filepath.Rel(resolved(checkout), resolved(root))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
