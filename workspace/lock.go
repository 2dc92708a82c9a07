package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// DefaultLockTimeout bounds the wait for the write lock.
const DefaultLockTimeout = 10 * time.Second

// Lock is an advisory lock on a file under state/local. The kernel frees it
// when its holder dies; what stands in the file is never looked at
// (docs/workspace.md, "Locks").
type Lock struct {
	path string
	flag string // bounds the wait for it; "" when no flag does
}

// LockHeldError says that a lock stayed taken for the whole wait.
type LockHeldError struct {
	What   string        // "the write lock" and the like
	Holder string        // who has it, or "" when that cannot be told for certain
	Waited time.Duration // how long was waited
	Flag   string        // the flag that bounds the wait, or ""
}

func (e *LockHeldError) Error() string {
	by := "another process"
	if e.Holder != "" {
		by = e.Holder
	}
	text := fmt.Sprintf("%s is held by %s; gave up after %s", e.What, by, e.Waited)
	if e.Flag != "" {
		text += " (see " + e.Flag + ")"
	}
	return text
}

// Acquire takes the lock and returns the function that gives it back. It waits
// at most timeout (0: one try; negative: without a bound); the error is then a
// *LockHeldError, or that of ctx. When there is a wait, waiting is called once,
// with the holder or "", before it begins; it may be nil.
func (l Lock) Acquire(ctx context.Context, what string, timeout time.Duration, waiting func(holder string)) (release func(), err error) {
	for {
		release, err := l.acquireFile(ctx, what, timeout, waiting)
		if err != nil || l.isCurrent(release) {
			return release.unlock, err
		}
		// The file was replaced while we waited, so this lock excludes nobody.
		release.unlock()
	}
}

type heldLock struct{ f *flock.Flock }

func (h heldLock) unlock() {
	if h.f != nil {
		h.f.Unlock()
	}
}

func (l Lock) isCurrent(h heldLock) bool {
	held, err := h.f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(l.path)
	return err == nil && os.SameFile(held, now)
}

func (l Lock) acquireFile(ctx context.Context, what string, timeout time.Duration, waiting func(string)) (heldLock, error) {
	if st, err := os.Lstat(l.path); err == nil && !st.Mode().IsRegular() {
		return heldLock{}, &Error{Code: CodeRefused, File: l.name(), Message: "is no regular file; remove it"}
	}
	f := l.file()
	got, err := f.TryLock()
	switch {
	case err != nil:
		return heldLock{}, ioError("cannot lock", l.name(), err)
	case got:
		return heldLock{f}, nil
	case timeout == 0:
		return heldLock{}, &LockHeldError{What: what, Holder: holderOf(l.path), Flag: l.flag}
	}
	if waiting != nil {
		waiting(holderOf(l.path))
	}
	return l.wait(ctx, what, timeout)
}

// wait blocks in the kernel, which is fairer and faster than asking again and
// again. A lock won after the wait was given up is given back at once.
func (l Lock) wait(ctx context.Context, what string, timeout time.Duration) (heldLock, error) {
	f := l.file()
	won := make(chan error, 1)
	go func() { won <- f.Lock() }()

	var expired <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		expired = timer.C
	}
	giveBackLater := func() {
		go func() {
			if <-won == nil {
				f.Unlock()
			}
		}()
	}
	select {
	case err := <-won:
		if err != nil {
			return heldLock{}, ioError("cannot lock", l.name(), err)
		}
		return heldLock{f}, nil
	case <-expired:
		giveBackLater()
		return heldLock{}, &LockHeldError{What: what, Holder: holderOf(l.path), Waited: timeout, Flag: l.flag}
	case <-ctx.Done():
		giveBackLater()
		return heldLock{}, context.Cause(ctx)
	}
}

// Held tells whether somebody has the lock now. It creates nothing.
func (l Lock) Held() bool {
	if st, err := os.Lstat(l.path); err != nil || !st.Mode().IsRegular() {
		return false // nobody can
	}
	f := l.file()
	got, err := f.TryRLock()
	if got {
		f.Unlock()
	}
	return err == nil && !got
}

// Await returns once nobody has the lock, or with the error of ctx. It never has
// the lock itself, so that nobody else takes the caller for its holder.
func (l Lock) Await(ctx context.Context) error {
	if !l.Held() {
		return nil
	}
	free := make(chan error, 1)
	go func() {
		f := l.file()
		err := f.RLock()
		f.Unlock()
		free <- err
	}()
	select {
	case err := <-free:
		if err != nil {
			return ioError("cannot wait for", l.name(), err)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// file returns a fresh lock object: one that is locked already would lock a
// second time without waiting.
func (l Lock) file() *flock.Flock {
	return flock.New(l.path, flock.SetFlag(os.O_CREATE|os.O_RDONLY), flock.SetPermissions(0o666))
}

func (l Lock) name() string {
	return filepath.ToSlash(filepath.Join("state", "local", filepath.Base(l.path)))
}
