package replayexec

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// subreaper counts the runs that need this process to be one. The attribute is
// the process's own, so its holder is too. It goes with the last run: orphans of
// other children must not stay ours for ever, where nobody reaps them.
var subreaper struct {
	sync.Mutex
	runs   int
	before uintptr // what the program had set itself
}

func becomeSubreaper() {
	subreaper.Lock()
	defer subreaper.Unlock()
	if subreaper.runs++; subreaper.runs > 1 {
		return
	}
	var before int32
	unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&before)), 0, 0, 0)
	subreaper.before = uintptr(before)
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

func resignSubreaper() {
	subreaper.Lock()
	defer subreaper.Unlock()
	if subreaper.runs--; subreaper.runs == 0 {
		unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, subreaper.before, 0, 0, 0)
	}
}
