package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
)

// evidenceFile is an evidence file open for appending.
type evidenceFile struct {
	f     *os.File
	isNew bool
	torn  bool // the last byte is no newline
	last  Time // of the last line, as far as it is known
}

// mark is where a line was appended.
type mark struct {
	path  string
	grown int64 // the file grew by so many bytes
}

// append writes record as one line of an evidence file of this writer, in one
// write, before it returns. A torn tail of an earlier crash is closed first, so
// that the new line stands on its own.
func (tx *Tx) append(rel string, at Time, record any) (mark, error) {
	line, err := json.Marshal(record, json.Deterministic(true))
	if err != nil {
		return mark{}, Errorf(CodeBadInput, "cannot write a line of %s: %v", rel, err)
	}
	path := tx.w.path(rel)
	file, err := tx.openEvidence(rel)
	if err != nil {
		return mark{}, err
	}
	size, err := file.f.Seek(0, io.SeekEnd)
	if err != nil {
		return mark{}, ioError("cannot write", rel, err)
	}
	line = append(line, '\n')
	if file.torn {
		line = append([]byte{'\n'}, line...)
	}
	back := tx.willAppend(path, size, file)
	if err := file.write(line, path, size); err != nil {
		return mark{}, joinOnce(ioError("cannot write", rel, err), back())
	}
	file.torn, file.last = false, at
	return mark{path, int64(len(line))}, nil
}

// write leaves nothing of a line that could not be written whole.
func (e *evidenceFile) write(line []byte, path string, size int64) error {
	err := faultAt("write", path)
	if err == nil {
		_, err = e.f.Write(line)
	}
	if err != nil {
		cut := e.cut(path, size)
		e.torn = e.torn || cut != nil
		return joinOnce(err, cut)
	}
	return nil
}

// cut takes away what was appended behind size.
func (e *evidenceFile) cut(path string, size int64) error {
	if st, err := e.f.Stat(); err == nil && st.Size() <= size {
		return nil
	}
	if err := faultAt("truncate", path); err != nil {
		return err
	}
	return e.f.Truncate(size)
}

func (tx *Tx) openEvidence(rel string) (*evidenceFile, error) {
	path := tx.w.path(rel)
	if file := tx.touched[path]; file != nil {
		return file, nil
	}
	if err := tx.w.makeDir(parentOf(rel)); err != nil {
		return nil, err
	}
	if len(tx.touched) >= mostOpen {
		if err := tx.closeAll(); err != nil {
			return nil, err
		}
	}
	file, err := openForAppend(path)
	if errors.Is(err, errNoEvidence) {
		return nil, &Error{Code: CodeRefused, File: rel, Message: err.Error()}
	}
	if err != nil {
		return nil, ioError("cannot open", rel, err)
	}
	tx.touched[path] = file
	if file.isNew {
		tx.newDirs[filepath.Dir(path)] = true
	}
	return file, nil
}

// mostOpen bounds the files that a Tx has open: with thousands of candidates a
// report is evidence on each, and a process may not have so many.
const mostOpen = 200

// closeAll syncs and closes what was written so far.
func (tx *Tx) closeAll() error {
	err := unsynced(tx.finish())
	clear(tx.touched)
	clear(tx.newDirs)
	return err
}

var errNoEvidence = errors.New("is no regular file; evidence is never written through a link: move it away")

func openForAppend(path string) (*evidenceFile, error) {
	if err := faultAt("open", path); err != nil {
		return nil, err
	}
	st, err := os.Lstat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err == nil && !st.Mode().IsRegular() {
		return nil, errNoEvidence
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	file := &evidenceFile{f: f, isNew: isNew}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		file.torn, file.last, err = readTail(f, size)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return file, nil
}

// narrow takes from a new file what the one that its lines come from does not
// allow: what was private stays so.
func (e *evidenceFile) narrow(from string) {
	if st, err := e.f.Stat(); err == nil && e.isNew {
		e.f.Chmod(st.Mode().Perm() & modeOf(from).perm)
	}
}

// syncEvidence makes what was appended to the file so far durable now.
func (tx *Tx) syncEvidence(path string) error {
	if file := tx.touched[path]; file != nil {
		return syncFile(file.f, path)
	}
	return nil
}

// readLines calls each with every non-blank line of a JSONL text and its
// number. A byte-order mark in front is skipped.
func readLines(data []byte, each func(number int, line []byte)) {
	data = TrimBOM(data)
	for number := 1; len(data) > 0; number++ {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		data = rest
		if line = bytes.TrimSpace(line); len(line) > 0 {
			each(number, line)
		}
	}
}

// brokenLine describes a line that is passed over.
func brokenLine(rel string, number int) error {
	return &Error{Code: CodeBrokenFile, File: rel, Line: number,
		Message: "is no whole record (torn by a crash or a merge); it is passed over: see `pandaprobe-harness doctor`"}
}

// decodeLines reads every whole record of the named evidence files, drops
// repeated ids and orders what is left by time and id. Lines that do not parse
// are told to Warn and passed over.
func decodeLines[T any](w *Workspace, rels []string, key func(*T) (Time, string)) ([]T, error) {
	var all []T
	seen := map[string]bool{}
	for _, rel := range rels {
		data, err := w.readOptional(rel)
		if err != nil {
			return nil, err
		}
		readLines(data, func(number int, line []byte) {
			var record T
			if err := json.Unmarshal(line, &record); err != nil {
				w.Warn(brokenLine(rel, number))
				return
			}
			if _, id := key(&record); !seen[id] {
				seen[id] = true
				all = append(all, record)
			}
		})
	}
	sortByTimeID(all, key)
	return all, nil
}
