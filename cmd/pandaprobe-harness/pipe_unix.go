//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// surviving returns a stream whose writes fail when nobody reads any more. A
// write to descriptor 1 or 2 itself would then end the program, which must not
// happen in the middle of work; catching SIGPIPE instead would cost every start
// a thread, and ignoring it would be handed down to the commands that are run.
func surviving(stream io.Writer) io.Writer {
	f, ok := stream.(*os.File)
	if !ok {
		return stream
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return stream
	}
	return os.NewFile(uintptr(fd), f.Name())
}
