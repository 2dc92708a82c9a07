package gitindex

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"time"
)

// Open opens a file or folder.
func (t *Tree) Open(name string) (fs.File, error) {
	info, err := t.find("open", name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		list, err := t.ReadDir(name)
		return &openFolder{info, list}, err
	}
	content, err := t.content("open", name)
	if err != nil {
		return nil, err
	}
	info.size = int64(len(content))
	return &openFile{info, *bytes.NewReader(content)}, nil
}

// ReadFile returns the content of a file; that of a link is its target.
func (t *Tree) ReadFile(name string) ([]byte, error) { return t.content("read", name) }

// ReadDir lists a folder by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, failed("readdir", name, fs.ErrInvalid)
	}
	names, ok := t.folders[name]
	if !ok {
		return nil, failed("readdir", name, fs.ErrNotExist)
	}
	list := make([]fs.DirEntry, len(names))
	for i, base := range names {
		info, err := t.find("readdir", path.Join(name, base))
		if err != nil {
			return nil, err
		}
		list[i] = info
	}
	return list, nil
}

// Lstat describes a file, folder or link, or a submodule, which is none of them.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	if info, err := t.find("lstat", name); err == nil && info.mode == fs.ModeIrregular {
		return info, nil
	}
	f, err := t.Open(name)
	if err != nil {
		return nil, err
	}
	return f.Stat()
}

// ReadLink returns the target of a link.
func (t *Tree) ReadLink(name string) (string, error) {
	if t.entries[name].mode != linkMode {
		return "", failed("readlink", name, fs.ErrInvalid)
	}
	content, err := t.content("readlink", name)
	return string(content), err
}

func (t *Tree) find(op, name string) (*info, error) {
	if !fs.ValidPath(name) {
		return nil, failed(op, name, fs.ErrInvalid)
	}
	if _, ok := t.folders[name]; ok {
		return &info{tree: t, path: name, mode: fs.ModeDir | 0o755}, nil
	}
	e, ok := t.entries[name]
	if !ok {
		return nil, failed(op, name, fs.ErrNotExist)
	}
	modes := map[string]fs.FileMode{linkMode: fs.ModeSymlink | 0o777, moduleMode: fs.ModeIrregular, "100755": 0o755}
	mode, ok := modes[e.mode]
	if !ok {
		mode = 0o644
	}
	return &info{tree: t, path: name, mode: mode, size: -1}, nil
}

func (t *Tree) content(op, name string) ([]byte, error) {
	if _, err := t.find(op, name); err != nil {
		return nil, err
	}
	if _, ok := t.folders[name]; ok {
		return nil, failed(op, name, fs.ErrInvalid)
	}
	if t.entries[name].mode == moduleMode {
		return nil, failed(op, name, errors.New("is a submodule, and no file"))
	}
	content, err := t.blobs.read(t.entries[name].blob)
	if err != nil {
		return nil, failed(op, name, err)
	}
	return content, nil
}

func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// info describes a file; its size is read when it is asked for.
type info struct {
	tree *Tree
	path string
	mode fs.FileMode
	size int64 // -1: not known yet
}

func (i *info) Name() string               { return path.Base(i.path) }
func (i *info) Mode() fs.FileMode          { return i.mode }
func (i *info) Type() fs.FileMode          { return i.mode.Type() }
func (i *info) IsDir() bool                { return i.mode.IsDir() }
func (i *info) ModTime() time.Time         { return time.Time{} }
func (i *info) Sys() any                   { return nil }
func (i *info) Info() (fs.FileInfo, error) { return i.tree.Lstat(i.path) }
func (i *info) Size() int64                { return max(i.size, 0) }

type openFile struct {
	info *info
	bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openFolder struct {
	info *info
	left []fs.DirEntry
}

func (f *openFolder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFolder) Close() error               { return nil }
func (f *openFolder) Read([]byte) (int, error) {
	return 0, failed("read", f.info.path, fs.ErrInvalid)
}

func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.left) {
		if n > 0 && len(f.left) == 0 {
			return nil, io.EOF
		}
		n = len(f.left)
	}
	list := f.left[:n]
	f.left = f.left[n:]
	return list, nil
}
