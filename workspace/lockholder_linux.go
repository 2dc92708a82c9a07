package workspace

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// holderOf names the process that holds a lock on the file, as the kernel
// tells it, or returns "" when the kernel does not say.
func holderOf(path string) string {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return ""
	}
	table, err := os.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	pid := holderPID(string(table), st.Ino)
	if pid <= 0 {
		return ""
	}
	return describeProcess(pid)
}

// holderPID finds the holder of a flock on the inode in the text of
// /proc/locks. Lines with an arrow are waiters. Only the inode is compared: the
// device numbers there differ from those of stat on some file systems.
func holderPID(table string, inode uint64) int {
	suffix := ":" + strconv.FormatUint(inode, 10)
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || !strings.HasSuffix(f[5], suffix) {
			continue
		}
		if pid, err := strconv.Atoi(f[4]); err == nil {
			return pid
		}
	}
	return 0
}

func describeProcess(pid int) string {
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return ""
	}
	command := strings.TrimSpace(string(bytes.ReplaceAll(cmdline, []byte{0}, []byte(" "))))
	return fmt.Sprintf("process %d (%s)", pid, clip(command))
}
