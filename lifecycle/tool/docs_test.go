package tool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle/tool"
)

// TestDocsNameEveryOperation keeps the table of docs/tools.md whole.
func TestDocsNameEveryOperation(t *testing.T) {
	page, err := os.ReadFile(filepath.FromSlash("../../docs/tools.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range tool.Operations() {
		row := ""
		for line := range strings.Lines(string(page)) {
			if strings.HasPrefix(line, "| `"+o.Name+"` |") {
				row = line
			}
		}
		for argument := range o.InputSchema.Properties {
			if !strings.Contains(row, "`"+argument+"`") {
				t.Errorf("the row of %s lacks %s: %q", o.Name, argument, row)
			}
		}
		for _, argument := range o.InputSchema.Required {
			if !strings.Contains(row, "*`"+argument+"`*") {
				t.Errorf("the row of %s does not say that %s is needed", o.Name, argument)
			}
		}
		for _, field := range o.OutputSchema.Required[1:] {
			if !strings.Contains(row, "`"+field+"`") {
				t.Errorf("the row of %s lacks the result %s", o.Name, field)
			}
		}
	}
}
