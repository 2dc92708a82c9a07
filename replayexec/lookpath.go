package replayexec

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

var errNoCommand = errors.New("no command is given")

// lookPath finds the file that argv names, as it will be seen from dir. It
// follows the PATH of env, which need not be ours; a folder in it that is
// relative is relative to dir. The error is a *StartError.
func lookPath(argv []string, dir string, env []string) (string, error) {
	if len(argv) == 0 || argv[0] == "" {
		return "", &StartError{Err: errNoCommand}
	}
	name := argv[0]
	path, err := find(name, dir, env)
	if err != nil {
		return "", &StartError{Name: name, Err: err}
	}
	return path, nil
}

func find(name, dir string, env []string) (string, error) {
	if strings.ContainsAny(name, pathSeparators) {
		return executable(name, dir, env)
	}
	list, set := variable(env, "PATH")
	if !set {
		list = defaultPath
	}
	var refused error
	for _, folder := range filepath.SplitList(list) {
		if folder == "" {
			folder = "."
		}
		path, err := executable(folder+string(filepath.Separator)+name, dir, env)
		if err == nil {
			return path, nil
		}
		absent := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
		if !absent && refused == nil {
			refused = fmt.Errorf("%s: %w", folder, err)
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", errors.New("not found on PATH")
}

// from is path as seen from this process rather than from dir.
func from(dir, path string) string {
	if dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
