//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestASilentPipeHoldsNobodyUp: whoever waits for what comes through a named
// pipe can be interrupted.
func TestASilentPipeHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"calibrate --source history --labels PIPE", "case add --file PIPE", "case attach c-0000000001 --file PIPE",
		"case add --session s --kind win --input @PIPE", "observe --file PIPE", "observe --stream --file PIPE",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, "")
			p.write("state/evalset/c-0000000001.json", failureFile)
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			c := p.command(strings.Fields(strings.ReplaceAll(args, "PIPE", pipe))...).begin()
			var writer *os.File
			until(t, "the pipe is opened", func() bool {
				fd, err := syscall.Open(pipe, syscall.O_WRONLY|syscall.O_NONBLOCK, 0)
				if err == nil {
					writer = os.NewFile(uintptr(fd), pipe)
				}
				return err == nil
			})
			defer writer.Close()
			c.Process.Signal(syscall.SIGTERM)
			if out := c.wait(); out.code != 128+int(syscall.SIGTERM) || !strings.Contains(out.stderr, "interrupted by SIGTERM") {
				t.Errorf("exit code %d, %q", out.code, out.stderr)
			}
		})
	}
}
