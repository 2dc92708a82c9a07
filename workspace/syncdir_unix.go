//go:build !windows

package workspace

import (
	"errors"
	"os"
	"syscall"
)

// flushDir makes the names in a folder durable. File systems that cannot do it
// say EINVAL, which is no failure of ours.
func flushDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
