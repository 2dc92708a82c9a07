package workspace

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fault is where an error says that a file is broken.
type fault struct {
	Code  Code
	Line  int
	Field string
}

func faultOf(err error) fault {
	var located *Error
	if !errors.As(err, &located) {
		return fault{}
	}
	return fault{located.Code, located.Line, located.Field}
}

// TestRuleFilesThatAreRefused spoils one line of a rule file at a time: what
// could pass for another rule is none.
func TestRuleFilesThatAreRefused(t *testing.T) {
	const id = "r-0123456789"
	good := formatRule(exampleRule(id))
	for _, c := range []struct{ old, new, field string }{
		{`id = "r-0123456789"`, `id = "r-0123456780"`, "id"},
		{`created_at = 2026-03-01T10:00:00.000000Z`, `# none`, "created_at"},
		{`created_at = 2026-03-01T10:00:00.000000Z`, `created_at = 2026-03-01T10:00:00`, ""},
		{`created_at = 2026-03-01T10:00:00.000000Z`, `created_at = 2026-03-01`, ""},
		{`created_at = 2026-03-01T10:00:00.000000Z`, `created_at = 10:00:00`, ""},
		{`created_at = 2026-03-01T10:00:00.000000Z`, `created_at = "2026-03-01"`, ""},
		{`created_at = 2026-03-01T10:00:00.000000Z`, `created_at = 0000-03-01T10:00:00Z`, ""},
		{`created_at = 2026-03-01T10:00:00.000000Z`, `created_at = 1764000000`, ""},
		{`trial_started_at = 2026-03-01T10:00:00.000000Z`, `trial_started_at = 2026-03-01T10:00:00`, ""},
		{`trial_started_at = 2026-03-01T10:00:00.000000Z`, `trial_started_at = 2026-03-01`, ""},
		{`trial_started_at = 2026-03-01T10:00:00.000000Z`, `trial_started_at = 10:00:00`, ""},
		{`rule = "Ask for the order id when it is missing."`, `rule = ""`, "rule"},
		{`status = "candidate"`, `status = "proven"`, "status"},
		{`status = "candidate"`, `status = ""`, "status"},
		{`status = "candidate"`, `# none`, "status"},
		{`status = "candidate"`, "<<<<<<< HEAD", ""},
		{`rule = "Ask for the order id when it is missing."`, "rule = '''\nAsk\n<<<<<<< HEAD\nfirst\n=======\nlast\n>>>>>>> other\n'''", ""},
		{`status = "candidate"`, `status = "candidate`, ""},
		{`status = "candidate"`, "status = \"active\"\nstatus = \"candidate\"", ""},
		{`baseline_breached_sessions = 3`, `baseline_breached_sessions = 5`, "trial"},
		{`baseline_breached_sessions = 3`, `baseline_breached_sessions = -1`, "trial"},
		{`baseline_window = 6`, `baseline_window = -6`, "trial"},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if bad == good {
			t.Fatalf("no %s in\n%s", c.old, good)
		}
		_, err := parseRule("x.toml", id, []byte(bad))
		if got := faultOf(err); got.Code != CodeBrokenFile || got.Field != c.field || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%s for %s: %+v, %v", c.new, c.old, got, err)
		}
		if at := strings.Index(bad, "<<<<<<< "); at >= 0 && faultOf(err).Line != lineAt([]byte(bad), at) {
			t.Errorf("the marker is not named by its line: %v", err)
		}
	}
}

// TestCaseFilesThatAreRefused does the same with a case.
func TestCaseFilesThatAreRefused(t *testing.T) {
	const (
		id   = "c-0123456789"
		good = `{"id":"c-0123456789","created_at":"2026-01-01T00:00:00Z","session_id":"s","kind":"win","signature":[],"baseline_scores":{"m":0.5},"replay_input":1,"notes":""}`
	)
	for _, c := range []struct{ old, new, field string }{
		{`"c-0123456789"`, `"c-0123456780"`, "id"},
		{`"2026-01-01T00:00:00Z"`, `null`, "created_at"},
		{`"s"`, `""`, "session_id"},
		{`"win"`, `"draw"`, "kind"},
		{`{"m":0.5}`, `{"m":1.5}`, "baseline_scores.m"},
		{`{"m":0.5}`, `{"m":-0.5}`, "baseline_scores.m"},
		{`{"m":0.5}`, `{" ":0.5}`, "baseline_scores. "},
		{`{"m":0.5}`, `{"m":NaN}`, "baseline_scores"},
		{`{"m":0.5}`, `{"m":0.5,"m":0.6}`, "baseline_scores"},
		{`"kind":"win"`, `"kind":"win","kind":"failure"`, "kind"},
		{`"notes":""}`, `"notes":""} {}`, ""},
		{`"notes":""}`, `"notes":""`, ""},
	} {
		w := newTest(t)
		write(t, w, casesDir+"/"+id+jsonEnding, strings.Replace(good, c.old, c.new, 1))
		_, err := w.Case(id)
		if diff := cmp.Diff(CodeBrokenFile, CodeOf(err)); diff != "" || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%s for %s: %v", c.new, c.old, err)
		}
		if got := faultOf(err).Field; !strings.HasPrefix(got, c.field) {
			t.Errorf("%s for %s names the field %q, want %q", c.new, c.old, got, c.field)
		}
		cases, broken, err := w.Cases()
		if len(cases) != 0 || len(broken) != 1 || err != nil {
			t.Errorf("%s for %s: %d cases, %v, %v", c.new, c.old, len(cases), broken, err)
		}
	}
}
