package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// RulesStamp changes whenever a file among the live rules was added, removed
// or written. It is cheap: names, sizes and times, no content.
func (w *Workspace) RulesStamp() (string, error) {
	entries, err := os.ReadDir(w.path(rulesDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", ioError("cannot list", rulesDir, err)
	}
	var stamp strings.Builder
	for _, e := range entries {
		if !isVisible(e.Name(), ruleEnding) {
			continue
		}
		if st, err := e.Info(); err == nil {
			fmt.Fprintf(&stamp, "%s %d %d\n", e.Name(), st.Size(), st.ModTime().UnixNano())
		}
	}
	return stamp.String(), nil
}

const renderedMark = "state/local/rendered"

// RenderedIsCurrent tells whether harness_rules.md was written for the stamp
// and not touched since.
func (w *Workspace) RenderedIsCurrent(stamp string) bool {
	mark, err := w.readOptional(renderedMark)
	return err == nil && mark != nil && string(mark) == stamp+w.renderedStamp()
}

func (w *Workspace) renderedStamp() string {
	st, err := os.Stat(w.path(RenderedName))
	if err != nil {
		return "missing"
	}
	return fmt.Sprintf("%d %d", st.Size(), st.ModTime().UnixNano())
}

// PutRendered writes harness_rules.md for the stamp. Where it is a link, its
// target is rewritten.
func (tx *Tx) PutRendered(content []byte, stamp string) error {
	w := tx.w
	path := w.path(RenderedName)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := checkRegular(path); err != nil {
		return ioError("cannot write", RenderedName, err)
	}
	if old, err := readFile(path); err != nil || string(old) != string(content) {
		if err := replaceFile(path, content); err != nil {
			return ioError("cannot write", RenderedName, err)
		}
	}
	// The mark is only a saving: without it the next writer renders again.
	w.writeHint(renderedMark, []byte(stamp+w.renderedStamp()))
	return nil
}

// Rendered returns the content of harness_rules.md, nil when it is not there.
func (w *Workspace) Rendered() ([]byte, error) { return w.readOptional(RenderedName) }
