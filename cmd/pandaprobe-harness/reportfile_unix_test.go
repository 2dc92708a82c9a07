//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestReplaceReportWritesIntoPipes: what is no regular file is written to, not
// renamed over.
func TestReplaceReportWritesIntoPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string, 1)
	go func() {
		got, err := os.ReadFile(path)
		if err != nil {
			got = []byte(err.Error())
		}
		read <- string(got)
	}()
	if err := replaceReport(path, []byte("report")); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Lstat(path); err != nil || st.Mode()&fs.ModeNamedPipe == 0 {
		t.Fatalf("the pipe is gone: %v (%v)", st, err)
	}
	if got := <-read; got != "report" {
		t.Errorf("the reader got %q", got)
	}
}
