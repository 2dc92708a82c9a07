//go:build unix && !linux

package replayexec

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// members are the processes of a command: its process group, and those of its
// session where the system lists them. Who makes a session of its own gets away.
type members struct {
	leader int
	state  *os.ProcessState
}

func newMembers() *members { return &members{} }

func (m *members) release() {}

func (m *members) environment(env []string) []string { return changed(env) }

// attributes gives the command a session of its own: its own process group, and
// no terminal whose job control could stop it in mid-run.
func attributes(Process) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func (m *members) start(start func() (*os.Process, error)) (*os.Process, error) {
	leader, err := start()
	if err == nil {
		m.leader = leader.Pid
	}
	return leader, err
}

func (m *members) awaitLeader(leader *os.Process) { m.state, _ = leader.Wait() }

func (m *members) reap(*os.Process) {}

func (m *members) terminate() {
	for _, pid := range sessionOf(m.leader) {
		unix.Kill(pid, unix.SIGTERM)
	}
	unix.Kill(-m.leader, unix.SIGTERM)
}

// alive asks without harm; EPERM means that somebody is there.
func (m *members) alive() bool {
	return unix.Kill(-m.leader, 0) != unix.ESRCH || len(sessionOf(m.leader)) > 0
}

// killAll kills until nobody is left and returns what could not be killed.
func (m *members) killAll() []int {
	deadline := time.Now().Add(killWait)
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		unix.Kill(-m.leader, unix.SIGKILL)
		pids := sessionOf(m.leader)
		for _, pid := range pids {
			unix.Kill(pid, unix.SIGKILL)
		}
		if !m.alive() || time.Now().After(deadline) {
			return sessionOf(m.leader)
		}
		time.Sleep(pause)
	}
}
