package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// awaitWaiter returns once somebody waits for the lock.
func awaitWaiter(t *testing.T, l Lock) {
	t.Helper()
	var st syscall.Stat_t
	if err := syscall.Stat(l.path, &st); err != nil {
		t.Fatal(err)
	}
	for {
		table, err := os.ReadFile("/proc/locks")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(table)) {
			if strings.Contains(line, "->") && strings.Contains(line, fmt.Sprintf(":%d ", st.Ino)) {
				return
			}
		}
	}
}

// awaitClosed returns once this process has the lock file no longer open, as who
// has or wants the lock has it.
func awaitClosed(t *testing.T, l Lock) {
	t.Helper()
	isOpen := func(fd string) bool { to, err := os.Readlink(fd); return err == nil && to == l.path }
	for until := time.Now().Add(10 * time.Second); ; {
		fds, err := filepath.Glob("/proc/self/fd/*")
		switch {
		case err != nil:
			t.Fatal(err)
		case !slices.ContainsFunc(fds, isOpen):
			return
		case time.Now().After(until):
			t.Fatal("the lock file stays open")
		}
	}
}

func TestHolderPID(t *testing.T) {
	const table = "1: POSIX  ADVISORY  WRITE 11 08:01:42 0 EOF\n2: FLOCK  ADVISORY  WRITE 22 08:01:42 0 EOF\n2: -> FLOCK  ADVISORY  WRITE 33 08:01:43 0 EOF\n"
	for inode, want := range map[uint64]int{42: 22, 43: 0, 2: 0, 142: 0} {
		if got := holderPID(table, inode); got != want {
			t.Errorf("inode %d is held by %d, want %d", inode, got, want)
		}
	}
}

func FuzzHolderPID(f *testing.F) {
	f.Add("2: FLOCK  ADVISORY  WRITE 22 08:01:42 0 EOF\n", uint64(42))
	f.Add("2: FLOCK ADVISORY WRITE -1 :42", uint64(42))
	f.Fuzz(func(t *testing.T, table string, inode uint64) { holderPID(table, inode) })
}
