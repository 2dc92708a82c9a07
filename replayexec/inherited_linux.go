package replayexec

import (
	"math"

	"golang.org/x/sys/unix"
)

// markCloseOnExec marks every descriptor from 3 up in one call; kernels before
// 5.11 cannot.
func markCloseOnExec() bool {
	return unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil
}
