package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func caseShowCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "show all of a case",
		ArgsUsage: "ID",
		Description: `
Shows a case with its replay input.

Example:
  pandaprobe-harness case show c-0123456789 --json

Exit codes: 0 shown, 1 unknown id or broken file, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runCaseShow(c.Context, e, caseShowOptions{id: c.Args().First()})
		},
	}
}

type caseShowOptions struct{ id string }

func runCaseShow(_ context.Context, e *env, o caseShowOptions) error {
	ws, err := e.openWorkspace()
	if err != nil {
		return err
	}
	c, err := ws.Case(o.id)
	if err != nil {
		return err
	}
	return e.print(caseDocument{OK: true, Case: wholeCase(c)}, func(w io.Writer) { writeCase(w, c) })
}

func writeCase(w io.Writer, c workspace.Case) {
	fields(w,
		[]string{"id", c.ID},
		[]string{"kind", c.Kind},
		[]string{"session", c.SessionID},
		[]string{"signature", joined(c.Signature)},
		[]string{"baseline", perMetric(c.BaselineScores, number)},
		[]string{"notes", orDash(c.Notes)},
		[]string{"created", when(c.CreatedAt)},
	)
	if !c.Replayable() {
		fmt.Fprintln(w, "no replay input: `pandaprobe-harness case attach` gives one")
		return
	}
	fmt.Fprintln(w, "replay input:")
	input := c.ReplayInput.Clone()
	if err := input.Indent(jsontext.WithIndent("  ")); err != nil {
		return // it was read as JSON, so it is
	}
	for line := range strings.Lines(string(input)) {
		fmt.Fprintf(w, "  %s\n", lifecycle.SafeLine(strings.TrimSuffix(line, "\n")))
	}
}
