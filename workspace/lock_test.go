package workspace

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// playRole is the second process: it takes the lock, says so, and keeps it
// until its input ends.
func playRole(role string) int {
	path, _ := strings.CutPrefix(role, "hold:")
	release, err := Lock{path: path}.Acquire(context.Background(), "the lock", -1, nil)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("held")
	io.Copy(io.Discard, os.Stdin)
	release()
	return 0
}

func holdElsewhere(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_ROLE=hold:"+path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); cmd.Wait() })
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process said %q", line)
	}
	return cmd
}

// TestAHeldLockIsBoundedAndNamed is the kind of R-06.
func TestAHeldLockIsBoundedAndNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	if err := os.WriteFile(path, []byte(`{"pid":1}`), 0o666); err != nil {
		t.Fatal(err)
	}
	release, err := Lock{path: path}.Acquire(context.Background(), "the lock", 0, nil)
	if err != nil {
		t.Fatalf("what stands in the file blocked: %v", err)
	}
	release()

	other := holdElsewhere(t, path)
	told := 0
	_, err = Lock{path: path}.Acquire(context.Background(), "the lock", 20*time.Millisecond, func(string) { told++ })
	var held *LockHeldError
	if !errors.As(err, &held) || told != 1 {
		t.Fatalf("got %v, told %d times", err, told)
	}
	if runtime.GOOS == "linux" && !strings.Contains(err.Error(), fmt.Sprintf("process %d (", other.Process.Pid)) {
		t.Errorf("%q does not name process %d", err, other.Process.Pid)
	}
	if !(Lock{path: path}).Held() {
		t.Error("a held lock reads as free")
	}

	other.Process.Kill()
	release, err = Lock{path: path}.Acquire(context.Background(), "the lock", 10*time.Second, nil)
	if err != nil {
		t.Fatalf("the lock of a killed process was not free: %v", err)
	}
	release()
	if (Lock{path: path}).Held() {
		t.Error("a free lock reads as held")
	}
}

// TestALateWinnerGivesTheLockBack wins a lock after the wait was given up, because
// it was cancelled or took too long.
func TestALateWinnerGivesTheLockBack(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // else a lock file that nobody refers to is closed some day
	for name, giveUp := range map[string]struct {
		after  time.Duration
		cancel bool
	}{"cancelled": {-1, true}, "too long": {time.Millisecond, false}} {
		l := Lock{path: filepath.Join(t.TempDir(), "x.lock")}
		release, err := l.Acquire(context.Background(), "the lock", -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		_, err = l.Acquire(ctx, "the lock", giveUp.after, func(string) {
			if giveUp.cancel {
				cancel()
			}
		})
		var held *LockHeldError
		if !errors.Is(err, context.Canceled) && !errors.As(err, &held) {
			t.Fatalf("%s: got %v", name, err)
		}
		awaitWaiter(t, l)
		release()
		awaitClosed(t, l)
		release, err = l.Acquire(context.Background(), "the lock", 10*time.Second, nil)
		if err != nil {
			t.Fatalf("%s: the lock stayed with the waiter that gave up: %v", name, err)
		}
		release()
	}
}

func TestALockFileThatWasReplacedIsTakenAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	l := Lock{path: path}
	release, err := l.Acquire(context.Background(), "the lock", -1, nil)
	if err != nil {
		t.Fatal(err)
	}
	waiting, got := make(chan struct{}), make(chan func())
	go func() {
		second, err := l.Acquire(context.Background(), "the lock", -1, func(string) { close(waiting) })
		if err != nil {
			t.Error(err)
		}
		got <- second
	}()
	<-waiting
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	release()
	second := <-got
	defer second()
	if !l.Held() {
		t.Error("the second holder has a lock on a file that is gone")
	}
}

func TestUpdatesExcludeEachOther(t *testing.T) {
	w := newTest(t)
	var wg sync.WaitGroup
	var inside atomic.Int32 // atomic because the race detector does not see file locks
	for range 8 {
		wg.Go(func() {
			own, err := Open(w.Root)
			if err != nil {
				t.Error(err)
				return
			}
			for range 20 {
				err := own.Update(context.Background(), func(*Tx) error {
					defer inside.Add(-1)
					if inside.Add(1) != 1 {
						t.Error("two updates at once")
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestAnUpdateWaitsForAnotherGoroutineAsForAProcess: no longer than it may.
func TestAnUpdateWaitsForAnotherGoroutineAsForAProcess(t *testing.T) {
	w := newTest(t)
	w.LockTimeout = 0
	update(t, w, func(*Tx) error {
		waited := make(chan error)
		go func() { waited <- w.Update(context.Background(), func(*Tx) error { return nil }) }()
		var held *LockHeldError
		select {
		case err := <-waited:
			if !errors.As(err, &held) {
				t.Errorf("got %v", err)
			}
		case <-time.After(10 * time.Second):
			t.Error("it waits without a bound")
		}
		return nil
	})
}

func TestWriterIDIsMadeOnce(t *testing.T) {
	w := newTest(t)
	first := strings.TrimSpace(read(t, w, writerFile))
	journal(t, w, "x")
	if second := strings.TrimSpace(read(t, w, writerFile)); len(first) != 6 || second != first {
		t.Errorf("writer %q, then %q", first, second)
	}
	for _, bad := range []string{"a/b", "A", "-a", "a-", "a.b", strings.Repeat("a", 33)} {
		w.Writer = bad
		if err := w.Update(context.Background(), func(*Tx) error { return nil }); CodeOf(err) != CodeConfig {
			t.Errorf("HARNESS_WRITER %q: got %v", bad, err)
		}
	}
}
