package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func importCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "import",
		Category:  categoryWorkspace,
		Usage:     "bring in a workspace of the Python harness",
		ArgsUsage: "DIR",
		Description: `
Reads rules.jsonl, journal.jsonl, evalset/, mailbox/ and
state/score_history.json in DIR and writes what is not here yet. DIR is only
read. Ids, times, statuses and trial evidence are kept; importing again changes
nothing. What cannot be read is passed over and named. Where there is no
workspace, one is made: in --workspace, else in HARNESS_ROOT, else here.

Example:
  pandaprobe-harness --workspace harness import ../old-harness

Exit codes: 0 done, also when records were left out; 1 DIR holds nothing to
import, or the workspace cannot be written; 2 called wrongly; 130, 143, 129
interrupted (importing again goes on).`,
		Action: func(c *cli.Context) error { return runImport(c.Context, e, c.Args().First()) },
	}
}

func runImport(ctx context.Context, e *env, dir string) error {
	e.signals.catch()
	if err := lifecycle.CheckPythonWorkspace(dir); err != nil {
		return err
	}
	if err := e.prepareImport(ctx, dir); err != nil {
		return err
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	imported, err := engine.Import(ctx, dir)
	if err != nil {
		return err
	}
	return e.print(imported, func(w io.Writer) { writeImported(w, imported) })
}

// prepareImport makes the workspace to import into where there is none. It never
// is the one that is imported, so that this stays as it is.
func (e *env) prepareImport(ctx context.Context, dir string) error {
	root, isNew, err := e.importRoot()
	if err != nil {
		return err
	}
	if sameFolder(root, dir) {
		return usagef("%s cannot be imported into itself; name another folder, new or a workspace, with --workspace", dir)
	}
	if !isNew {
		return nil
	}
	ws, err := workspace.Init(ctx, root)
	if err == nil {
		e.tell("made a workspace in " + ws.Root)
	}
	return err
}

// importRoot is the folder of the workspace to import into, which is yet to be
// made when isNew.
func (e *env) importRoot() (root string, isNew bool, err error) {
	ws, err := e.openWorkspace()
	switch {
	case err == nil:
		return ws.Root, false, nil
	case workspace.CodeOf(err) != workspace.CodeNoWorkspace:
		return "", false, err
	}
	for _, named := range []string{e.root, e.variable("HARNESS_ROOT")} {
		if named != "" {
			return named, true, nil
		}
	}
	root, err = workingDir()
	return root, true, err
}

func sameFolder(a, b string) bool {
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(first, second)
}

func writeImported(w io.Writer, i lifecycle.Imported) {
	rows := [][]string{}
	for _, kind := range []struct {
		name        string
		took, known int
	}{
		{"rules", i.Took.Rules, i.Known.Rules},
		{"trial evidence", i.Took.Trials, i.Known.Trials},
		{"eval cases", i.Took.Cases, i.Known.Cases},
		{"notices", i.Took.Notices, i.Known.Notices},
		{"journal events", i.Took.Events, i.Known.Events},
		{"scores", i.Took.Samples, i.Known.Samples},
	} {
		rows = append(rows, []string{kind.name, fmt.Sprint(kind.took), fmt.Sprint(kind.known)})
	}
	table(w, []string{"RECORDS", "TAKEN", "HERE ALREADY"}, rows, 0)
	for _, left := range i.LeftOut {
		fmt.Fprintf(w, "left out: %s\n", lifecycle.SafeLine(leftOutText(left)))
	}
	for _, note := range i.Notes {
		fmt.Fprintf(w, "note: %s\n", lifecycle.SafeLine(note))
	}
}

func leftOutText(left lifecycle.LeftOut) string {
	at := left.File
	if left.Line > 0 {
		at = fmt.Sprintf("%s:%d", left.File, left.Line)
	}
	if left.Count > 0 {
		at += ": " + count(left.Count, "record")
	}
	return at + ": " + left.Reason
}
