package replayexec

import (
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// members are the processes of a command: those of a job object. What the
// command starts before it is put into the job, right after its own start,
// is not in it.
type members struct {
	job    windows.Handle
	leader int
	state  *os.ProcessState
}

// newMembers makes a job that dies with its last handle, so with us too.
func newMembers() *members {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return &members{}
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	return &members{job: job}
}

func (m *members) release() {
	if m.job != 0 {
		windows.CloseHandle(m.job)
	}
}

func (m *members) environment(env []string) []string { return changed(env) }

func attributes(p Process) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CmdLine: p.commandLine, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

func (m *members) start(start func() (*os.Process, error)) (*os.Process, error) {
	leader, err := start()
	if err == nil {
		m.leader = leader.Pid
		leader.WithHandle(func(h uintptr) { windows.AssignProcessToJobObject(m.job, windows.Handle(h)) })
	}
	return leader, err
}

func (m *members) awaitLeader(leader *os.Process) { m.state, _ = leader.Wait() }

func (m *members) reap(*os.Process) {}

// terminate is Ctrl-Break, the nearest to SIGTERM; console programs alone get it.
func (m *members) terminate() {
	windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(m.leader))
}

// alive counts the processes of the job.
func (m *members) alive() bool {
	var counts struct { // JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
		times      [4]int64
		pageFaults uint32
		total      uint32
		active     uint32
		terminated uint32
	}
	err := windows.QueryInformationJobObject(m.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&counts)), uint32(unsafe.Sizeof(counts)), nil)
	return err == nil && counts.active > 0
}

// killAll ends the job, and the command where there is none.
func (m *members) killAll() []int {
	windows.TerminateJobObject(m.job, 1)
	if m.job == 0 {
		if leader, err := os.FindProcess(m.leader); err == nil {
			leader.Kill()
			leader.Release()
		}
	}
	deadline := time.Now().Add(killWait)
	for m.alive() && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	return nil
}

func (m *members) outcome() (code int, signal string) {
	if m.state == nil {
		return -1, ""
	}
	return m.state.ExitCode(), ""
}
