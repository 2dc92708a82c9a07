//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// tracer tells the processes that a test set going. They have its number in
// their environment, or, as a `sleep` for so many seconds, on their command
// line.
type tracer string

func (p *program) trace() tracer {
	tr := tracer(fmt.Sprint(1_000_000_000 + rand.Uint32N(1_000_000_000)))
	p.env = append(p.env, "PANDAPROBE_TEST_TRACE="+string(tr))
	return tr
}

// living lists what is alive; on systems without /proc nothing.
func (tr tracer) living() (alive []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		for _, name := range []string{"environ", "cmdline"} {
			text, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), name))
			if bytes.Contains(text, []byte(tr)) && !slices.Contains(alive, pid) {
				alive = append(alive, pid)
			}
		}
	}
	return alive
}

func (tr tracer) checkGone(t *testing.T) {
	t.Helper()
	if left := tr.living(); len(left) > 0 {
		t.Errorf("processes that were left alive: %v", left)
		tr.kill()
	}
}

func (tr tracer) kill() {
	for _, pid := range tr.living() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}
