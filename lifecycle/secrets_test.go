package lifecycle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// planted matches the pattern of newRedactingEngine, which knows it no more once
// it is case-folded.
const planted = "sk-PLANTED0123456789"

func newRedactingEngine(t *testing.T) *lifecycle.Engine {
	t.Helper()
	e := newEngine(t, map[string]any{"capture_eval_cases": true})
	e.Config.RedactPatterns = []string{"sk-[A-Z]{7}[0-9]+"}
	return e
}

// wantNoSecret looks for it in every file, also case-folded, as tags are.
func wantNoSecret(t *testing.T, e *lifecycle.Engine) {
	t.Helper()
	redacted := false
	for path, content := range files(t, e.Workspace.Root) {
		if at := strings.Index(strings.ToLower(content), strings.ToLower(planted)); at >= 0 {
			t.Errorf("%s holds the secret: ...%s", path, content[max(0, at-60):at+len(planted)])
		}
		redacted = redacted || strings.Contains(content, "[redacted]")
	}
	if !redacted {
		t.Error("nothing was redacted")
	}
}

// TestControlCharactersHideNoSecret: they are taken out of a text before it is
// kept, and what they part must not come together unseen.
func TestControlCharactersHideNoSecret(t *testing.T) {
	for name, secret := range map[string]string{
		"whole": planted, "a null": "sk-\x00PLANTED0123456789", "colours": "\x1b[1ms\x1b[0mk-PLANTED0123456789", "a delete": "sk-PLANT\x7fED0123456789",
	} {
		t.Run(name, func(t *testing.T) {
			e := newRedactingEngine(t)
			rule := newRule(t, e, lifecycle.NewRule{Rule: "Never say " + secret, Rationale: "It said " + secret, Metric: "m", Tags: []string{secret}})
			if _, err := e.RetireRule(t.Context(), rule.ID, "leaked "+secret); err != nil {
				t.Fatal(err)
			}
			value := 0.1
			answers, err := e.NewObserver().Observe(t.Context(), []lifecycle.Report{{
				SessionID: "s-1", HasScores: true, Scores: []lifecycle.Score{{Name: "m", Value: &value, Reason: "the key " + secret}}, FlaggedTraces: []string{secret},
			}})
			if err != nil || !answers[0].Posted || answers[0].CaseID == "" {
				t.Fatalf("%+v, %v", answers, err)
			}
			if _, _, err := e.AckNotice(t.Context(), lifecycle.Ack{NoticeID: string(answers[0].NoticeID), Note: "rotated " + secret}); err != nil {
				t.Fatal(err)
			}
			if _, _, err := e.AddCase(t.Context(), workspace.Case{Kind: workspace.Win, SessionID: "s-2", Notes: "see " + secret}); err != nil {
				t.Fatal(err)
			}
			wantNoSecret(t, e)
		})
	}
}

// secretPython is a workspace of the Python harness whose texts all hold SECRET.
var secretPython = map[string]string{
	"rules.jsonl": `{"id": "r-0123456789", "created_at": "2026-01-01T00:00:00Z", "rule": "rule SECRET", "rationale": "why SECRET", "status": "retired", "tags": ["SECRET"], "trial": {"verdict": "retired:SECRET"}}
`,
	"journal.jsonl": `{"ts": "2026-01-01T00:00:00Z", "type": "notice", "id": "n-20260101T000000000000-0123abcd", "summary": "SECRET", "signals": {"SECRET": ["SECRET"]}}
`,
	"evalset/c-0123456789.json": `{"id": "c-0123456789", "created_at": "2026-01-01T00:00:00Z", "session_id": "s", "kind": "win", "signature": [], "baseline_scores": {},
		"replay_input": {"SECRET": "SECRET"}, "notes": "SECRET", "more": {"SECRET": "SECRET"}}`,
	"mailbox/pending/n-20260101T000000000000-0123abcd.json":   secretNotice,
	"mailbox/processed/n-20260101T000000000000-0123abce.json": strings.Replace(secretNotice, "0123abcd", "0123abce", 1),
}

const secretNotice = `{"id": "n-20260101T000000000000-0123abcd", "created_at": "2026-01-01T00:00:00Z", "session_id": "s", "severity": "breach", "summary": "SECRET",
	"signatures": ["breach:m"], "metrics": [{"name": "m", "value": 0.1, "reason": "SECRET", "more": "SECRET"}], "flagged_traces": ["SECRET"],
	"signal_breakdown": {"SECRET": {"SECRET": "SECRET"}}, "resolution": {"acked_at": "2026-01-01T00:00:00Z", "rule_id": null, "note": "SECRET"}, "more": {"SECRET": "SECRET"}}`

func TestImportBringsInNoSecret(t *testing.T) {
	dir := t.TempDir()
	for name, content := range secretPython {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(content, "SECRET", planted)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	e := newRedactingEngine(t)
	if got := importFrom(t, e, dir).Took; got.Rules != 1 || got.Cases != 1 || got.Notices != 2 || got.Events != 1 {
		t.Errorf("taken: %+v", got)
	}
	wantNoSecret(t, e)
}
