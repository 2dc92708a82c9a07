package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func initCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "init",
		Category:  categoryWorkspace,
		Usage:     "make a workspace",
		ArgsUsage: "[DIR]",
		Description: `
Makes a workspace in DIR, else in --workspace, else in the current folder:
harness.toml with every knob at its default, the folders of state/, and lines in
.gitignore and .gitattributes. A folder that is a workspace already is left as
it is.

Example:
  pandaprobe-harness init agent-harness

Exit codes: 0 made, 1 there is one already or it could not be made, 2 called
wrongly.`,
		Action: func(c *cli.Context) error {
			return runInit(c.Context, e, initOptions{dir: c.Args().First()})
		},
	}
}

type initOptions struct{ dir string }

func runInit(ctx context.Context, e *env, o initOptions) error {
	e.signals.catch()
	if o.dir == "" {
		o.dir = e.root
	}
	if o.dir == "" {
		o.dir = "."
	}
	ws, err := workspace.Init(ctx, o.dir)
	if err != nil {
		return err
	}
	doc := initDocument{OK: true, Workspace: strings.ToValidUTF8(ws.Root, "\ufffd")}
	return e.print(doc, func(w io.Writer) { printInit(w, ws) })
}

type initDocument struct {
	OK        bool   `json:"ok"`
	Workspace string `json:"workspace"` // absolute path
}

func printInit(w io.Writer, ws *workspace.Workspace) {
	fmt.Fprintf(w, "made a workspace in %s\n", lifecycle.SafeLine(ws.Root))
}
