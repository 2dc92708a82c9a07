package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../../.."

// TestTheListIsTrue wants every mutation to apply to the code as it is, to name a
// test that there is and a promise that is made, and the documentation to show
// the same list.
func TestTheListIsTrue(t *testing.T) {
	t.Chdir(root)
	mutations, err := load("fixtures/mutations.toml")
	if err != nil {
		t.Fatal(err)
	}
	promises := read(t, "docs/reliability.md")
	unbroken := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^\| \*\*(.+?)\*\* \|`).FindAllStringSubmatch(promises, -1) {
		unbroken[match[1]] = true
	}
	for _, m := range mutations {
		switch mutated, err := m.apply(read(t, m.File)); {
		case err != nil:
			t.Errorf("%s: %v", m.Change, err)
		case mutated == read(t, m.File):
			t.Errorf("%s: changes nothing", m.Change)
		}
		if !strings.Contains(promises, "| **"+m.Promise+"** |") {
			t.Errorf("%s: docs/reliability.md makes no promise %q", m.Change, m.Promise)
		}
		if !hasTest(t, m.Package, m.Test) {
			t.Errorf("%s: %s has no test %s", m.Change, m.Package, m.Test)
		}
		delete(unbroken, m.Promise)
	}
	for promise := range unbroken {
		t.Errorf("no mutation breaks the promise %q", promise)
	}
	_, shown, _ := strings.Cut(read(t, "docs/mutations.md"), "\n| promise |")
	if diff := cmp.Diff(table(mutations), "| promise |"+shown); diff != "" {
		t.Errorf("docs/mutations.md (-want +got; mutate -table prints it):\n%s", diff)
	}
}

func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.Contains(read(t, file), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestApplyWantsTheTextOnce(t *testing.T) {
	for _, test := range []struct {
		name, content, want, wantErr string
	}{
		{"once", "a lock, b", "a none, b", ""},
		{"not there", "a, b", "", "x.go holds the text to be changed 0 times, not once"},
		{"twice", "lock lock", "", "x.go holds the text to be changed 2 times, not once"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := mutation{File: "x.go", Old: "lock", New: "none"}.apply(test.content)
			if text := errorText(err); got != test.want || text != test.wantErr {
				t.Errorf("%q, %q; want %q, %q", got, text, test.want, test.wantErr)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
