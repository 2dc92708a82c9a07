package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var at = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)

// built makes two folders as a build leaves them, with files of that age.
func built(t *testing.T, modified time.Time) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, mode := range map[string]os.FileMode{
		"p_linux/z.txt": 0o600, "p_linux/p": 0o700, "p_linux/man/p.1": 0o644, "p_windows/p.exe": 0o755, "p_windows/a.txt": 0o640,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("content of "+name), mode),
			os.Chtimes(path, modified, modified)); err != nil {
			t.Fatal(err)
		}
	}
	if err := release([]string{filepath.Join(root, "p_windows"), filepath.Join(root, "p_linux")}, at); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestSameFoldersSameBytes(t *testing.T) {
	one, two := built(t, at), built(t, at.Add(time.Hour))
	for _, name := range []string{"p_linux.tar.gz", "p_windows.zip", "SHA256SUMS"} {
		if first := content(t, one, name); !bytes.Equal(first, content(t, two, name)) || len(first) == 0 {
			t.Errorf("%s differs between two runs", name)
		}
	}
}

func TestSumsAreThoseOfTheArchives(t *testing.T) {
	root := built(t, at)
	want := ""
	for _, name := range []string{"p_linux.tar.gz", "p_windows.zip"} {
		want += fmt.Sprintf("%x  %s\n", sha256.Sum256(content(t, root, name)), name)
	}
	if diff := cmp.Diff(want, string(content(t, root, "SHA256SUMS"))); diff != "" {
		t.Errorf("sums (-want +got):\n%s", diff)
	}
}

func TestArchivesHoldTheFolder(t *testing.T) {
	root := built(t, time.Now())
	zr, err := gzip.NewReader(bytes.NewReader(content(t, root, "p_linux.tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for tr := tar.NewReader(zr); ; {
		header, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(tr)
		got = append(got, fmt.Sprintf("%s %o %s %s", header.Name, header.Mode, header.ModTime.UTC().Format(time.RFC3339), text))
	}
	r, err := zip.OpenReader(filepath.Join(root, "p_windows.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(rc)
		got = append(got, fmt.Sprintf("%s %o %s %s", f.Name, f.Mode(), f.Modified.UTC().Format(time.RFC3339), text))
	}
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode here that says which is a program; a release is made elsewhere")
	}
	want := []string{
		"p_linux/man/p.1 644 2026-01-02T03:04:06Z content of p_linux/man/p.1",
		"p_linux/p 755 2026-01-02T03:04:06Z content of p_linux/p",
		"p_linux/z.txt 644 2026-01-02T03:04:06Z content of p_linux/z.txt",
		"p_windows/a.txt 644 2026-01-02T03:04:06Z content of p_windows/a.txt",
		"p_windows/p.exe 755 2026-01-02T03:04:06Z content of p_windows/p.exe",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("archives (-want +got):\n%s", diff)
	}
}

func TestNothingToPackIsAnError(t *testing.T) {
	empty := t.TempDir()
	for _, folders := range [][]string{nil, {empty}, {filepath.Join(empty, "missing")}} {
		if err := release(folders, at); err == nil || strings.HasSuffix(err.Error(), ".") {
			t.Errorf("release(%q) = %v, want an error", folders, err)
		}
	}
}

func content(t *testing.T, root, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
