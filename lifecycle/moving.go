package lifecycle

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Imported says what an import took and what it left out (docs/import.md).
type Imported struct {
	OK      bool      `json:"ok"`
	From    string    `json:"from"`
	Took    Counts    `json:"took"`     // written now
	Known   Counts    `json:"known"`    // here already, left as they are
	LeftOut []LeftOut `json:"left_out"` // not taken, and why; by file and line
	Notes   []string  `json:"notes"`    // what to look after next
}

// Counts are numbers of records by their kind.
type Counts struct {
	Rules   int `json:"rules"`
	Trials  int `json:"trials"` // lines of evidence on rules
	Cases   int `json:"cases"`
	Notices int `json:"notices"`
	Events  int `json:"events"`  // of the journal
	Samples int `json:"samples"` // of score_history.json
}

// LeftOut is something of the other workspace that was not taken.
type LeftOut struct {
	File   string `json:"file"`           // relative to the other workspace
	Line   int    `json:"line,omitzero"`  // counted from 1; 0 = the whole file
	Count  int    `json:"count,omitzero"` // so many records of the file; 0 = the one meant
	Reason string `json:"reason"`
}

// CheckPythonWorkspace says why dir cannot be imported (CodeNoWorkspace), or
// nil.
func CheckPythonWorkspace(dir string) error {
	for _, name := range []string{workspace.ConfigName, "state/rules"} {
		if lies(dir, name) {
			return &workspace.Error{Code: workspace.CodeNoWorkspace, File: dir,
				Message: "is a workspace of this program already (it holds " + name + "); join two of them with git (docs/git.md)"}
		}
	}
	names := []string{rulesFile, journalFile, casesFolder, "mailbox", historyFile}
	if !slices.ContainsFunc(names, func(name string) bool { return lies(dir, name) }) {
		return &workspace.Error{Code: workspace.CodeNoWorkspace, File: dir,
			Message: "is no workspace of the Python harness: it has none of " + strings.Join(names, ", ")}
	}
	return nil
}

func lies(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil
}

// Import brings the workspace of the Python harness in dir into this one; dir is
// only read. Ids, times, statuses and trial evidence are kept. What is here
// already stays as it is, so importing again changes nothing, and completes an
// import that was cut off. What cannot be read is passed over and named
// (docs/import.md). An error ends the import: that of CheckPythonWorkspace, of
// ctx, or of writing here.
func (e *Engine) Import(ctx context.Context, dir string) (Imported, error) {
	m := &mover{Engine: e, dir: dir, result: Imported{From: dir, LeftOut: []LeftOut{}, Notes: []string{}}}
	if err := CheckPythonWorkspace(dir); err != nil {
		return m.result, err
	}
	// Notices first: rules take their signatures from them.
	for _, step := range []func(context.Context) error{m.notices, m.cases, m.rules, m.journal, m.history, m.render} {
		if err := step(ctx); err != nil {
			return m.result, err
		}
	}
	m.nameTheRest()
	m.result.OK = true
	return m.result, m.lookAfter()
}

// mover is one import under way.
type mover struct {
	*Engine
	dir     string
	result  Imported
	longest int // sessions that the longest trial of the other workspace observed
}

func (m *mover) render(ctx context.Context) error {
	return m.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		m.renderNow(tx)
		return nil
	})
}

// add writes one record, unless it is here already.
func (m *mover) add(ctx context.Context, took, known *int, write func(tx *workspace.Tx) (isNew bool, err error)) error {
	return m.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		isNew, err := write(tx)
		switch {
		case err != nil:
		case isNew:
			*took++
		default:
			*known++
		}
		return err
	})
}

func (m *mover) leaveOut(file string, line int, reason string) {
	m.result.LeftOut = append(m.result.LeftOut, LeftOut{File: file, Line: line, Reason: reason})
}

// nameTheRest says why what else lies there was not taken.
func (m *mover) nameTheRest() {
	for _, rest := range []struct{ name, reason string }{
		{"traces", "dumps of traces, which the platform has"},
		{"mailbox/status.json", "derived from the notices"},
		{workspace.RenderedName, "derived from the rules; it is rendered anew here"},
	} {
		if lies(m.dir, rest.name) {
			m.leaveOut(rest.name, 0, rest.reason)
		}
	}
	slices.SortStableFunc(m.result.LeftOut, func(a, b LeftOut) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}
