package main

import (
	"bytes"
	"context"
	"io"

	"github.com/urfave/cli/v2"
)

func manCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "man",
		Category: categoryOther,
		Usage:    "print the manual page",
		Description: `
Prints the manual page of this version: every command with its flags, the knobs,
the environment, the files and the exit codes.

Example:
  pandaprobe-harness man | man -l -

Exit codes: 0 printed, 2 called wrongly.`,
		Action: func(c *cli.Context) error { return runMan(c.Context, e) },
	}
}

func runMan(_ context.Context, e *env) error {
	var b bytes.Buffer
	writeManual(&b, newApp(e, nil))
	doc := manualDocument{OK: true, Page: b.String()}
	return e.print(doc, func(w io.Writer) { io.WriteString(w, doc.Page) })
}

type manualDocument struct {
	OK   bool   `json:"ok"`
	Page string `json:"page"` // in the format of man(7)
}
