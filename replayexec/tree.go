package replayexec

import (
	"os"
	"sync"
	"time"
)

// killWait bounds the wait for processes that do not die of SIGKILL, such as
// one that hangs in a dead network file system.
const killWait = 2 * time.Second

// tree is a command that was started, and whatever it started in its turn.
type tree struct {
	leader *os.Process
	exited chan struct{} // closed once the command itself has ended
	at     time.Time     // when that was
	*members
}

func startTree(p Process, path string, files []*os.File) (*tree, error) {
	closeInherited()
	m := newMembers()
	leader, err := m.start(func() (*os.Process, error) {
		return os.StartProcess(path, p.Argv, &os.ProcAttr{
			Dir: p.Dir, Env: m.environment(p.Env), Files: files, Sys: attributes(p),
		})
	})
	if err != nil {
		m.release()
		return nil, err
	}
	t := &tree{leader: leader, exited: make(chan struct{}), members: m}
	go func() {
		m.awaitLeader(leader)
		t.at = time.Now()
		close(t.exited)
	}()
	return t, nil
}

// stop asks all of the tree to end and returns when it has, or after grace.
// Once the command itself is gone the rest is asked again: what was started in
// the meantime has not heard it, but may have belonged to an orderly end.
func (t *tree) stop(grace time.Duration) {
	t.terminate()
	askAgain := sync.OnceFunc(t.terminate)
	deadline := time.Now().Add(grace)
	for pause := time.Millisecond; time.Now().Before(deadline); pause = min(2*pause, 20*time.Millisecond) {
		if t.hasExited() {
			if !t.alive() {
				return
			}
			askAgain()
		}
		time.Sleep(min(pause, time.Until(deadline)))
	}
}

// kill ends what is left of the tree and reaps the command. It names what
// cannot be ended.
func (t *tree) kill() []int {
	survivors := t.killAll()
	select {
	case <-t.exited:
		t.reap(t.leader)
	case <-time.After(killWait):
		go func() { <-t.exited; t.leader.Wait() }()
		if len(survivors) == 0 {
			survivors = []int{t.leader.Pid}
		}
	}
	return survivors
}

func (t *tree) hasExited() bool {
	select {
	case <-t.exited:
		return true
	default:
		return false
	}
}

// ended is when the command itself ended; now, if it could not be ended.
func (t *tree) ended() time.Time {
	if t.hasExited() {
		return t.at
	}
	return time.Now()
}
