package replayexec

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// handover is a private folder with the files that a replay command may read
// instead of its standard input.
type handover struct{ folder string }

func (h handover) caseFile() string    { return filepath.Join(h.folder, "case.json") }
func (h handover) contextFile() string { return filepath.Join(h.folder, "context.md") }

// remove is called when nothing of the command is left that could write there.
func (h handover) remove() { os.RemoveAll(h.folder) }

func newHandover(request Request) (h handover, err error) {
	if h.folder, err = os.MkdirTemp("", "pandaprobe-replay-"); err != nil {
		return h, fmt.Errorf("temporary folder: %w", err)
	}
	defer func() {
		if err != nil {
			h.remove()
		}
	}()
	if err = os.WriteFile(h.caseFile(), append(request.Case.Clone(), '\n'), 0o600); err != nil {
		return h, fmt.Errorf("temporary file: %w", err)
	}
	if err = os.WriteFile(h.contextFile(), []byte(request.Context), 0o600); err != nil {
		return h, fmt.Errorf("temporary file: %w", err)
	}
	return h, nil
}

// document is value as one line of JSON.
func document(value any) ([]byte, error) {
	text, err := json.Marshal(value, jsontext.PreserveRawStrings(true))
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
