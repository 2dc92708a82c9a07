//go:build unix

package replayexec

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

const (
	pathSeparators = "/"
	defaultPath    = "/usr/local/bin:/usr/bin:/bin"
)

func executable(path, dir string, _ []string) (string, error) {
	seen := from(dir, path)
	info, err := os.Stat(seen)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return "", errors.New("is a folder")
	}
	// The super-user may run what has any execute bit, but access says so too.
	if unix.Access(seen, unix.X_OK) != nil {
		return "", errors.New("not executable (chmod +x makes it so)")
	}
	return path, nil
}
