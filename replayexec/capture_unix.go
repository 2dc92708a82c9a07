//go:build unix

package replayexec

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// take stops the reader and takes what is in the pipe at this moment, and no
// more: a process that the command left behind may hold the pipe open for ever
// or go on writing.
func (c *capture) take() {
	c.r.SetReadDeadline(time.Unix(0, 0))
	<-c.done
	if !errors.Is(c.err, os.ErrDeadlineExceeded) {
		return // the stream had ended, or the sink is full
	}
	c.err = nil
	c.r.SetReadDeadline(time.Time{})
	if n := pending(c.r); n > 0 {
		io.CopyN(c.sink, c.r, int64(n))
	}
}

// finish is take: whoever still holds the pipe could not be killed.
func (c *capture) finish() { c.take() }

// pending is the number of bytes that can be read from f at once.
func pending(f *os.File) (n int) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	raw.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), fionread) })
	return n
}
