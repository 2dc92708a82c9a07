package main

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle/tool"
)

const toolName = "tool"

func toolCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      toolName,
		Category:  categoryTraffic,
		Usage:     "do one of an agent's operations: JSON in, JSON out",
		ArgsUsage: "[NAME]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "args", Usage: "the operation's arguments, as a `JSON` object; @FILE reads a file, - standard input"},
			&cli.BoolFlag{Name: "list", Usage: "describe the operations instead, or NAME alone, with their JSON Schemas"},
		},
		Description: `
Gives an agent the operations of this program by the names that it knows, such as
harness_rule_add. Everything it prints on standard output is one JSON document,
with or without --json.

Examples:
  pandaprobe-harness tool --list
  pandaprobe-harness tool harness_rule_status --args '{"rule_id": "r-0123456789"}'

Exit codes: 0 done; 1 refused or failed, also for arguments that the operation
does not take; 2 called wrongly, also for an unknown operation.`,
		Action: func(c *cli.Context) error {
			e.json = true
			return runTool(c.Context, e, toolOptions{
				name: c.Args().First(), args: c.String("args"), given: c.IsSet("args"), list: c.Bool("list"),
			})
		},
	}
}

type toolOptions struct {
	name, args string
	given      bool // --args was given
	list       bool
}

func (o toolOptions) check() error {
	switch {
	case o.list && o.given:
		return &usageError{flag: "--args", message: "tool takes --list or --args, not both"}
	case o.name == "" && !o.list:
		return usagef("tool needs NAME; `%s tool --list` describes the operations", programName)
	case o.name != "" && !slices.Contains(tool.Names(), o.name):
		return usagef("tool has no operation %q%s", o.name, didYouMean(o.name, tool.Names(), "see `"+programName+" tool --list`"))
	}
	return nil
}

func runTool(ctx context.Context, e *env, o toolOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.list {
		return e.print(newToolsDocument(o.name), nil)
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	var arguments jsontext.Value
	if o.given {
		if arguments, err = e.readJSON(ctx, "--args", o.args); err != nil {
			return err
		}
	}
	set := tool.Set{Engine: engine, Trace: lifecycle.NewPlatformClient(engine.Config, e.environ).Trace}
	result, err := set.Call(ctx, o.name, arguments)
	if err != nil {
		return err
	}
	return e.print(result, nil)
}

// toolsDocument is the JSON of tool --list.
type toolsDocument struct {
	OK    bool             `json:"ok"`
	Tools []tool.Operation `json:"tools"`
}

// newToolsDocument describes the named operation, or all.
func newToolsDocument(name string) toolsDocument {
	doc := toolsDocument{OK: true, Tools: tool.Operations()}
	doc.Tools = slices.DeleteFunc(doc.Tools, func(o tool.Operation) bool { return name != "" && o.Name != name })
	return doc
}

// speaksJSON tells the command whose output is for programs only.
func speaksJSON(path []*cli.Command) bool { return len(path) > 0 && path[0].Name == toolName }
