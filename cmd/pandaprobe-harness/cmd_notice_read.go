package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func noticeReadCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "read",
		Usage:     "show all of a notice",
		ArgsUsage: "ID",
		Description: `
Shows a notice, pending or acknowledged. Reading changes nothing.

Example:
  pandaprobe-harness notice read n-20260131T093000000000-0123abcd

Exit codes: 0 shown, 1 unknown id or broken file, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runNoticeRead(c.Context, e, noticeReadOptions{id: c.Args().First()})
		},
	}
}

type noticeReadOptions struct{ id string }

func runNoticeRead(_ context.Context, e *env, o noticeReadOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	notice, err := engine.Notice(o.id)
	if err != nil {
		return err
	}
	return e.print(noticeDocument{OK: true, Notice: notice}, func(w io.Writer) { writeNotice(w, notice) })
}

// noticeDocument is the JSON of notice read.
type noticeDocument struct {
	OK     bool             `json:"ok"`
	Notice workspace.Notice `json:"notice"`
}

func writeNotice(w io.Writer, n workspace.Notice) {
	rows := [][]string{
		{"id", n.ID},
		{"status", n.Status},
		{"severity", n.Severity},
		{"created", when(n.CreatedAt)},
		{"session", n.SessionID},
		{"turn", turnText(n.TurnIndex)},
		{"summary", orDash(n.Summary)},
		{"signatures", joined(n.Signatures)},
		{"traces", joined(n.FlaggedTraces)},
	}
	for _, m := range n.Metrics {
		rows = append(rows, []string{"metric", metricText(m)})
	}
	for _, trace := range slices.Sorted(maps.Keys(n.SignalBreakdown)) {
		rows = append(rows, []string{"signals", trace + ": " + signalsText(n, trace)})
	}
	if r := n.Resolution; r != nil {
		rows = append(rows, []string{"acknowledged", when(r.AckedAt)}, []string{"by rule", orDash(string(r.RuleID))}, []string{"note", orDash(r.Note)})
	}
	fields(w, rows...)
}

func turnText(turn *int64) string {
	if turn == nil {
		return "-"
	}
	return fmt.Sprint(*turn)
}

func metricText(m workspace.NoticeMetric) string {
	text := m.Name
	if m.Value != nil {
		text += " " + number(*m.Value)
	}
	if m.Threshold != nil {
		text += ", threshold " + number(*m.Threshold)
	}
	text += ": " + joined(m.Conditions)
	if m.Reason != "" {
		text += ": " + m.Reason
	}
	return text
}

func signalsText(n workspace.Notice, trace string) string {
	var parts []string
	for _, signal := range slices.Sorted(maps.Keys(n.SignalBreakdown[trace])) {
		parts = append(parts, signal+" "+string(n.SignalBreakdown[trace][signal]))
	}
	return strings.Join(parts, ", ")
}
