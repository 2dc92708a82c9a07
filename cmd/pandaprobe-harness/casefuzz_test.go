package main

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// FuzzCaseDocument reads what `case add` is given. Of what is taken the input
// keeps every digit.
func FuzzCaseDocument(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","kind":"win","signature":"x","baseline_scores":{"m":0.5},"replay_input":{"n":1.50,"big":12345678901234567890}}`))
	f.Add([]byte("\xef\xbb\xbf" + `{"signature":["a","b"],"created_at":"2026-01-01T13:00:00.15+01:00","notes":null}`))
	f.Add([]byte(`{"baseline_scores":{"m":null},"more":1}`))
	f.Add([]byte(`{"replay_input":1,"replay_input":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in caseInput
		if workspace.DecodeInput("input", data, &in) != nil || len(in.ReplayInput) == 0 {
			return
		}
		if !bytes.Contains(data, bytes.TrimSpace(in.ReplayInput)) {
			t.Fatalf("%q: the input became %q", data, in.ReplayInput)
		}
		if _, err := json.Marshal(workspace.Case{ReplayInput: in.ReplayInput, Signature: in.Signature, Notes: in.Notes}); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
	})
}
