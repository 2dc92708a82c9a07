package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Session ids are any text: none collides, none leaves the workspace.
func TestOddSessionIDs(t *testing.T) {
	t.Parallel()
	ids := []string{
		"a/b", "a\\b", "../../outside", "/etc/passwd", ".", "..", "...", ".hidden", "a.b", "a b", " a", "a ", "con", "nul.json", "COM1",
		"\U0001F43C", "Stra\u00dfe", "STRASSE", "strasse", "Session", "session", "SESSION", "\u00e9", "e\u0301", "\ufb01", "fi",
		"a~b", "a%2Fb", "a:b", "a*b?", "-x", "--json", "$(touch pwned)", "`x`", "\u202eabc", "a\u00a0b", "c-0123456789", "x.jsonl", "x",
		strings.Repeat("y", 64), strings.Repeat("y", 65), strings.Repeat("y", 500), strings.Repeat("Y", 500), strings.Repeat("\u00e9", 256),
	}
	p := newProgram(t, "")
	rule := p.addRule("one", "--metric", "m")
	outside, _ := os.ReadDir(filepath.Dir(p.dir))
	for _, id := range ids {
		text, _ := json.Marshal(map[string]any{"session_id": id, "scores": map[string]any{"m": 0.9}})
		var o observation
		p.ask(&o, string(text), []string{"observe", "--no-validate"})
		if o.SessionID != id {
			t.Errorf("answered for %q instead of %q", o.SessionID, id)
		}
	}
	got := map[string]int{}
	for _, r := range p.sessionRecords() {
		got[r.SessionID]++
	}
	for _, id := range ids {
		if got[id] != 1 {
			t.Errorf("%q has %d reports, want 1", id, got[id])
		}
	}
	checkFileNames(p, len(ids))
	if l := p.lifecycleOf(rule); l.SessionsObserved != 5 {
		t.Errorf("trial: %+v", l)
	}
	if after, _ := os.ReadDir(filepath.Dir(p.dir)); len(after) != len(outside) || p.exists("pwned") {
		t.Errorf("something was made outside: %v", after)
	}
	for _, bad := range []string{"", " ", "a\nb", "a\x00b", "a\x1bb", "\u0085", strings.Repeat("y", 513)} {
		text, _ := json.Marshal(map[string]any{"session_id": bad, "scores": map[string]any{"m": 0.9}})
		var failed observation
		p.ask(&failed, string(text), []string{"observe", "--no-validate"}, exitFailed)
		if failed.Error.Code != "bad_input" || failed.Error.Field != "session_id" {
			t.Errorf("%q: %+v", bad, failed)
		}
	}
	checkFileNames(p, len(ids))
}

// checkFileNames wants so many session files, whose names differ in more than
// case and are plain.
func checkFileNames(p *program, want int) {
	p.t.Helper()
	folded := map[string]bool{}
	for _, file := range p.files("state/sessions/*.jsonl") {
		name := strings.ToLower(filepath.Base(file))
		folded[name] = true
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_~.") != "" || len(name) > 128 {
			p.t.Errorf("not a plain name: %s", file)
		}
	}
	if len(folded) != want {
		p.t.Errorf("%d session files, want %d", len(folded), want)
	}
}
