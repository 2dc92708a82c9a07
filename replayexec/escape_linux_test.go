package replayexec

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// unmarkHelper takes the mark of the run off itself and starts its arguments in
// a session of their own. All that is left to know them by is the environment.
func unmarkHelper(args []string) {
	var limit unix.Rlimit
	unix.Prlimit(0, unix.RLIMIT_LOCKS, nil, &limit)
	limit.Cur = limit.Max
	if err := unix.Prlimit(0, unix.RLIMIT_LOCKS, &limit, nil); err != nil {
		panic(err)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = changed(os.Environ(), helperVariable)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}
