//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestASignalBreaksOffNoWriter: a writer ends by itself, here while it waits for
// the lock, and says so.
func TestASignalBreaksOffNoWriter(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("sees by /proc that the lock is waited for")
	}
	for _, args := range [][]string{
		{"observe", "--file", "report.json"}, {"notice", "ack", "NOTICE"}, {"rule", "add", "--rule", "x"}, {"rule", "retire", "r-0000000001", "--reason", "x"},
		{"case", "remove", "c-0000000001"}, {"history", "sync"}, {"history", "adopt"},
		{"tool", "harness_rule_add", "--args", `{"rule": "x"}`}, {"doctor", "--repair"},
	} {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, "auto_validate = false\n")
			p.write("report.json", `{"session_id": "s-1", "scores": {"m": 0.1}}`)
			p.must("observe", "--file", "report.json")
			p.write("state/rules/r-0000000001.toml", candidateFile)
			p.write("state/evalset/c-0000000001.json", failureFile)
			p.write("state/score_history.json", `{"s-9::m": {"series": [{"value": 0.5, "ts": "2026-01-01T00:00:00Z"}]}}`)
			held := p.hold("state/local/write.lock", "state/local/history.lock")
			c := p.command(each(args, "NOTICE", p.noticeIDs()[0])...).begin()
			until(t, "the lock is waited for", func() bool { return c.hasOpen(held) })
			c.Process.Signal(syscall.SIGTERM)
			if out := c.wait(); out.code != 128+int(syscall.SIGTERM) || !strings.Contains(out.stderr, "interrupted by SIGTERM") {
				t.Errorf("exit code %d, %q", out.code, out.stderr)
			}
		})
	}
}

// hold takes locks until the test ends, and returns their paths.
func (p *program) hold(names ...string) (paths []string) {
	p.t.Helper()
	for _, name := range names {
		path := filepath.Join(p.dir, name)
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			p.t.Fatal(err)
		}
		p.t.Cleanup(func() { f.Close() })
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			p.t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// hasOpen tells whether the process has one of the files open.
func (c *process) hasOpen(paths []string) bool {
	links, _ := filepath.Glob("/proc/" + strconv.Itoa(c.Process.Pid) + "/fd/*")
	for _, link := range links {
		target, _ := os.Readlink(link)
		for _, path := range paths {
			if target == path {
				return true
			}
		}
	}
	return false
}
