package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outcome is what one call of the program came to.
type outcome struct {
	code           int
	stdout, stderr string
}

// call runs the program in this process, with an environment of its own.
func call(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	code := run(context.Background(), append([]string{programName}, args...), environ, strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
}

// document is the JSON that a call printed.
func document(t *testing.T, o outcome) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(o.stdout), &doc); err != nil {
		t.Fatalf("standard output is no JSON document: %v\n%s%s", err, o.stdout, o.stderr)
	}
	return doc
}

// newWorkspace makes a workspace with the given files.
func newWorkspace(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	if o := call(t, "", "init", root+"/w"); o.code != 0 {
		t.Fatal(o.stderr)
	}
	root += "/w"
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const candidateFile = `id = "r-0000000001"
created_at = 2026-01-01T00:00:00Z
rule = "Be brief."
metric = "m"
status = "candidate"
`

const failureFile = `{"id": "c-0000000001", "created_at": "2026-01-01T00:00:00Z", "session_id": "s1", "kind": "failure",
 "signature": ["breach:m"], "baseline_scores": {"m": 0.3}, "replay_input": 1, "notes": ""}`
