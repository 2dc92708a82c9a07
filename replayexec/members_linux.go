package replayexec

import (
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// members finds the processes of a command. Orphans of its tree become our
// children (subreaper), where their mark tells them from children that somebody
// else in this process has. The command itself is not reaped before the end, so
// that its pid cannot come to name another process or group.
type members struct {
	mark     mark
	leader   int
	outside  int          // our own session
	sessions map[int]bool // those of the command: the leader's and what was seen in its tree
	state    *os.ProcessState
}

func newMembers() *members {
	becomeSubreaper()
	own, _ := unix.Getsid(0)
	return &members{mark: newMark(), outside: own, sessions: map[int]bool{}}
}

func (m *members) release() { resignSubreaper() }

func (m *members) environment(env []string) []string {
	return changed(env, markVariable+"="+strconv.FormatUint(uint64(m.mark), 10))
}

// attributes gives the command a session of its own: its own process group, and
// no terminal whose job control could stop it in mid-run.
func attributes(Process) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// start starts the command with the mark on it.
func (m *members) start(start func() (*os.Process, error)) (leader *os.Process, err error) {
	m.mark.during(func() { leader, err = start() })
	if err == nil {
		m.leader = leader.Pid
		m.sessions[m.leader] = true
	}
	return leader, err
}

// awaitLeader leaves the command a zombie.
func (m *members) awaitLeader(*os.Process) {
	for unix.Waitid(unix.P_PID, m.leader, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

func (m *members) reap(leader *os.Process) { m.state, _ = leader.Wait() }

// terminate asks the group to end, and whoever left it.
func (m *members) terminate() {
	for _, pid := range m.living(func(int) {}) {
		if group, err := unix.Getpgid(pid); err == nil && group != m.leader {
			unix.Kill(pid, unix.SIGTERM)
		}
	}
	unix.Kill(-m.leader, unix.SIGTERM)
}

func (m *members) alive() bool { return len(m.living(func(int) {})) > 0 }

// killAll stops everything first, for a process that is stopped starts no other
// one and a list of its children stays true, then kills it, and looks again
// until nothing is left. It returns what could not be killed.
func (m *members) killAll() []int {
	deadline := time.Now().Add(killWait)
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		pids := m.living(func(pid int) { unix.Kill(pid, unix.SIGSTOP) })
		unix.Kill(-m.leader, unix.SIGKILL)
		refused := 0
		for _, pid := range pids {
			if unix.Kill(pid, unix.SIGKILL) == unix.EPERM {
				refused++
			}
		}
		if refused == len(pids) || time.Now().After(deadline) {
			return pids
		}
		time.Sleep(pause)
	}
}

// living reaps what died and became our child, and lists what lives, parents
// first. It calls visit with each pid before it looks for its children.
func (m *members) living(visit func(pid int)) []int {
	for {
		pids, reaped := m.look(visit)
		if len(pids) > 0 || reaped == 0 {
			return pids
		}
		// The children of who died became ours after they were listed.
	}
}

func (m *members) look(visit func(pid int)) (living []int, reaped int) {
	found := func(pid int) {
		visit(pid)
		living = append(living, pid)
		if session, err := unix.Getsid(pid); err == nil {
			m.sessions[session] = true
		}
	}
	if !hasDied(m.leader) {
		walk(m.leader, found)
	}
	for _, pid := range adopted() {
		switch {
		case pid == m.leader || !m.owns(pid):
		case m.reaped(pid):
			reaped++
		default:
			walk(pid, found)
		}
	}
	return living, reaped
}

// owns says that a child of ours comes from the command. What is in our own
// session does not: the command began outside, and nothing gets in.
func (m *members) owns(child int) bool {
	session, err := unix.Getsid(child)
	if err != nil || session == m.outside {
		return false
	}
	return m.sessions[session] || m.mark.isOn(child) || m.mark.isInEnvironment(child)
}

func (m *members) reaped(child int) bool {
	pid, err := unix.Wait4(child, nil, unix.WNOHANG, nil)
	return pid == child || err == unix.ECHILD
}

func hasDied(child int) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, child, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
	return err != nil || info.Signo != 0
}
