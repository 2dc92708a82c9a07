package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestMain lets the test binary play a second process of the program.
func TestMain(m *testing.M) {
	if role := os.Getenv("WORKSPACE_TEST_ROLE"); role != "" {
		os.Exit(playRole(role))
	}
	os.Exit(m.Run())
}

func newTest(t *testing.T) *Workspace {
	t.Helper()
	w, err := Init(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w.Warn = func(err error) { t.Logf("warning: %v", err) }
	return w
}

// at sets the workspace's clock.
func at(w *Workspace, text string) {
	parsed, err := ParseTime(text)
	if err != nil {
		panic(err)
	}
	w.Now = func() time.Time { return parsed.Std() }
}

func update(t *testing.T, w *Workspace, change func(*Tx) error) {
	t.Helper()
	if err := w.Update(context.Background(), change); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, w *Workspace, rel string) string {
	t.Helper()
	b, err := os.ReadFile(w.path(rel))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, w *Workspace, rel, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(rel)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.path(rel), []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func exampleRule(id string) Rule {
	created, _ := ParseTime("2026-03-01T10:00:00Z")
	return Rule{
		ID: id, CreatedAt: created, Rule: "Ask for the order id when it is missing.", Rationale: "It was guessed.\nTwice.",
		Metric: "agent_reliability", Status: Candidate, Tags: []string{"orders"}, Signatures: []string{"breach:agent_reliability"},
		Trial: Trial{BaselineSessions: 4, BaselineBreachedSessions: 3, BaselineWindow: 6, BaselineRate: 0.75, TrialStartedAt: created,
			ObservedSessions: []string{}, BreachedSessions: []string{}},
	}
}
