//go:build unix

package replayexec

import (
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// closeInherited keeps from every command the descriptors that our own caller
// left open in us. What Go opens is marked already, so once is enough.
var closeInherited = sync.OnceFunc(func() {
	if markCloseOnExec() {
		return
	}
	entries, _ := os.ReadDir("/dev/fd")
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
})
