package replayexec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

const (
	pathSeparators = `/\:`
	defaultPath    = ""
)

// executable tries path as it is, when it has an extension, and with each
// extension of PATHEXT.
func executable(path, dir string, env []string) (string, error) {
	extensions, set := variable(env, "PATHEXT")
	if !set {
		extensions = ".com;.exe;.bat;.cmd"
	}
	tries := strings.Split(extensions, ";")
	if filepath.Ext(path) != "" {
		tries = append([]string{""}, tries...)
	}
	for _, extension := range tries {
		seen := from(dir, path+extension)
		if info, err := os.Stat(seen); err == nil && !info.IsDir() {
			// A new process looks from our folder, not from its own.
			return filepath.Abs(seen)
		}
	}
	if info, err := os.Stat(from(dir, path)); err == nil && info.IsDir() {
		return "", errors.New("is a folder")
	}
	return "", os.ErrNotExist
}
