package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestReplaceReport(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "report.xml")
	for _, content := range []string{"first", "second"} {
		if err := replaceReport(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("got %q (%v), want %q", got, err, content)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

// TestReplaceReportBehindALink rewrites the file that a link leads to.
func TestReplaceReportBehindALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making a link needs a privilege there")
	}
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := replaceReport(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	st, err := os.Lstat(link)
	if err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone (%v)", err)
	}
	if got, _ := os.ReadFile(target); string(got) != "new" {
		t.Errorf("the target holds %q", got)
	}
	if st, err := os.Stat(target); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v (%v)", st.Mode(), err)
	}
}

func TestAppendReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "step.md")
	for range 2 {
		if err := appendReport(path, []byte("one\n")); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != "one\n\none\n" {
		t.Errorf("got %q", got)
	}
}

func TestInCheckout(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ checkout, root, want string }{
		{dir, dir, "."},
		{dir, filepath.Join(dir, "a", "b"), "a/b"},
		{filepath.Join(dir, "a"), dir, ""},
		{dir, filepath.Join(dir, "..name"), "..name"},
		{"", dir, ""},
	} {
		if got := inCheckout(tt.checkout, tt.root); got != tt.want {
			t.Errorf("inCheckout(%q, %q) = %q, want %q", tt.checkout, tt.root, got, tt.want)
		}
	}
}
