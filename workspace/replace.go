package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tempPrefix marks the files that a replacement writes before it renames them.
// Readers take no file whose name begins with a dot.
const tempPrefix = ".tmp-"

// testOnlyFault, when set, is asked before each step that changes a file, and
// its error is taken for the file system's. op is one of "mkdir", "create",
// "write", "sync", "close", "rename", "syncdir", "remove", "truncate", "open",
// "touch". Some steps run at a time, but none is asked for by two goroutines.
var testOnlyFault func(op, path string) error

func faultAt(op, path string) error {
	if testOnlyFault == nil {
		return nil
	}
	return testOnlyFault(op, path)
}

// replaceFile gives the file new content, wholly or not at all: a temporary
// file in the same folder, synced, renamed over the old one, the folder synced.
// An existing file keeps its mode; a new one gets what the umask leaves.
func replaceFile(path string, content []byte) error {
	if err := swapFile(path, content); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// swapFile does the same, but for the folder.
func swapFile(path string, content []byte) error {
	return swapFileMode(path, modeOf(path), content)
}

func swapFileMode(path string, mode fileMode, content []byte) (err error) {
	tmp, err := createTempMode(path, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	if err := fillTemp(tmp, path, content); err != nil {
		return err
	}
	return renameFile(tmp.Name(), path)
}

// createTemp makes the file that is to replace the one at path, with its mode.
func createTemp(path string) (*os.File, error) { return createTempMode(path, modeOf(path)) }

func createTempMode(path string, mode fileMode) (*os.File, error) {
	if err := faultAt("create", path); err != nil {
		return nil, err
	}
	name := filepath.Join(filepath.Dir(path), tempPrefix+filepath.Base(path)+"-"+randomHex(8))
	tmp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.perm)
	if err == nil && mode.known {
		tmp.Chmod(mode.perm) // what the umask took; narrower is no failure
	}
	return tmp, err
}

// fileMode is the mode of a file that has one, else what the umask is to narrow.
type fileMode struct {
	perm  fs.FileMode
	known bool
}

func modeOf(path string) fileMode {
	if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() {
		return fileMode{st.Mode().Perm(), true}
	}
	return fileMode{perm: 0o666}
}

func fillTemp(tmp *os.File, path string, content []byte) error {
	err := faultAt("write", path)
	if err == nil {
		_, err = tmp.Write(content)
	}
	if err == nil {
		err = syncFile(tmp, path)
	}
	return joinOnce(err, closeFile(tmp, path))
}

// closeFile closes a file that was written; some file systems tell only then
// that there was no room for it.
func closeFile(f *os.File, path string) error {
	return joinOnce(faultAt("close", path), f.Close())
}

func syncFile(f *os.File, path string) error {
	if err := faultAt("sync", path); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	if err := faultAt("syncdir", dir); err != nil {
		return err
	}
	return flushDir(dir)
}

// removeFile removes the file and makes its absence durable.
func removeFile(path string) error {
	if err := dropFile(path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func dropFile(path string) error {
	if err := faultAt("remove", path); err != nil {
		return err
	}
	return os.Remove(path)
}

// moveFile renames within one file system and makes both folders durable.
func moveFile(from, to string) error {
	if err := renameFile(from, to); err != nil {
		return err
	}
	return joinOnce(syncDir(filepath.Dir(to)), syncDir(filepath.Dir(from)))
}

func renameFile(from, to string) error {
	if err := faultAt("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// isVisible tells the files that belong to the state from leftovers and from
// what other programs hide beside them.
func isVisible(name, ending string) bool {
	return strings.HasSuffix(name, ending) && !strings.HasPrefix(name, ".")
}

// syncPath makes a file durable that this process has not open.
func syncPath(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return syncFile(f, path)
}
