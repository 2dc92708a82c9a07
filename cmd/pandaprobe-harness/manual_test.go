package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestManualIsWhole wants every command, flag and knob in the manual page, and
// nothing that a formatter of man(7) does not know.
func TestManualIsWhole(t *testing.T) {
	o := call(t, "", "man")
	if o.code != exitDone {
		t.Fatal(o.stderr)
	}
	app := wholeApp()
	var wanted []string
	for c := range allCommands(app.Commands) {
		for _, name := range flagNames(c.Flags) {
			if len(name) > 1 {
				wanted = append(wanted, ".B "+roff("--"+name))
			}
		}
	}
	for _, path := range leaves(nil, app.Commands) {
		wanted = append(wanted, ".SS "+roff(commandName(path))+"\n", ".B "+roff(synopsis(path))+"\n")
	}
	for _, knob := range workspace.Knobs() {
		wanted = append(wanted, ".TP\n.B "+roff(knob.Name)+"\n")
	}
	for _, text := range wanted {
		if !strings.Contains(o.stdout, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
	macro := regexp.MustCompile(`^\.(TH|SH|SS|PP|TP|B|RS 4|RE|nf|fi)( |$)`)
	for line := range strings.SplitSeq(o.stdout, "\n") {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !macro.MatchString(line) {
			t.Errorf("no macro of ours: %q", line)
		}
	}
}

func TestRoff(t *testing.T) {
	for text, want := range map[string]string{
		"--json":      `\-\-json`,
		".B":          `\&.B`,
		`a\b`:         `a\eb`,
		"it's `x` ~^": `it\(aqs \(gax\(ga \(ti\(ha`,
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, want %q", text, got, want)
		}
	}
}
