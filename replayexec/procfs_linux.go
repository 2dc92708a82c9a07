package replayexec

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
)

// adopted lists the children of this process that orphans are among: the kernel
// gives them to its first thread.
func adopted() []int {
	self := os.Getpid()
	if !listsChildren() {
		return scanChildren(self)
	}
	return childrenOfThread(self, strconv.Itoa(self))
}

// walk visits pid, and then each of its descendants likewise. A visit that
// stops the process makes the list of its children final.
func walk(pid int, visit func(pid int)) {
	visit(pid)
	for _, child := range children(pid) {
		walk(child, visit)
	}
}

func children(pid int) []int {
	if !listsChildren() {
		return scanChildren(pid)
	}
	threads, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return nil
	}
	var pids []int
	for _, thread := range threads {
		pids = append(pids, childrenOfThread(pid, thread.Name())...)
	}
	return pids
}

func childrenOfThread(pid int, thread string) []int {
	list, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + thread + "/children")
	if err != nil {
		return nil
	}
	var pids []int
	for field := range strings.FieldsSeq(string(list)) {
		if child, err := strconv.Atoi(field); err == nil {
			pids = append(pids, child)
		}
	}
	return pids
}

// listsChildren is false on kernels built without CONFIG_PROC_CHILDREN.
var listsChildren = sync.OnceValue(func() bool {
	_, err := os.Stat("/proc/thread-self/children")
	return err == nil
})

// scanChildren finds the children of pid by asking every process for its parent.
func scanChildren(pid int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, entry := range entries {
		if child, err := strconv.Atoi(entry.Name()); err == nil && parentOf(child) == pid {
			pids = append(pids, child)
		}
	}
	return pids
}

// parentOf reads the field after the state; the name before it is in
// parentheses and may hold anything, a parenthesis included.
func parentOf(pid int) int {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}
