package lifecycle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// FuzzImport takes any bytes for every file of the other workspace: what is
// taken can be read here, and is there the second time.
func FuzzImport(f *testing.F) {
	err := filepath.WalkDir(damagedSample, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		f.Add(content)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("\xef\xbb\xbf{\"id\": \"r-0123456789\", \"created_at\": \"2026-01-01T00:00:00Z\", \"rule\": \"\\ud800\"}\r\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		for _, name := range []string{"rules.jsonl", "journal.jsonl", "evalset/c.json", "mailbox/pending/n.json", "mailbox/processed/n.json", "state/score_history.json"} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		e := newEngine(t, nil)
		e.Workspace.Warn = func(err error) { t.Errorf("what was written cannot be read: %v", err) }
		importFrom(t, e, dir)
		before := committed(t, e)
		if again := importFrom(t, e, dir); again.Took != (lifecycle.Counts{}) {
			t.Errorf("taken again: %+v", again.Took)
		}
		if diff := cmp.Diff(before, committed(t, e)); diff != "" {
			t.Errorf("importing again changed files (-before +after):\n%s", diff)
		}
		if _, err := e.Rules(workspace.Candidate, workspace.Active, workspace.Retired); err != nil {
			t.Error(err)
		}
		if _, err := e.Notices(true); err != nil {
			t.Error(err)
		}
	})
}
