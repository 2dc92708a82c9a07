package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func historyAdoptCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "adopt",
		Usage: "bring the score history into the session files",
		Description: `
Brings the scores of state/score_history.json into the session files, so that
averages and conditions go on from them. Doing it again brings in nothing twice.

Example:
  pandaprobe-harness history adopt

Exit codes: 0 done, 1 a broken file or failed, 2 called wrongly.`,
		Action: func(c *cli.Context) error { return runHistoryAdopt(c.Context, e) },
	}
}

func runHistoryAdopt(ctx context.Context, e *env) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	done, err := engine.AdoptHistory(ctx)
	if err != nil {
		return err
	}
	doc := adoptDocument{OK: true, Sessions: done.Sessions, Samples: done.Samples, Known: done.Known, LeftOut: map[string]int{}}
	maps.Copy(doc.LeftOut, done.LeftOut)
	return e.print(doc, func(w io.Writer) { writeAdopted(w, done) })
}

// adoptDocument is the JSON of history adopt.
type adoptDocument struct {
	OK       bool           `json:"ok"`
	Sessions int            `json:"sessions"` // that got samples
	Samples  int            `json:"samples"`  // that were brought in
	Known    int            `json:"known"`    // that were there already
	LeftOut  map[string]int `json:"left_out"` // by reason
}

func writeAdopted(w io.Writer, done workspace.HistoryAdoption) {
	fmt.Fprintf(w, "%s of %s brought in, %d there already\n", count(done.Samples, "score"), count(done.Sessions, "session"), done.Known)
	for _, reason := range slices.Sorted(maps.Keys(done.LeftOut)) {
		fmt.Fprintf(w, "left out: %d (%s)\n", done.LeftOut[reason], reason)
	}
}
