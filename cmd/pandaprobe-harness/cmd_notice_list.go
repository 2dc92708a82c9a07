package main

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func noticeListCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the pending notices, oldest first",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "list those that were acknowledged too"},
		},
		Description: `
Lists the notices that nobody has acknowledged.

Example:
  pandaprobe-harness notice list --all

Exit codes: 0 listed, even none; 1 failed; 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runNoticeList(c.Context, e, noticeListOptions{all: c.Bool("all")})
		},
	}
}

type noticeListOptions struct{ all bool }

func runNoticeList(_ context.Context, e *env, o noticeListOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	notices, err := engine.Notices(o.all)
	if err != nil {
		return err
	}
	if len(notices) == 0 && !e.json {
		e.tell(noNotices(o.all))
		return nil
	}
	doc := noticesDocument{OK: true, Notices: append([]workspace.Notice{}, notices...)}
	return e.print(doc, func(w io.Writer) { writeNotices(w, notices, widthOf(e.stdout.w)) })
}

// noticesDocument is the JSON of notice list.
type noticesDocument struct {
	OK      bool               `json:"ok"`
	Notices []workspace.Notice `json:"notices"`
}

func noNotices(all bool) string {
	if all {
		return "no notices"
	}
	return "no pending notices"
}

func writeNotices(w io.Writer, notices []workspace.Notice, width int) {
	rows := make([][]string, len(notices))
	for i, n := range notices {
		rows[i] = []string{n.ID, n.Status, n.Severity, when(n.CreatedAt), n.SessionID, n.Summary}
	}
	table(w, []string{"ID", "STATUS", "SEVERITY", "CREATED", "SESSION", "SUMMARY"}, rows, width)
}
