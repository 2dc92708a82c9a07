package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func noticeAckCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "ack",
		Usage:     "acknowledge a notice",
		ArgsUsage: "ID",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "note", Usage: "what was done about it, as `TEXT`; - reads standard input"},
			&cli.StringFlag{Name: "rule", Usage: "the `ID` of the rule that answers it"},
		},
		Description: `
Moves a notice from the pending to the processed ones and journals that. A notice
that was acknowledged before stays as it is, with acked false.

Example:
  pandaprobe-harness notice ack n-20260131T093000000000-0123abcd \
    --rule r-0123456789 --note "a rule was added"

Exit codes: 0 acknowledged, now or before; 1 unknown notice or rule, or failed;
2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runNoticeAck(c.Context, e, noticeAckOptions{id: c.Args().First(), note: c.String("note"), rule: c.String("rule")})
		},
	}
}

type noticeAckOptions struct{ id, note, rule string }

func runNoticeAck(ctx context.Context, e *env, o noticeAckOptions) error {
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if _, err := engine.Notice(o.id); err != nil {
		return err // before standard input is waited for
	}
	if err := e.readTexts(ctx, textFlag{"--note", &o.note}); err != nil {
		return err
	}
	notice, acked, err := engine.AckNotice(ctx, lifecycle.Ack{NoticeID: o.id, RuleID: o.rule, Note: o.note})
	if err != nil {
		return err
	}
	return e.print(ackDocument{OK: true, Notice: notice, Acked: acked}, func(w io.Writer) { writeAcked(w, notice, acked) })
}

// ackDocument is the JSON of notice ack.
type ackDocument struct {
	OK     bool             `json:"ok"`
	Notice workspace.Notice `json:"notice"`
	Acked  bool             `json:"acked"` // by this call
}

func writeAcked(w io.Writer, n workspace.Notice, acked bool) {
	if acked {
		fmt.Fprintf(w, "%s: acknowledged: %s\n", n.ID, lifecycle.SafeLine(n.Summary))
		return
	}
	fmt.Fprintf(w, "%s: was acknowledged before and stays as it is%s\n", n.ID, resolutionText(n.Resolution))
}

func resolutionText(r *workspace.Resolution) string {
	if r == nil {
		return ""
	}
	text := " (" + when(r.AckedAt)
	if r.RuleID != "" {
		text += ", rule " + string(r.RuleID)
	}
	if r.Note != "" {
		text += ": " + lifecycle.SafeLine(r.Note)
	}
	return text + ")"
}
