package tool

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func mailboxOperations() []operation {
	noticeID := param{name: "notice_id", kind: text, required: true, about: "the notice's id, such as n-20260131T093000000000-0123abcd"}
	notice := param{name: "notice", kind: object, about: "the notice"}
	return []operation{
		{
			name:     "harness_mailbox_list",
			about:    "List the diagnostic notices that nobody has acknowledged, oldest first. Each tells that a session went wrong.",
			params:   []param{{name: "all", kind: flag, about: "list those that were acknowledged too"}},
			returns:  []param{{name: "notices", kind: list, about: "the notices"}},
			examples: []string{`{}`, `{"all": true}`},
			run:      listNotices,
		},
		{
			name:     "harness_mailbox_read",
			about:    "Read one notice: what the session scored, which conditions that met, and which traces are flagged.",
			params:   []param{noticeID},
			returns:  []param{notice},
			examples: []string{`{"notice_id": "n-20260131T093000000000-0123abcd"}`},
			run:      readNotice,
		},
		{
			name: "harness_mailbox_ack",
			about: "Acknowledge a notice once you have dealt with it. One that was acknowledged before stays as it is, " +
				"with acked false.",
			params: []param{
				noticeID,
				{name: "note", kind: text, about: "what you did about it"},
				{name: "rule_id", kind: text, about: "the rule that answers it"},
			},
			returns:  []param{notice, {name: "acked", kind: flag, about: "true when this call acknowledged it"}},
			examples: []string{`{"notice_id": "n-20260131T093000000000-0123abcd", "note": "a rule was added", "rule_id": "r-0123456789"}`},
			run:      ackNotice,
		},
	}
}

type noticesResult struct {
	OK      bool               `json:"ok"`
	Notices []workspace.Notice `json:"notices"`
}

type noticeResult struct {
	OK     bool             `json:"ok"`
	Notice workspace.Notice `json:"notice"`
}

type ackResult struct {
	OK     bool             `json:"ok"`
	Notice workspace.Notice `json:"notice"`
	Acked  bool             `json:"acked"`
}

func listNotices(_ context.Context, s Set, a arguments) (any, error) {
	notices, err := s.Engine.Notices(a.flag("all"))
	return noticesResult{OK: true, Notices: append([]workspace.Notice{}, notices...)}, err
}

func readNotice(_ context.Context, s Set, a arguments) (any, error) {
	notice, err := s.Engine.Notice(a.text("notice_id"))
	return noticeResult{OK: true, Notice: notice}, err
}

func ackNotice(ctx context.Context, s Set, a arguments) (any, error) {
	notice, acked, err := s.Engine.AckNotice(ctx, lifecycle.Ack{NoticeID: a.text("notice_id"), RuleID: a.text("rule_id"), Note: a.text("note")})
	return ackResult{OK: true, Notice: notice, Acked: acked}, err
}
