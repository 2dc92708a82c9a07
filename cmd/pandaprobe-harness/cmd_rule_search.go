package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"
)

func ruleSearchCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "search",
		Usage:     "find live rules by words, best match first",
		ArgsUsage: "QUERY...",
		Description: `
Finds the live rules whose text, rationale or tags meet the words of the query.

Example:
  pandaprobe-harness rule search refund order

Exit codes: 0 searched, even without a match; 1 failed; 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runRuleSearch(c.Context, e, ruleSearchOptions{query: strings.Join(c.Args().Slice(), " ")})
		},
	}
}

type ruleSearchOptions struct{ query string }

func runRuleSearch(_ context.Context, e *env, o ruleSearchOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	rules, err := engine.SearchRules(o.query)
	if err != nil {
		return err
	}
	return e.printRules(rules, "no rule meets the query")
}
