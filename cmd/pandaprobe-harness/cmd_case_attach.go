package main

import (
	"context"

	"github.com/urfave/cli/v2"
)

func caseAttachCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "attach",
		Usage:     "give a case its replay input",
		ArgsUsage: "ID",
		Flags: []cli.Flag{
			fileFlag("read the replay input from `FILE` instead of standard input"),
			inputFlag(),
		},
		Description: `
Attaches a replay input, any JSON value but null, to a case, in place of the one
it has. It is read from standard input unless --file or --input gives it.

Example:
  pandaprobe-harness case attach c-0123456789 < input.json

Exit codes: 0 attached, 1 unknown id or bad content, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runCaseAttach(c.Context, e, caseAttachOptions{id: c.Args().First(), file: c.String("file"), input: c.String("input")})
		},
	}
}

type caseAttachOptions struct{ id, file, input string }

func (o caseAttachOptions) source() (string, error) {
	switch {
	case o.file != "" && o.input != "":
		return "", &usageError{flag: "--input", message: "case attach takes --file or --input, not both"}
	case o.file != "":
		return "@" + o.file, nil
	case o.input != "":
		return o.input, nil
	}
	return "-", nil
}

func runCaseAttach(ctx context.Context, e *env, o caseAttachOptions) error {
	e.signals.catch()
	source, err := o.source()
	if err != nil {
		return err
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if _, err := engine.Workspace.Case(o.id); err != nil {
		return err // before standard input is waited for
	}
	value, err := e.readValue(ctx, source)
	if err != nil {
		return err
	}
	c, err := engine.AttachCase(ctx, o.id, value)
	if err != nil {
		return err
	}
	return e.printCase(c, false, "has its replay input")
}
