//go:build unix

package replayexec

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// detachHelper starts its arguments in a session of their own, with an empty
// environment and no pipe of ours, and ends without waiting for them.
func detachHelper(args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// chainHelper hands over to a detached copy of itself again and again: each link
// has another pid, session and parent. It ends of itself, should it escape.
func chainHelper(args []string) {
	left, _ := strconv.Atoi(args[0])
	if left > 0 {
		detachHelper(helper("chain", append([]string{strconv.Itoa(left - 1)}, args[1:]...)...))
	}
}

// nestedHelper runs its arguments through a Run of its own and dies in the
// middle of it without a chance to clean up.
func nestedHelper(args []string) {
	ready := &onWrite{text: "ready", do: func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) }}
	Run(context.Background(), Process{Argv: args, Env: []string{}, Timeout: time.Minute, Stderr: ready})
}
