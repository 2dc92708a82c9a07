package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	kindRow  = regexp.MustCompile(`(?m)^\| (R-\d\d) \|.*$`)
	testName = regexp.MustCompile("`(Test\\w+|\\w+\\.txtar)`")
)

// TestDocsNameTestsThatThereAre wants the tests that docs/reliability.md names
// to exist, and those of a kind of fault to name the kind.
func TestDocsNameTestsThatThereAre(t *testing.T) {
	page, err := os.ReadFile("../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testSources(t)
	for _, match := range testName.FindAllStringSubmatch(string(page), -1) {
		if tests[match[1]] == "" {
			t.Errorf("there is no test %s", match[1])
		}
	}
	kinds := kindRow.FindAllStringSubmatch(string(page), -1)
	if len(kinds) != 12 {
		t.Errorf("%d kinds of fault, want 12", len(kinds))
	}
	for _, kind := range kinds {
		named := testName.FindAllStringSubmatch(kind[0], -1)
		if len(named) == 0 {
			t.Errorf("%s has no test", kind[1])
		}
		for _, match := range named {
			if !strings.Contains(tests[match[1]], kind[1]) {
				t.Errorf("%s does not name %s", match[1], kind[1])
			}
		}
	}
}

// testSources gives the text of every test function, with its comment, and of
// every script, by name.
func testSources(t *testing.T) map[string]string {
	t.Helper()
	sources := map[string]string{}
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		sources[filepath.Base(file)] = readText(t, file)
	}
	function := regexp.MustCompile(`(?ms)^(?://[^\n]*\n)*func (Test\w+)\(.*?^}`)
	for _, folders := range []string{"../../*", "../../*/*", "../../*/*/*", "../../*/*/*/*"} {
		files, err := filepath.Glob(folders + "/*_test.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, match := range function.FindAllStringSubmatch(readText(t, file), -1) {
				sources[match[1]] += match[0] // packages may share a name
			}
		}
	}
	return sources
}

func readText(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
