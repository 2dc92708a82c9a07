package replayexec

import "golang.org/x/sys/unix"

// sessionOf lists the processes of a session that have not ended.
func sessionOf(leader int) []int {
	const zombie = 5 // SZOMB
	processes, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var pids []int
	for _, p := range processes {
		pid := int(p.Proc.P_pid)
		if session, err := unix.Getsid(pid); err == nil && session == leader && p.Proc.P_stat != zombie {
			pids = append(pids, pid)
		}
	}
	return pids
}
