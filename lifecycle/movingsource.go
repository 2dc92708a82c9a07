package lifecycle

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// documents calls take with every JSON file of a folder of the other workspace.
// What take refuses is left out.
func (m *mover) documents(ctx context.Context, folder string, take func(rel string, data []byte) error) error {
	entries, err := os.ReadDir(filepath.Join(m.dir, filepath.FromSlash(folder)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		m.leaveOut(folder, 0, unreadable(err))
		return nil
	}
	for _, entry := range entries {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		rel := folder + "/" + entry.Name()
		if entry.IsDir() || !strings.HasSuffix(rel, ".json") {
			m.leaveOut(rel, 0, "is no JSON file")
			continue
		}
		data, err := workspace.ReadRegular(filepath.Join(m.dir, filepath.FromSlash(rel)))
		if err != nil {
			m.leaveOut(rel, 0, unreadable(err))
			continue
		}
		if err := m.orLeaveOut(rel, 0, take(rel, finite(data))); err != nil {
			return err
		}
	}
	return nil
}

// lines calls take with every line of a JSONL file of the other workspace. What
// take refuses is left out.
func (m *mover) lines(ctx context.Context, rel string, take func(number int, line []byte) error) error {
	f, err := workspace.OpenRegular(filepath.Join(m.dir, filepath.FromSlash(rel)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		m.leaveOut(rel, 0, unreadable(err))
		return nil
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	for number := 1; ; number++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		line, tooLong, ended := readLine(r)
		if ended != nil && !errors.Is(ended, io.EOF) {
			return m.cannotRead(rel, ended)
		}
		line = bytes.TrimSpace(workspace.TrimBOM(line))
		var err error
		switch {
		case tooLong:
			err = workspace.Errorf(workspace.CodeBadInput, "is longer than %d MiB", MaxStreamLine>>20)
		case len(line) > 0:
			err = take(number, finite(line))
		}
		if err := m.orLeaveOut(rel, number, err); err != nil || ended != nil {
			return err
		}
	}
}

// finite puts null for NaN and Infinity; what is no JSON otherwise is refused
// when it is decoded.
func finite(data []byte) []byte {
	if clean, err := workspace.FiniteJSON(data); err == nil {
		return clean
	}
	return data
}

// orLeaveOut tells the faults of the other workspace, which are named and passed
// over, from failures of this one, which it returns.
func (m *mover) orLeaveOut(file string, line int, err error) error {
	var located *workspace.Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &located) || located.Code != workspace.CodeBadInput:
		return err
	case located.Field != "":
		m.leaveOut(file, line, located.Field+": "+located.Message)
	default:
		m.leaveOut(file, line, located.Message)
	}
	return nil
}

// unreadable says why a file or folder of the other workspace was left out.
func unreadable(err error) string { return fmt.Sprintf("cannot be read: %v", withoutPath(err)) }

func (m *mover) cannotRead(rel string, err error) error {
	return &workspace.Error{Code: workspace.CodeIO, File: filepath.Join(m.dir, filepath.FromSlash(rel)), Message: fmt.Sprintf("cannot read: %v", withoutPath(err)), Err: err}
}

// withoutPath is the cause alone: the message names the file itself.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

func badField(field, message string) error {
	return &workspace.Error{Code: workspace.CodeBadInput, Field: field, Message: message}
}
