package replayexec

import (
	"os"
	"os/exec"
)

// StartDetached starts a command that outlives this process and its terminal:
// in a session of its own, with nothing on standard input and both outputs on
// log, holding no other descriptor of ours (docs/closed-loop.md, "Background
// rounds"). It does not wait for it. The error is a *StartError.
func StartDetached(argv []string, dir string, env []string, log *os.File) error {
	closeInherited()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdout, cmd.Stderr = log, log
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return &StartError{Name: argv[0], Err: err}
	}
	return cmd.Process.Release()
}
