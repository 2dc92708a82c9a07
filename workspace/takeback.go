package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// steps is what a Tx has done that may have to be taken back, in order.
type steps struct {
	depth int // calls of Atomically that are under way
	back  []func() error
}

// Atomically runs change and, when that fails, takes back what it wrote, the
// last step first (docs/reliability.md, "A command that fails"). What was
// written before the call stays. A call inside another belongs to that: when
// the outer one fails, both are taken back.
func (tx *Tx) Atomically(change func() error) error {
	begin := len(tx.steps.back)
	tx.steps.depth++
	err := change()
	tx.steps.depth--
	if err != nil {
		err = joinOnce(err, tx.takeBack(begin))
	}
	if tx.steps.depth == 0 {
		tx.steps.back = nil
	}
	return err
}

// takeBack does all it can: one step that cannot be taken back keeps no other.
func (tx *Tx) takeBack(begin int) error {
	var failed error
	for _, back := range slices.Backward(tx.steps.back[begin:]) {
		failed = joinOnce(failed, back())
	}
	tx.steps.back = tx.steps.back[:begin]
	return failed
}

// willAppend remembers the end of an evidence file before a line is written, and
// returns what goes back to it.
func (tx *Tx) willAppend(path string, size int64, file *evidenceFile) (back func() error) {
	torn, wasNew := file.torn, file.isNew
	back = func() error {
		file, err := tx.openEvidence(tx.w.rel(path))
		if err == nil {
			err = file.cut(path, size)
		}
		if err == nil {
			file.torn = torn
			if size == 0 && wasNew {
				file.f.Close()
				delete(tx.touched, path)
				err = dropFile(path)
			}
		}
		if err != nil {
			return ioError("cannot take back a line", tx.w.rel(path), err)
		}
		return nil
	}
	tx.remember(back)
	return back
}

// willChange remembers a file, or that there is none, before it is written or
// removed. old is its content.
func (tx *Tx) willChange(path string, existed bool, old []byte) {
	mode := modeOf(path)
	tx.remember(func() error {
		now, err := readFile(path)
		switch {
		case existed && err == nil && string(now) == string(old), !existed && errors.Is(err, os.ErrNotExist):
			return nil
		case existed:
			err = swapFileMode(path, mode, old)
		default:
			err = dropFile(path)
		}
		if err != nil {
			return ioError("cannot take back the change", tx.w.rel(path), err)
		}
		syncDir(filepath.Dir(path)) // a crash now is one half-way through the command
		return nil
	})
}

// willMove remembers where a file was before it is renamed.
func (tx *Tx) willMove(from, to string) {
	tx.remember(func() error {
		if exists(from) {
			return nil
		}
		if err := renameFile(to, from); err != nil {
			return ioError("cannot take back the move", tx.w.rel(from), err)
		}
		syncDir(filepath.Dir(from))
		syncDir(filepath.Dir(to))
		return nil
	})
}

func (tx *Tx) remember(back func() error) {
	if tx.steps.depth > 0 {
		tx.steps.back = append(tx.steps.back, back)
	}
}

// joinOnce tells two errors in one line, and nothing twice: a disk that is full
// is so for every step.
func joinOnce(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil || strings.Contains(a.Error(), b.Error()):
		return a
	}
	return fmt.Errorf("%w; %w", a, b)
}
