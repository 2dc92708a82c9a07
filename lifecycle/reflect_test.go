package lifecycle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func reflect(t *testing.T, e *lifecycle.Engine) lifecycle.Reflection {
	t.Helper()
	r, err := e.Reflect()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// breach has a session of its own breach each of the metrics.
func breach(t *testing.T, e *lifecycle.Engine, session string, metrics ...string) {
	t.Helper()
	scores := strings.Join(metrics, `":0.1,"`)
	observe(t, e.NewObserver(), `{"session_id":"`+session+`","scores":{"`+scores+`":0.1}}`)
}

func TestReflectOnNothing(t *testing.T) {
	want := lifecycle.Reflection{
		OK: true, Notices: []lifecycle.ReflectedNotice{}, Active: []workspace.Rule{}, Candidates: []workspace.Rule{},
		Transitions: []workspace.Event{}, Effects: []lifecycle.RuleEffect{},
	}
	if diff := cmp.Diff(want, reflect(t, newEngine(t, nil))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReflectCountsTheFamilyBeforeAndAfter(t *testing.T) {
	e := newEngine(t, map[string]any{"circuit_breaker_max_notices": 0})
	breach(t, e, "s-1", "a")
	breach(t, e, "s-2", "b")
	ruleA := newRule(t, e, lifecycle.NewRule{Rule: "About a.", Metric: "a"})
	breach(t, e, "s-3", "a", "b")
	any := newRule(t, e, lifecycle.NewRule{Rule: "About anything."})
	gone := newRule(t, e, lifecycle.NewRule{Rule: "Gone.", Metric: "a"})
	if _, err := e.RetireRule(context.Background(), gone.ID, "no use"); err != nil {
		t.Fatal(err)
	}
	e.Config.ObserveOnly = true
	breach(t, e, "s-4", "b")

	r := reflect(t, e)
	want := []lifecycle.RuleEffect{
		{RuleID: ruleA.ID, Status: workspace.Candidate, Metric: "a", AddedAt: ruleA.CreatedAt, NoticesBefore: 1, NoticesAfter: 1},
		{RuleID: any.ID, Status: workspace.Candidate, AddedAt: any.CreatedAt, NoticesBefore: 3, NoticesAfter: 1},
	}
	if diff := cmp.Diff(want, r.Effects); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	if len(r.Active) != 0 || len(r.Candidates) != 2 || len(r.Transitions) != 1 || r.Transitions[0].RuleID != gone.ID {
		t.Errorf("got %d active, %d candidates, transitions %+v", len(r.Active), len(r.Candidates), r.Transitions)
	}
	if r.Window.Notices != 4 || r.Window.Since == nil || !r.Window.Since.Equal(r.Notices[0].TS) {
		t.Errorf("window: %+v", r.Window)
	}
	last := r.Notices[3]
	if last.SessionID != "s-4" || !last.ObserveOnly || last.NoticeID == "" || last.Severity != "breach" || last.Summary == "" ||
		!cmp.Equal(last.Signatures, []string{"breach:b"}) {
		t.Errorf("the last notice: %+v", last)
	}
}

// journalDay writes a day of the journal, a line for each type.
func journalDay(t *testing.T, e *lifecycle.Engine, day string, lines ...string) {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, fields := range lines {
		ts := workspace.NewTime(at.Add(time.Duration(i) * time.Millisecond))
		fmt.Fprintf(&b, `{"ts":"%s","id":"%08d%.8s",%s}`+"\n", ts, i, strings.ReplaceAll(day, "-", ""), fields)
	}
	path := filepath.Join(e.Workspace.Root, "state", "journal", day+".aaaaaa.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func times(n int, line string) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = line
	}
	return lines
}

func TestReflectLooksAtTheLastOnes(t *testing.T) {
	e := newEngine(t, nil)
	newRule(t, e, lifecycle.NewRule{Rule: "Be brief.", Metric: "m"})
	hit := `"type":"notice","session_id":"s","notice_id":"n","severity":"breach","signatures":["breach:m"]`
	journalDay(t, e, "2026-01-01", times(700, hit)...)
	journalDay(t, e, "2026-01-02", append(times(600, hit), times(30, `"type":"rule_promote","rule_id":"r-0123456789"`)...)...)

	r := reflect(t, e)
	if len(r.Notices) != 20 || len(r.Transitions) != 20 || r.Window.Notices != 1000 || r.Effects[0].NoticesBefore != 1000 {
		t.Errorf("got %d notices, %d transitions, window %d, before %d", len(r.Notices), len(r.Transitions), r.Window.Notices, r.Effects[0].NoticesBefore)
	}
	if got := r.Window.Since.String(); got != "2026-01-01T00:00:00.300000Z" {
		t.Errorf("since %s", got)
	}
}

// TestReflectDoesNotReadAllOfALargeJournal: what lies behind the last 10,000
// events, or for notices the last 20,000, is not recent.
func TestReflectDoesNotReadAllOfALargeJournal(t *testing.T) {
	recovery := `"type":"recovery","session_id":"s"`
	for _, c := range []struct{ events, transitions, notices int }{
		{9_999, 1, 1}, {10_000, 0, 1}, {19_999, 0, 1}, {20_000, 0, 0},
	} {
		e := newEngine(t, nil)
		journalDay(t, e, "2026-01-01", `"type":"rule_retire","rule_id":"r-0123456789"`, `"type":"notice","session_id":"s","signatures":[]`)
		journalDay(t, e, "2026-01-02", times(c.events, recovery)...)
		r := reflect(t, e)
		if len(r.Transitions) != c.transitions || r.Window.Notices != c.notices {
			t.Errorf("%d events since: got %d transitions, %d notices", c.events, len(r.Transitions), r.Window.Notices)
		}
	}
}

// TestReflectReadsNoticesOfOtherWriters: keys in another order, fields that are
// absent or null, and a line whose rest is unusable.
func TestReflectReadsNoticesOfOtherWriters(t *testing.T) {
	e := newEngine(t, nil)
	newRule(t, e, lifecycle.NewRule{Rule: "Be brief.", Metric: "m"})
	path := filepath.Join(e.Workspace.Root, "state", "journal", "2026-01-01.aaaaaa.jsonl")
	content := `{"type": "notice", "signatures": ["trend:m"], "id": "a", "ts": "2026-01-01T10:00:00+01:00"}
{"type": "notice", "id": "b", "ts": "2026-01-01T10:00:00Z", "signatures": null}
{"type": "notice", "id": "c", "ts": "2026-01-01T10:00:01Z"}
{"type": "notice", "id": "d", "ts": "2026-01-01T10:00:02Z", "signatures": "breach:m"}
{"type": "notice", "id": "e", "ts": "2026-01-01T10:00:03Z", "signatures": ["breach:m"], "severity": 3}
{"ts":"2026-01-01T10:00:04.000000Z","id":"0000000000000001","type":"notice","metrics":[{"signatures":["breach:m"]}],"signatures":["breach:other"]}
{"ts":"2026-01-01T10:00:05.000000Z","id":"0000000000000002","type":"notice","session_id":",\"signatures\":[","signatures":["breach:m"]}
{"ts":"2026-01-01T10:00:06.000000Z","id":"0000000000000003","type":"notice","signatures":["breach:]","breach:m"]}
{"ts":"2026-01-01T10:00:07.000000Z","id":"0000000000000004","type":"notice","signatures":null}
`
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	warned := 0
	e.Workspace.Warn = func(error) { warned++ }
	r := reflect(t, e)
	if r.Window.Notices != 8 || r.Effects[0].NoticesBefore != 4 || warned == 0 {
		t.Errorf("window %d, before %d, %d warnings", r.Window.Notices, r.Effects[0].NoticesBefore, warned)
	}
	if got := r.Notices[0]; got.TS.String() != "2026-01-01T09:00:00.000000Z" || !cmp.Equal(got.Signatures, []string{"trend:m"}) {
		t.Errorf("the first: %+v", got)
	}
	for _, n := range r.Notices {
		if n.Signatures == nil || n.TS.IsZero() {
			t.Errorf("%+v", n)
		}
	}
}
