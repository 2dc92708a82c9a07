package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/go-json-experiment/json"
)

// mutation is one change that breaks a promise, and the test that has to see it.
type mutation struct {
	Promise string // its name in docs/reliability.md
	Change  string // what it breaks, in words
	File    string // from the root of the module
	Old     string // stands in the file once
	New     string
	Package string // of the test
	Test    string // its name
}

// load reads the list. Paths in it are from the folder where the program runs,
// which is the root of the module.
func load(path string) ([]mutation, error) {
	var list struct{ Mutation []mutation }
	meta, err := toml.DecodeFile(path, &list)
	if err == nil && len(meta.Undecoded()) > 0 {
		err = fmt.Errorf("unknown key %s", meta.Undecoded()[0])
	}
	return list.Mutation, err
}

// apply returns the content of the file with the change.
func (m mutation) apply(content string) (string, error) {
	if n := strings.Count(content, m.Old); n != 1 {
		return "", fmt.Errorf("%s holds the text to be changed %d times, not once", m.File, n)
	}
	return strings.Replace(content, m.Old, m.New, 1), nil
}

// try runs the test on a build in which the mutated file stands for the real
// one. It is caught when the test fails, not when nothing can be built.
func (m mutation) try(ctx context.Context, tags string) (caught bool, err error) {
	overlay, remove, err := m.overlay()
	if err != nil {
		return false, err
	}
	defer remove()
	out, err := exec.CommandContext(ctx, "go", "test", "-tags", tags, "-overlay", overlay, "-count", "1", "-timeout", "5m",
		"-run", "^"+m.Test+"$", m.Package).CombinedOutput()
	var failed *exec.ExitError
	switch {
	case err == nil && strings.Contains(string(out), "no tests to run"):
		return false, fmt.Errorf("%s has no test %s", m.Package, m.Test)
	case err == nil:
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.As(err, &failed) && strings.Contains(string(out), "--- FAIL: "+m.Test):
		return true, nil
	}
	return false, fmt.Errorf("%w\n%s", err, out)
}

// overlay writes the mutated file and the description that `go test -overlay`
// wants, outside the tree.
func (m mutation) overlay() (path string, remove func(), err error) {
	content, err := os.ReadFile(m.File)
	if err != nil {
		return "", nil, err
	}
	mutated, err := m.apply(string(content))
	if err != nil {
		return "", nil, err
	}
	original, err := filepath.Abs(m.File)
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	instead, path := filepath.Join(dir, "mutated.go"), filepath.Join(dir, "overlay.json")
	description, err := json.Marshal(map[string]map[string]string{"Replace": {original: instead}})
	if err == nil {
		err = errors.Join(os.WriteFile(instead, []byte(mutated), 0o666), os.WriteFile(path, description, 0o666))
	}
	if err != nil {
		remove()
	}
	return path, remove, err
}

// table is the list as docs/mutations.md shows it.
func table(mutations []mutation) string {
	var b strings.Builder
	b.WriteString("| promise | mutation | file | caught by |\n|---|---|---|---|\n")
	for _, m := range mutations {
		fmt.Fprintf(&b, "| %s | %s | `%s` | `%s` |\n", m.Promise, m.Change, m.File, m.Test)
	}
	return b.String()
}
