package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func historyShowCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "show what a session scored, and its averages",
		ArgsUsage: "SESSION",
		Description: `
Shows every score of a session, metric by metric, oldest first, and the running
averages after the last: those in the session's files and in the score history.

Example:
  pandaprobe-harness history show chat-7

Exit codes: 0 shown, 1 unknown session or failed, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runHistoryShow(c.Context, e, historyShowOptions{session: c.Args().First()})
		},
	}
}

type historyShowOptions struct{ session string }

func runHistoryShow(ctx context.Context, e *env, o historyShowOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	history, err := engine.History(ctx, o.session)
	if err != nil {
		return err
	}
	return e.print(history, func(w io.Writer) { writeHistory(w, history, widthOf(e.stdout.w)) })
}

func writeHistory(w io.Writer, h lifecycle.SessionHistory, width int) {
	if len(h.Metrics) == 0 {
		fmt.Fprintf(w, "%s: no scores\n", lifecycle.SafeLine(h.SessionID))
		return
	}
	rows := [][]string{}
	for _, m := range h.Metrics {
		for _, sample := range m.Series {
			rows = append(rows, []string{m.Metric, sampleTime(sample.TS), number(sample.Value), orDash(string(sample.RunID))})
		}
	}
	table(w, []string{"METRIC", "TIME", "SCORE", "RUN"}, rows, width)
	fmt.Fprintln(w)
	averages := [][]string{}
	for _, m := range h.Metrics {
		averages = append(averages, averagesRow(m))
	}
	table(w, []string{"METRIC", "SCORES", "FAST AVERAGE", "SLOW AVERAGE"}, averages, width)
}

func sampleTime(ts *workspace.Time) string {
	if ts == nil {
		return "-"
	}
	return when(*ts)
}

func averagesRow(m lifecycle.MetricHistory) []string {
	if m.EWMA == nil {
		return []string{m.Metric, fmt.Sprint(len(m.Series)), "-", "-"}
	}
	return []string{m.Metric, fmt.Sprint(len(m.Series)), fmt.Sprintf("%.4f", m.EWMA.Fast), fmt.Sprintf("%.4f", m.EWMA.Slow)}
}
