package tool_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle/tool"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// The ids that the examples of the operations name.
const (
	ruleID    = "r-0123456789"
	noticeID  = "n-20260131T093000000000-0123abcd"
	caseID    = "c-0123456789"
	sessionID = "chat-7"
)

// newSet returns the operations of a workspace that has what the examples name.
func newSet(t testing.TB) tool.Set {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{
		"harness.toml": "",
		"state/rules/" + ruleID + ".toml": `id = "r-0123456789"
created_at = 2026-01-01T00:00:00Z
rule = "Ask for the refund window."
status = "candidate"
metric = "m"
tags = ["refund"]
`,
		"state/mailbox/pending/" + noticeID + ".json": `{"id": "n-20260131T093000000000-0123abcd", "created_at": "2026-01-31T09:30:00Z",
 "session_id": "chat-7", "severity": "breach", "status": "pending", "signatures": ["breach:m"], "metrics": [{"name": "m", "value": 0.2}]}`,
		"state/evalset/" + caseID + ".json": `{"id": "c-0123456789", "created_at": "2026-01-01T00:00:00Z", "session_id": "chat-7",
 "kind": "failure", "signature": ["breach:m"], "baseline_scores": {"m": 0.2}, "replay_input": null, "notes": ""}`,
		"state/sessions/" + sessionID + ".aaaaaa.jsonl": `{"ts":"2026-01-31T09:30:00.000000Z","id":"0123456789abcdef","session_id":"chat-7","scores":{"m":0.2},"ewma":{"m":{"fast":0.2,"slow":0.2,"count":1}},"signatures":["breach:m"]}
`,
		"state/journal/2026-01-31.aaaaaa.jsonl": `{"ts":"2026-01-31T09:30:00.000000Z","id":"0123456789abcdef","type":"notice","session_id":"chat-7","notice_id":"n-20260131T093000000000-0123abcd","severity":"breach","signatures":["breach:m"]}
`,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	ws.Warn = func(err error) { t.Errorf("warning: %v", err) }
	ws.Now = func() time.Time { return time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC) }
	config, _, _, err := workspace.LoadConfig(workspace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return tool.Set{Engine: &lifecycle.Engine{Workspace: ws, Config: config}, Trace: wholeTrace}
}

func wholeTrace(_ context.Context, id string) (platform.Trace, error) {
	return platform.Trace{
		Trace:     jsontext.Value(`{"trace_id": "` + id + `", "spans": []}`),
		ToolSpans: jsontext.Value(`[]`),
		Scores:    jsontext.Value(`[{"name": "m", "value": "0.20"}]`),
	}, nil
}
