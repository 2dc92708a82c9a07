//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fullDiskCommands each write something; they want what prepare made.
var fullDiskCommands = []struct {
	name, stdin string
	args        []string
}{
	{"rule add", "", []string{"rule", "add", "--rule", "Ask for the order id.", "--rationale", "It was guessed."}},
	{"rule retire", "", []string{"rule", "retire", "r-0000000001", "--reason", "it does harm"}},
	{"case add", "", []string{"case", "add", "--kind", "win", "--session", "s-new", "--signature", "x", "--score", "m=1", "--input", `{"a": 1}`}},
	{"case attach", strings.Repeat(" ", 100<<10) + `"` + strings.Repeat("x", 100<<10) + `"`, []string{"case", "attach", "c-0000000001"}},
	{"case remove", "", []string{"case", "remove", "c-0000000001"}},
	{"observe", `{"session_id": "s-1", "scores": {"m": 0.1}, "replay_input": {"q": 1}}`, []string{"observe"}},
	{"observe --stream", `{"session_id": "s-2", "scores": {"m": 0.1}}` + "\n" + `{"session_id": "s-3", "scores": {"m": 0.1}}`, []string{"observe", "--stream"}},
	{"history sync", "", []string{"history", "sync"}},
	{"validate", "", []string{"validate"}},
}

const fullDiskKnobs = "auto_validate = false\ncapture_eval_cases = true\nrule_trial_min_sessions = 1\n"

// prepareForFullDisk makes a workspace in which each of the commands has
// something to do.
func (p *program) prepareForFullDisk() {
	p.t.Helper()
	p.write("state/rules/r-0000000001.toml", candidateFile)
	p.write("state/evalset/c-0000000001.json", failureFile)
	p.pipe(`{"session_id": "s-0", "scores": {"m": 0.9}}`, "observe")
}

// TestFullFilesFailCleanly lets the system refuse files beyond a size, also in
// the middle of a write, for every command and for limits that strike early and
// late.
func TestFullFilesFailCleanly(t *testing.T) {
	t.Parallel()
	injected := 0
	for _, c := range fullDiskCommands {
		for blocks := range 4 { // of 512 bytes
			p := newProgram(t, fullDiskKnobs)
			p.prepareForFullDisk()
			before := p.tree()
			limited := p.command()
			limited.Path, limited.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -f ` + fmt.Sprint(blocks) + ` && exec "$0" "$@"`, p.exe}, c.args...)
			limited.Stdin = strings.NewReader(c.stdin)
			out := limited.begin().wait()
			if out.code != 0 {
				injected++
			}
			p.checkFailedCleanly(fmt.Sprintf("%s with %d blocks", c.name, blocks), out, before)
			if again := p.pipe(c.stdin, c.args...); out.code != 0 && again.code != 0 {
				t.Errorf("%s with %d blocks: trying again: %s", c.name, blocks, again.stderr)
			}
		}
	}
	if injected < len(fullDiskCommands) {
		t.Errorf("only %d commands failed", injected)
	}
	t.Logf("torture: %d commands that met a file size limit", injected)
}

// checkFailedCleanly wants one line of why, and the state of before. A stream
// may have handled a part.
func (p *program) checkFailedCleanly(what string, out ending, before map[string]string) {
	p.t.Helper()
	if out.code == 0 {
		return
	}
	last := out.stderr[strings.LastIndex(strings.TrimSuffix(out.stderr, "\n"), "\n")+1:]
	if out.code != exitFailed || !strings.Contains(last, "cannot") || strings.Contains(out.stderr, "goroutine") {
		p.t.Errorf("%s: exit code %d\n%s", what, out.code, out.stderr)
	}
	after := p.tree()
	if strings.HasPrefix(what, "validate") { // it tells first that there is no replay command
		before, after = withoutJournal(before), withoutJournal(after)
	}
	delete(before, "harness_rules.md")
	delete(after, "harness_rules.md")
	if diff := cmp.Diff(before, after); diff != "" && !strings.Contains(what, "--stream") {
		p.t.Errorf("%s: %s (-before +after):\n%s", what, out.stderr, diff)
	}
}

func withoutJournal(tree map[string]string) map[string]string {
	rest := map[string]string{}
	for name, text := range tree {
		if !strings.HasPrefix(name, "state/journal/") {
			rest[name] = text
		}
	}
	return rest
}

// TestFullDiskFailsCleanly fills a small file system in memory, and frees it
// again.
func TestFullDiskFailsCleanly(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("mounts a small file system, which takes Linux and root")
	}
	t.Parallel()
	injected := 0
	for _, c := range fullDiskCommands {
		p := newProgram(t, fullDiskKnobs)
		p.mountSmall()
		p.prepareForFullDisk()
		before := p.tree()
		filler := p.fill()
		out := p.pipe(c.stdin, c.args...)
		if out.code != 0 {
			injected++
		}
		p.checkFailedCleanly(c.name+" on a full disk", out, before)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if again := p.pipe(c.stdin, c.args...); out.code != 0 && again.code != 0 {
			t.Errorf("%s with room again: %s", c.name, again.stderr)
		}
	}
	if injected < len(fullDiskCommands)/2 {
		t.Errorf("only %d commands failed", injected)
	}
	t.Logf("torture: %d commands that met a full disk", injected)
}

// mountSmall puts the workspace on a file system of its own.
func (p *program) mountSmall() {
	p.t.Helper()
	small := filepath.Join(p.t.TempDir(), "small")
	if err := os.Mkdir(small, 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := mountMemory(small, "size=1m"); err != nil {
		p.t.Skipf("cannot mount: %v", err)
	}
	p.t.Cleanup(func() { syscall.Unmount(small, 0) })
	dir := filepath.Join(small, "workspace")
	p.command("init", dir).mustRun(small)
	if err := os.Rename(filepath.Join(p.dir, "harness.toml"), filepath.Join(p.dir, "old.toml")); err != nil {
		p.t.Fatal(err)
	}
	p.dir = dir
	p.write("harness.toml", fullDiskKnobs)
}

// fill takes all the room and returns the file that has it.
func (p *program) fill() string {
	p.t.Helper()
	path := filepath.Join(filepath.Dir(p.dir), "filler")
	f, err := os.Create(path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); ; {
		if _, err := f.Write(block); err != nil {
			return path
		}
	}
}

// TestAReadOnlyFolderFailsCleanly: without permission to write nothing is
// written, and reading goes on.
func TestAReadOnlyFolderFailsCleanly(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("mounts a file system read-only, which takes Linux and root; the same steps are failed in package workspace")
	}
	t.Parallel()
	for _, c := range fullDiskCommands {
		p := newProgram(t, fullDiskKnobs)
		p.mountSmall()
		p.prepareForFullDisk()
		before := p.tree()
		remount := func(options string) {
			if err := mountMemory(filepath.Dir(p.dir), "remount,"+options); err != nil {
				t.Skipf("cannot remount: %v", err)
			}
		}
		remount("ro")
		out := p.pipe(c.stdin, c.args...)
		if out.code == 0 {
			t.Errorf("%s: wrote to a folder that is read-only", c.name)
		}
		p.checkFailedCleanly(c.name+", read-only", out, before)
		for _, reader := range []string{"context", "rule list", "case list", "notice list", "journal -n 3", "reflect", "validate --check", "doctor", "history show s-0"} {
			if out := p.run(strings.Fields(reader)...); out.code != 0 && out.code != exitGate && reader != "doctor" || strings.Contains(out.stderr, "read-only") {
				t.Errorf("%s needs to write: exit code %d\n%s", reader, out.code, out.stderr)
			}
		}
		remount("rw")
		if again := p.pipe(c.stdin, c.args...); again.code != 0 {
			t.Errorf("%s, writable again: %s", c.name, again.stderr)
		}
	}
}
