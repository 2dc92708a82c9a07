package main

import (
	"context"

	"github.com/urfave/cli/v2"
)

func caseRemoveCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "remove",
		Usage:     "remove a case from the eval set",
		ArgsUsage: "ID",
		Description: `
Removes a case, a failure or a win, and journals that.

Example:
  pandaprobe-harness case remove c-0123456789

Exit codes: 0 removed, 1 unknown id or failed, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runCaseRemove(c.Context, e, caseRemoveOptions{id: c.Args().First()})
		},
	}
}

type caseRemoveOptions struct{ id string }

func runCaseRemove(ctx context.Context, e *env, o caseRemoveOptions) error {
	e.signals.catch()
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if _, err := engine.Workspace.Case(o.id); err != nil {
		return err // before a lock is made for nothing
	}
	c, err := engine.RemoveCase(ctx, o.id)
	if err != nil {
		return err
	}
	return e.printCase(c, false, "removed")
}
