//go:build unix

package replayexec

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// outcome is the exit code, or -1 and the name of the signal.
func (m *members) outcome() (code int, signal string) {
	if m.state == nil {
		return -1, ""
	}
	if status, ok := m.state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return -1, unix.SignalName(status.Signal())
	}
	return m.state.ExitCode(), ""
}
