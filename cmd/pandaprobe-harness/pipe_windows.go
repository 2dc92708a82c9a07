package main

import (
	"errors"
	"io"
	"syscall"
)

// isClosedPipe knows the two errors with which Windows says that nobody reads
// any more: the pipe has been ended, and the pipe is being closed.
func isClosedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, brokenPipe) || errors.Is(err, noData)
}

// surviving returns the stream as it is: writes to a closed pipe fail here.
func surviving(stream io.Writer) io.Writer { return stream }
