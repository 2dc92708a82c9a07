package main

import (
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func configCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "config",
		Category: categoryWorkspace,
		Usage:    "print the knobs in force and where each value came from",
		Description: `
Prints every knob with its value and its source: a flag, the environment,
harness.toml or the default.

Example:
  pandaprobe-harness config --set rule_promote_margin=0.1

Exit codes: 0 printed, 1 a knob that cannot be used, 2 called wrongly.`,
		Action: func(c *cli.Context) error { return runConfig(c.Context, e) },
	}
}

func runConfig(_ context.Context, e *env) error {
	ws, err := e.openWorkspace()
	if err != nil {
		return err
	}
	_, settings, err := e.loadConfig(ws)
	if err != nil {
		return err
	}
	return e.print(configDocument{OK: true, Settings: settings}, func(w io.Writer) { writeSettings(w, settings) })
}

type configDocument struct {
	OK       bool                `json:"ok"`
	Settings []workspace.Setting `json:"settings"`
}

func writeSettings(w io.Writer, settings []workspace.Setting) {
	rows := make([][]string, len(settings))
	for i, s := range settings {
		rows[i] = []string{s.Name, valueText(s.Value), sourceText(s)}
	}
	table(w, []string{"KNOB", "VALUE", "SOURCE"}, rows, 0)
}

// valueText writes a value as harness.toml would; "-" stands for none.
func valueText(value any) string {
	if value == nil {
		return "-"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

func sourceText(s workspace.Setting) string {
	if s.File == "" {
		return string(s.Source)
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}
