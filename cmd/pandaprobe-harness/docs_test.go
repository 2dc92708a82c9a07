package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestDocsNameEveryCommandAndFlag keeps docs/cli.md whole.
func TestDocsNameEveryCommandAndFlag(t *testing.T) {
	page := readDocs(t)
	app := wholeApp()
	for _, name := range flagNames(app.Flags) {
		if !strings.Contains(section(page, "## Flags of every command"), "`--"+name) {
			t.Errorf("the flags of every command lack --%s", name)
		}
	}
	for _, path := range leaves(nil, app.Commands) {
		text := section(page, "### `"+commandName(path)+"`")
		if text == "" {
			t.Errorf("there is no section %q", commandName(path))
		}
		for _, name := range flagNames(path[len(path)-1].Flags) {
			if dashed := "`-" + strings.Repeat("-", min(1, len(name)-1)) + name; !strings.Contains(text, dashed) {
				t.Errorf("the section %q lacks %s", commandName(path), dashed)
			}
		}
	}
}

// TestDocsNameEveryCode keeps the lists of codes whole: every word that the
// sources make a code is in its list.
func TestDocsNameEveryCode(t *testing.T) {
	page := readDocs(t)
	for _, test := range []struct {
		section, file string
		is            func(name string) bool
	}{
		{"## Errors", "../../workspace/errors.go", func(name string) bool { return strings.HasPrefix(name, "Code") }},
		{"## Errors", "failure.go", func(name string) bool { return strings.HasPrefix(name, "code") && name != "codeGate" }},
		{"## Errors", "../../lifecycle/calibration.go", func(name string) bool { return strings.HasPrefix(name, "Code") }},
		{"## Gates", "../../lifecycle/gates.go", func(name string) bool { return strings.HasPrefix(name, "Gate") }},
		{"## Reason codes", "../../lifecycle/replayverdict.go", func(name string) bool { return strings.HasPrefix(name, "Code") }},
		{"## Reason codes", "../../lifecycle/trialverdict.go", func(name string) bool { return strings.HasPrefix(name, "Code") }},
		{"## Reason codes", "../../lifecycle/regresscase.go", func(name string) bool { return strings.HasPrefix(name, "Code") }},
		{"## Reason codes", "../../replayexec/inconclusive.go", ast.IsExported},
	} {
		words := constants(t, test.file, test.is)
		if len(words) == 0 {
			t.Errorf("%s has no codes any more; name the file that has them", test.file)
		}
		for _, word := range words {
			if !strings.Contains(section(page, test.section), "`"+word+"`") {
				t.Errorf("the section %q lacks `%s` of %s", test.section, word, test.file)
			}
		}
	}
}

func readDocs(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.FromSlash("../../docs/cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// section is what stands under a heading, up to the next one.
func section(page, heading string) string {
	_, rest, found := strings.Cut(page, "\n"+heading+"\n")
	if !found {
		return ""
	}
	text, _, _ := strings.Cut(rest, "\n#")
	return text + "\n"
}

// constants are the values of the text constants of a file that is tells.
func constants(t *testing.T, file string, is func(name string) bool) (values []string) {
	t.Helper()
	source, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(source, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !is(spec.Names[0].Name) {
			return true
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
			value, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	return values
}
