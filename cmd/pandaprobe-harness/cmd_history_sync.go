package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func historySyncCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "sync",
		Usage: "write every series into the score history",
		Description: `
Writes the scores of all sessions into state/score_history.json, for tools that
read that file: at most the last 500 of each series. It removes nothing from it.

Example:
  pandaprobe-harness history sync

Exit codes: 0 done, 1 a broken file or failed, 2 called wrongly.`,
		Action: func(c *cli.Context) error { return runHistorySync(c.Context, e) },
	}
}

func runHistorySync(ctx context.Context, e *env) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	done, err := engine.SyncHistory(ctx)
	if err != nil {
		return err
	}
	doc := syncDocument{OK: true, Series: done.Series, Added: done.Added, Changed: done.Changed}
	return e.print(doc, func(w io.Writer) { writeSynced(w, done) })
}

// syncDocument is the JSON of history sync.
type syncDocument struct {
	OK      bool `json:"ok"`
	Series  int  `json:"series"`  // in the file now
	Added   int  `json:"added"`   // samples that it had not
	Changed bool `json:"changed"` // false: the file was not touched
}

func writeSynced(w io.Writer, done workspace.HistorySync) {
	if !done.Changed {
		fmt.Fprintf(w, "nothing to add: the score history has its %d series already\n", done.Series)
		return
	}
	fmt.Fprintf(w, "%s added; the score history has %d series\n", count(done.Added, "score"), done.Series)
}
