package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func caseCommand(e *env) *cli.Command {
	return group("case", categoryCases, "add, show and remove eval cases", `
An eval case is a captured session that is worth running again: a failure that a
rule should mend, or a win that it must not break.`,
		caseAddCommand(e),
		caseAttachCommand(e),
		caseListCommand(e),
		caseShowCommand(e),
		caseRemoveCommand(e),
	)
}

// caseDocument is the JSON of case add, attach, show and remove.
type caseDocument struct {
	OK      bool           `json:"ok"`
	Case    workspace.Case `json:"case"`
	Created bool           `json:"created"`
}

// printCase shows a case after a change in one line.
func (e *env) printCase(c workspace.Case, created bool, what string) error {
	return e.print(caseDocument{OK: true, Case: wholeCase(c), Created: created}, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %s: %s of session %s (%s)\n", c.ID, what, c.Kind, lifecycle.SafeLine(c.SessionID), lifecycle.SafeLine(joined(c.Signature)))
	})
}

// wholeCase gives every field of the JSON document its value.
func wholeCase(c workspace.Case) workspace.Case {
	if c.Signature == nil {
		c.Signature = []string{}
	}
	if c.BaselineScores == nil {
		c.BaselineScores = map[string]float64{}
	}
	return c
}
