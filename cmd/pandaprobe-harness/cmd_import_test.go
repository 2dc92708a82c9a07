package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sampleOf returns the absolute path of a bundled Python workspace.
func sampleOf(t *testing.T, name string) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "fixtures", name))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestImportedWorkspaceWorks imports the bundled sample into a folder where
// there is nothing yet, and works on.
func TestImportedWorkspaceWorks(t *testing.T) {
	sample := sampleOf(t, "python-workspace")
	t.Chdir(t.TempDir())
	first := call(t, "", "import", sample)
	want := `RECORDS         TAKEN  HERE ALREADY
rules           3      0
trial evidence  7      0
eval cases      6      0
notices         5      0
journal events  20     0
scores          18     0
left out: mailbox/status.json: derived from the notices
left out: traces: dumps of traces, which the platform has
`
	if diff := cmp.Diff(want, first.stdout); first.code != exitDone || diff != "" {
		t.Errorf("exit code %d (-want +got):\n%s%s", first.code, diff, first.stderr)
	}
	page, err := os.ReadFile(filepath.Join(sample, "..", "..", "docs", "import.md"))
	if shown := "    " + strings.ReplaceAll(strings.TrimSpace(want), "\n", "\n    ") + "\n"; err != nil || !strings.Contains(string(page), shown) {
		t.Errorf("docs/import.md does not show this (%v):\n%s", err, shown)
	}
	if !strings.Contains(first.stderr, "made a workspace in ") {
		t.Errorf("standard error: %s", first.stderr)
	}

	list := call(t, "", "rule", "list")
	for _, want := range []string{"r-baf71e2558  active ", "r-3613f7eb01  candidate "} {
		if list.code != exitDone || !strings.Contains(list.stdout, want) {
			t.Errorf("rule list lacks %q (exit code %d):\n%s%s", want, list.code, list.stdout, list.stderr)
		}
	}
	if got := call(t, "", "calibrate", "--source", "history,evalset"); got.code != exitDone || !strings.Contains(got.stdout, "agent_consistency  (configured threshold 0.50, 8 scores)") {
		t.Errorf("calibrate: exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := call(t, "", "doctor"); got.code != exitDone {
		t.Errorf("doctor: exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	validated := call(t, "", "validate")
	if validated.code != exitDone || !strings.Contains(validated.stdout, "1 of 5 sessions observed") {
		t.Errorf("validate: exit code %d:\n%s%s", validated.code, validated.stdout, validated.stderr)
	}
	if got := call(t, "", "validate", "--", "sh", "-c", `cat >/dev/null; echo '{"session_id": "n", "scores": {"agent_reliability": 0.95}}'`); got.code != exitDone || !strings.Contains(got.stdout, "r-3613f7eb01: promoted") {
		t.Errorf("validate with a replay command: exit code %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	if again := call(t, "", "import", sample); again.code != exitDone || !strings.Contains(again.stdout, "rules.jsonl:14: rule r-3613f7eb01 is active here and candidate there; ours stays") {
		t.Errorf("importing again: exit code %d:\n%s%s", again.code, again.stdout, again.stderr)
	}
}

func TestImportCalledWrongly(t *testing.T) {
	sample := sampleOf(t, "python-workspace")
	copied := filepath.Join(t.TempDir(), "old")
	if err := os.CopyFS(copied, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		code int
		said string
	}{
		{"into itself", []string{"--workspace", copied, "import", copied}, exitUsage, "cannot be imported into itself"},
		{"without DIR", []string{"import"}, exitUsage, "DIR"},
		{"nothing there", []string{"import", filepath.Join(copied, "traces")}, exitFailed, "is no workspace of the Python harness"},
		{"a folder that is not there", []string{"--workspace", "new", "import", "none"}, exitFailed, "is no workspace of the Python harness"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			got := call(t, "", test.args...)
			if got.code != test.code || !strings.Contains(got.stderr, test.said) || got.stdout != "" {
				t.Errorf("exit code %d, want %d, and %q in\n%s%s", got.code, test.code, test.said, got.stdout, got.stderr)
			}
			if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
				t.Errorf("it left %v (%v)", left, err)
			}
		})
	}
	t.Run("in the folder itself", func(t *testing.T) {
		t.Chdir(copied)
		if got := call(t, "", "import", "."); got.code != exitUsage || !strings.Contains(got.stderr, "--workspace") {
			t.Errorf("exit code %d:\n%s", got.code, got.stderr)
		}
	})
	if _, err := os.Stat(filepath.Join(copied, "harness.toml")); err == nil {
		t.Error("the imported folder was written to")
	}
}

// TestTwoClonesImportTheSame wants what both imported to count once.
func TestTwoClonesImportTheSame(t *testing.T) {
	base := newRepository(t)
	a, b, alone := base.clone(), base.clone(), base.clone()
	for _, c := range []clone{a, b, alone} {
		c.harness("", "import", sampleOf(t, "python-workspace"))
		c.commit("import")
	}
	if err := a.merge(b); err != nil {
		t.Fatal(err)
	}
	rules := []string{"r-baf71e2558", "r-cdf6d68336", "r-3613f7eb01"}
	if diff := cmp.Diff(alone.history(rules...), a.history(rules...)); diff != "" {
		t.Errorf("(-imported once, +imported twice and merged):\n%s", diff)
	}
	before := a.git("status", "--porcelain")
	a.harness("", "import", sampleOf(t, "python-workspace"))
	if after := a.git("status", "--porcelain"); after != before {
		t.Errorf("importing after the merge changed %s", after)
	}
}
