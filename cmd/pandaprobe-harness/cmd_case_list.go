package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func caseListCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the eval set, oldest first",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "kind", Usage: "only cases of this `KIND`: failure or win"},
		},
		Description: `
Lists the cases. Whether a case can be replayed is said in place of its replay
input.

Example:
  pandaprobe-harness case list --kind failure

Exit codes: 0 listed, even none; 1 failed; 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runCaseList(c.Context, e, caseListOptions{kind: c.String("kind"), given: c.IsSet("kind")})
		},
	}
}

type caseListOptions struct {
	kind  string
	given bool
}

func runCaseList(_ context.Context, e *env, o caseListOptions) error {
	if o.given && o.kind != workspace.Failure && o.kind != workspace.Win {
		return &usageError{flag: "--kind", message: fmt.Sprintf("flag --kind: %q is no kind; use failure or win", o.kind)}
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	cases, err := engine.Cases(o.kind)
	if err != nil {
		return err
	}
	if len(cases) == 0 && !e.json {
		e.tell("no cases")
		return nil
	}
	doc := casesDocument{OK: true, Cases: lifecycle.ListCases(cases)}
	return e.print(doc, func(w io.Writer) { writeCases(w, cases, widthOf(e.stdout.w)) })
}

// casesDocument is the JSON of case list.
type casesDocument struct {
	OK    bool                   `json:"ok"`
	Cases []lifecycle.ListedCase `json:"cases"`
}

func writeCases(w io.Writer, cases []workspace.Case, width int) {
	rows := make([][]string, len(cases))
	for i, c := range cases {
		replayable := "no"
		if c.Replayable() {
			replayable = "yes"
		}
		rows[i] = []string{c.ID, c.Kind, when(c.CreatedAt), replayable, c.SessionID, joined(c.Signature), perMetric(c.BaselineScores, number)}
	}
	table(w, []string{"ID", "KIND", "CREATED", "REPLAYABLE", "SESSION", "SIGNATURE", "BASELINE"}, rows, width)
}
