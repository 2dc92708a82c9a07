package workspace

import (
	"strings"
	"testing"
)

// TestANullBaselineIsNoScore: read as a number it would be the worst of all.
func TestANullBaselineIsNoScore(t *testing.T) {
	const doc = `{"id":"c-0123456789","created_at":"2026-01-01T00:00:00Z","session_id":"s","kind":"failure","signature":[],"baseline_scores":{"m":null},"replay_input":1,"notes":""}`
	var c Case
	if err := DecodeInput("standard input", []byte(doc), &c); CodeOf(err) != CodeBadInput || !strings.Contains(err.Error(), `"m" is null`) {
		t.Errorf("as input: got %v", err)
	}
	w := newTest(t)
	write(t, w, casesDir+"/c-0123456789.json", doc)
	if _, err := w.Case("c-0123456789"); CodeOf(err) != CodeBrokenFile || !strings.Contains(err.Error(), `"m" is null`) {
		t.Errorf("as a file: got %v", err)
	}
}
