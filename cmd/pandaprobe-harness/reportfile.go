package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// replaceReport gives the file new content, wholly or not at all, and makes its
// folder where that is missing. What is no regular file, such as a pipe, is
// written to as it is.
func replaceReport(path string, content []byte) error {
	path = resolved(path)
	mode := os.FileMode(0o666)
	switch st, err := os.Stat(path); {
	case err == nil && !st.Mode().IsRegular():
		return os.WriteFile(path, content, mode)
	case err == nil:
		mode = st.Mode().Perm()
	}
	folder, name := filepath.Split(path)
	if folder != "" {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	tmp := filepath.Join(folder, fmt.Sprintf(".%s.%d.tmp", name, os.Getpid()))
	if err := writeNew(tmp, content, mode); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return errors.Join(err, os.Remove(tmp))
	}
	return nil
}

func writeNew(path string, content []byte, mode os.FileMode) error {
	if err := os.WriteFile(path, content, mode); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// appendReport adds to a file that other steps write to as well.
func appendReport(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if at, err := f.Seek(0, io.SeekEnd); err == nil && at > 0 {
		content = append([]byte("\n"), content...)
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
