package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gofrs/flock"
)

// TestALockedWorkspaceNamesItsHolder: the wait is bounded, and only who truly
// holds the lock is named, whatever stands in the file (a lock file naming a
// pid that now belongs to someone else).
func TestALockedWorkspaceNamesItsHolder(t *testing.T) {
	root := newWorkspace(t, nil)
	path := filepath.Join(root, "state", "local", "write.lock")
	if err := os.WriteFile(path, []byte(`{"pid": 1}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if o := call(t, "", "rule", "add", "--rule", "x", "--workspace", root); o.code != exitDone {
		t.Fatalf("a lock file that nobody holds stops the program: %s", o.stderr)
	}
	held := flock.New(path)
	if err := held.Lock(); err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	o := call(t, "", "rule", "add", "--rule", "y", "--workspace", root, "--lock-timeout", "50ms", "--json")
	if o.code != exitFailed || !strings.Contains(o.stdout, `"code": "locked"`) {
		t.Errorf("code %d: %s", o.code, o.stdout)
	}
	if me := fmt.Sprintf("process %d ", os.Getpid()); runtime.GOOS == "linux" && !strings.Contains(o.stderr, me) {
		t.Errorf("the holder, %s, is not named: %s", me, o.stderr)
	}
	if strings.Contains(o.stderr, "process 1 ") {
		t.Errorf("a process that does not hold the lock is named: %s", o.stderr)
	}
	if o := call(t, "", "rule", "list", "--workspace", root); o.code != exitDone {
		t.Errorf("a reader waits for the lock: %s", o.stderr)
	}
}
