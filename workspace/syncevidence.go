package workspace

import (
	"errors"
	"sync"
	"sync/atomic"
)

// finish syncs and closes every evidence file that was touched, and syncs the
// folders of those that are new.
func (tx *Tx) finish() error {
	var tasks []func() error
	for path, file := range tx.touched {
		fault := faultAt("sync", path)
		tasks = append(tasks, func() error {
			defer file.f.Close()
			return tx.unsynced(path, fault, file.f.Sync)
		})
	}
	for dir := range tx.newDirs {
		fault := faultAt("syncdir", dir)
		tasks = append(tasks, func() error {
			return tx.unsynced(dir, fault, func() error { return flushDir(dir) })
		})
	}
	return together(tasks)
}

func (tx *Tx) unsynced(path string, fault error, sync func() error) error {
	if fault == nil {
		fault = sync()
	}
	if fault != nil {
		return ioError("cannot sync", tx.w.rel(path), fault)
	}
	return nil
}

// mostTogether is how many files are synced at a time. A file system writes
// them out together: sixteen take little longer than one.
const mostTogether = 16

// together runs the tasks, some at a time, and joins their errors.
func together(tasks []func() error) error {
	errs := make([]error, len(tasks))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(len(tasks), mostTogether) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(tasks)); i = next.Add(1) - 1 {
				errs[i] = tasks[i]()
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
