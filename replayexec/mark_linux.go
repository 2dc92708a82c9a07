package replayexec

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// markVariable carries the mark in the environment, a second way to know a
// process where the first is refused (some sandboxes) or came too late.
const markVariable = "HARNESS_RUN"

// mark is one run's number: the soft value of RLIMIT_LOCKS of its command. Linux
// has enforced that limit nowhere since 2.4.25, hands it down to every child,
// and keeps it whatever a process does to session, parent, environment or
// program; it can be read even of a zombie.
//
// The upper half is the number of the outermost run, the lower half that of a
// run inside a command of that run (0: the run is the outermost). So the outer
// run finds the processes of inner ones whose own runner died.
type mark uint64

const innerHalf = 1<<32 - 1

func newMark() mark {
	marking.Lock()
	defer marking.Unlock()
	number := mark(1 + rand.Uint32N(1<<31-2))
	if outer := markOf(0); outer != 0 {
		return outer&^innerHalf | number
	}
	return number << 32
}

// markOf reads the mark on a process (0: this one); 0 means none.
func markOf(pid int) mark {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) != nil || limit.Cur == unix.RLIM_INFINITY || limit.Cur <= innerHalf {
		return 0
	}
	return mark(limit.Cur)
}

// during puts the mark on this process while start runs, so that what it starts
// is born with it: marked afterwards, a quick command could be gone already and
// its children with it. What other code starts in the same moment gets the mark
// too; it is told by its session, unless it makes one of its own.
func (m mark) during(start func()) {
	marking.Lock()
	defer marking.Unlock()
	var own unix.Rlimit
	if unix.Prlimit(0, unix.RLIMIT_LOCKS, nil, &own) == nil {
		unix.Prlimit(0, unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: uint64(m), Max: own.Max}, nil)
		defer unix.Prlimit(0, unix.RLIMIT_LOCKS, &own, nil)
	}
	start()
}

// marking guards the limit of this process, of which there is one.
var marking sync.Mutex

func (m mark) isOn(pid int) bool {
	on := markOf(pid)
	return on == m || m&innerHalf == 0 && on&^innerHalf == m
}

func (m mark) isInEnvironment(pid int) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	entry := []byte(markVariable + "=" + strconv.FormatUint(uint64(m), 10) + "\x00")
	return bytes.HasPrefix(env, entry) || bytes.Contains(env, append([]byte{0}, entry...))
}
