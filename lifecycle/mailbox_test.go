package lifecycle_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// newNotice has a session breach and returns its notice.
func newNotice(t *testing.T, e *lifecycle.Engine, session string) workspace.Notice {
	t.Helper()
	id := observe(t, e.NewObserver(), `{"session_id":"`+session+`","scores":{"m":0.1}}`).NoticeID
	n, err := e.Notice(string(id))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func newRule(t *testing.T, e *lifecycle.Engine, n lifecycle.NewRule) workspace.Rule {
	t.Helper()
	rule, _, err := e.AddRule(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

func acks(t *testing.T, e *lifecycle.Engine) []workspace.Event {
	t.Helper()
	events, err := e.Journal(lifecycle.JournalQuery{Types: []string{lifecycle.EventAck}})
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func noticeIDs(t *testing.T, e *lifecycle.Engine, all bool) []string {
	t.Helper()
	notices, err := e.Notices(all)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, n := range notices {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestAckMovesANoticeAndJournalsIt(t *testing.T) {
	e := newEngine(t, nil)
	e.Config.RedactPatterns = []string{"^a "}
	first, second := newNotice(t, e, "s-1"), newNotice(t, e, "s-2")
	rule := newRule(t, e, lifecycle.NewRule{Rule: "Be brief."})

	got, acked, err := e.AckNotice(context.Background(), lifecycle.Ack{NoticeID: first.ID, RuleID: rule.ID, Note: "a \x1b[31mrule\r\n"})
	if err != nil || !acked {
		t.Fatalf("got %v, acked %v", err, acked)
	}
	if got.Status != workspace.Acknowledged || got.Resolution == nil || got.Resolution.Note != "[redacted]rule" || string(got.Resolution.RuleID) != rule.ID {
		t.Errorf("got %+v, %+v", got, got.Resolution)
	}
	stored, err := e.Notice(first.ID)
	if diff := cmp.Diff(got, stored); diff != "" || err != nil {
		t.Errorf("stored otherwise (%v):\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{second.ID}, noticeIDs(t, e, false)); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{first.ID, second.ID}, noticeIDs(t, e, true)); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	events := acks(t, e)
	if len(events) != 1 || events[0].SessionID != "s-1" || events[0].RuleID != rule.ID {
		t.Fatalf("journal: %+v", events)
	}
	var data map[string]string
	if err := events[0].Decode(&data); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"notice_id": first.ID, "note": "[redacted]rule"}, data); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

func TestAckingAgainChangesNothing(t *testing.T) {
	e := newEngine(t, nil)
	n := newNotice(t, e, "s-1")
	first, _, err := e.AckNotice(context.Background(), lifecycle.Ack{NoticeID: n.ID, Note: "first"})
	if err != nil {
		t.Fatal(err)
	}
	again, acked, err := e.AckNotice(context.Background(), lifecycle.Ack{NoticeID: n.ID, Note: "second"})
	if err != nil || acked {
		t.Errorf("got %v, acked %v", err, acked)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("it changed:\n%s", diff)
	}
	if events := acks(t, e); len(events) != 1 {
		t.Errorf("journal: %+v", events)
	}
}

func TestAckRefuses(t *testing.T) {
	e := newEngine(t, nil)
	n := newNotice(t, e, "s-1")
	for _, c := range []struct {
		ack  lifecycle.Ack
		want workspace.Code
	}{
		{lifecycle.Ack{NoticeID: "../" + n.ID}, workspace.CodeBadInput},
		{lifecycle.Ack{NoticeID: ""}, workspace.CodeBadInput},
		{lifecycle.Ack{NoticeID: "n-20260131T093000000000-0123abcd"}, workspace.CodeNotFound},
		{lifecycle.Ack{NoticeID: n.ID, RuleID: "r-0123456789"}, workspace.CodeNotFound},
		{lifecycle.Ack{NoticeID: n.ID, RuleID: "nope"}, workspace.CodeBadInput},
	} {
		if _, acked, err := e.AckNotice(context.Background(), c.ack); acked || workspace.CodeOf(err) != c.want {
			t.Errorf("%+v: got %v, acked %v, want %s", c.ack, err, acked, c.want)
		}
	}
	if pending, events := noticeIDs(t, e, false), acks(t, e); len(pending) != 1 || len(events) != 0 {
		t.Errorf("pending %v, journal %+v", pending, events)
	}
}

// TestAFailedAckLeavesNoTrace: evidence of what did not happen is taken back.
func TestAFailedAckLeavesNoTrace(t *testing.T) {
	e := newEngine(t, nil)
	n := newNotice(t, e, "s-1")
	processed := filepath.Join(e.Workspace.Root, "state", "mailbox", "processed")
	if err := os.RemoveAll(processed); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), processed); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, acked, err := e.AckNotice(context.Background(), lifecycle.Ack{NoticeID: n.ID}); acked || workspace.CodeOf(err) != workspace.CodeRefused {
		t.Errorf("got %v, acked %v", err, acked)
	}
	if pending, events := noticeIDs(t, e, false), acks(t, e); len(pending) != 1 || len(events) != 0 {
		t.Errorf("pending %v, journal %+v", pending, events)
	}
}

// TestANoticeInBothFoldersIsProcessed is what a crash between the two steps of
// an acknowledgement leaves.
func TestANoticeInBothFoldersIsProcessed(t *testing.T) {
	e := newEngine(t, nil)
	n := newNotice(t, e, "s-1")
	pending := filepath.Join(e.Workspace.Root, "state", "mailbox", "pending", n.ID+".json")
	before, err := os.ReadFile(pending)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := e.AckNotice(context.Background(), lifecycle.Ack{NoticeID: n.ID, Note: "done"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(pending, before, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := e.Notice(n.ID)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if ids := noticeIDs(t, e, false); len(ids) != 0 {
		t.Errorf("pending: %v", ids)
	}
	if diff := cmp.Diff([]string{n.ID}, noticeIDs(t, e, true)); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	if _, acked, err := e.AckNotice(context.Background(), lifecycle.Ack{NoticeID: n.ID}); acked || err != nil {
		t.Errorf("again: got %v, acked %v", err, acked)
	}
}
