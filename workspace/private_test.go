//go:build unix

package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatIsPrivateStaysSoWhereverItGoes makes all files private and lets a
// repair, and a change that is taken back, write what stood in them elsewhere.
func TestWhatIsPrivateStaysSoWhereverItGoes(t *testing.T) {
	for name, work := range map[string]func(t *testing.T, w *Workspace){
		"a repair": func(t *testing.T, w *Workspace) {
			if mended, left := mendAll(t, w, examine(t, w)); len(mended) < 4 || len(left) > 0 {
				t.Errorf("mended %v, left %v", mended, left)
			}
		},
		"a change that is taken back": func(t *testing.T, w *Workspace) {
			w.Update(context.Background(), func(tx *Tx) error {
				return tx.Atomically(func() error {
					if err := tx.SetStatus("r-0123456789", Active, "promoted:x"); err != nil {
						t.Error(err)
					}
					if err := tx.remove(retiredDir + "/r-0123456789.toml"); err != nil {
						t.Error(err)
					}
					return errRefused
				})
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRepairTest(t)
			retired := exampleRule("r-0123456789")
			retired.Status = Retired
			write(t, w, retiredDir+"/r-0123456789.toml", formatRule(retired))
			write(t, w, rulesDir+"/r-0123456789.toml", formatRule(retired))
			write(t, w, dayFile, dayLine(1)+"{\n"+strings.Replace(dayLine(2), "01-01", "01-02", 1))
			write(t, w, journalDir+"/2026-01-03.jsonl", strings.Replace(dayLine(3), "01-01", "01-03", 1))
			eachFile(t, w, func(path string, _ fs.FileMode) {
				if err := os.Chmod(path, 0o600); err != nil {
					t.Fatal(err)
				}
			})
			work(t, w)
			eachFile(t, w, func(path string, mode fs.FileMode) {
				if mode&0o077 != 0 && w.rel(path) != writersFile { // which names writers only
					t.Errorf("%s has the mode %v", w.rel(path), mode)
				}
			})
		})
	}
}

func eachFile(t *testing.T, w *Workspace, each func(path string, mode fs.FileMode)) {
	t.Helper()
	err := filepath.WalkDir(w.path("state"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err == nil {
			each(path, st.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
