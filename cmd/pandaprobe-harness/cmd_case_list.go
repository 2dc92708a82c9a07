package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v2"

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
	return e.print(listOfCases(cases), func(w io.Writer) { writeCases(w, cases, widthOf(e.stdout.w)) })
}

type casesDocument struct {
	OK    bool         `json:"ok"`
	Cases []listedCase `json:"cases"`
}

// listedCase is a case in a list.
type listedCase struct {
	ID             string             `json:"id"`
	CreatedAt      workspace.Time     `json:"created_at"`
	SessionID      string             `json:"session_id"`
	Kind           string             `json:"kind"`
	Signature      []string           `json:"signature"`
	BaselineScores map[string]float64 `json:"baseline_scores"`
	Replayable     bool               `json:"replayable"`
	Notes          string             `json:"notes"`
	Unknown        jsontext.Value     `json:",embed"`
}

func listOfCases(cases []workspace.Case) casesDocument {
	doc := casesDocument{OK: true, Cases: []listedCase{}}
	for _, c := range cases {
		c = wholeCase(c)
		doc.Cases = append(doc.Cases, listedCase{
			ID: c.ID, CreatedAt: c.CreatedAt, SessionID: c.SessionID, Kind: c.Kind, Signature: c.Signature,
			BaselineScores: c.BaselineScores, Replayable: c.Replayable(), Notes: c.Notes, Unknown: c.Unknown,
		})
	}
	return doc
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
