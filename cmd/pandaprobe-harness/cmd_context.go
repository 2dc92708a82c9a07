package main

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"
)

func contextCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "context",
		Category: categoryRules,
		Usage:    "print what goes into the agent's system prompt",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "query", Usage: "give only the rules most relevant to `TEXT` (rules_context_topk); candidates are always given"},
		},
		Description: `
Renders the rules as they are now: the active ones, then the candidates under
their own heading. It writes nothing.

Example:
  pandaprobe-harness context --query "refund for a damaged parcel"

Exit codes: 0 rendered, 1 failed, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runContext(c.Context, e, contextOptions{query: c.String("query")})
		},
	}
}

type contextOptions struct{ query string }

func runContext(ctx context.Context, e *env, o contextOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if err := e.readTexts(ctx, textFlag{"--query", &o.query}); err != nil {
		return err
	}
	text, err := engine.Context(o.query)
	if err != nil {
		return err
	}
	return e.print(contextDocument{OK: true, Context: text}, func(w io.Writer) { io.WriteString(w, text) })
}

type contextDocument struct {
	OK      bool   `json:"ok"`
	Context string `json:"context"`
}
