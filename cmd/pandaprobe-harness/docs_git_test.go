package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// block is a fenced part of a page.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

func blocksOf(t *testing.T, page string) (blocks []block) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range fence.FindAllStringSubmatch(string(content), -1) {
		blocks = append(blocks, block{found[1], found[2]})
	}
	return blocks
}

// TestGitPage runs the commands of docs/git.md from top to bottom, and wants of
// each what the page shows behind it.
func TestGitPage(t *testing.T) {
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs " + program)
		}
	}
	blocks := blocksOf(t, "git.md")
	const marker = "output of block "
	script := "set -eu\n"
	for i, b := range blocks {
		if b.language == "sh" {
			script += fmt.Sprintf("echo '%s%d'\n%s", marker, i, b.text)
		}
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "LC_ALL=C", "HARNESS_AUTO_VALIDATE=false",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	printed := map[int]string{}
	for part := range strings.SplitSeq(string(out), marker) {
		var i int
		if _, err := fmt.Sscanf(part, "%d\n", &i); err == nil {
			_, printed[i], _ = strings.Cut(part, "\n")
		}
	}
	for i, shown := range blocks {
		if shown.language != "text" && shown.language != "diff" {
			continue
		}
		if want, got := alike(shown.text), alike(printed[i-1]); !strings.HasSuffix(got, want) {
			t.Errorf("block %d of the page (-page +printed):\n%s", i, cmp.Diff(want, got))
		}
	}
	asked := slices.IndexFunc(blocks, func(b block) bool { return strings.HasPrefix(b.text, "pandaprobe-harness doctor ||") })
	for _, want := range []string{"two branches gave this rule different verdicts", "customers read it as a promise", "tone +0.70", "exit code 1"} {
		if !strings.Contains(printed[asked], want) {
			t.Errorf("doctor does not say %q:\n%s", want, printed[asked])
		}
	}
}

// alike replaces what differs between two runs: ids, times, writers and hashes.
func alike(text string) string {
	for _, mask := range []struct{ pattern, by string }{
		{`\b([rc])-[0-9a-f]{10}\b`, "$1-ID"},
		{`n-\d{8}T\d{12}-[0-9a-f]{8}`, "n-ID"},
		{`\d{4}-\d\d-\d\d(T[\d:.]+Z)?`, "TIME"},
		{`\.[0-9a-f]{6}\.jsonl`, ".WRITER.jsonl"},
		{`(?m)^index [0-9a-f]+\.\.[0-9a-f]+`, "index HASHES"},
		{`similarity index \d+%`, "similarity index N%"},
	} {
		text = regexp.MustCompile(mask.pattern).ReplaceAllString(text, mask.by)
	}
	return strings.TrimRight(text, "\n") + "\n"
}
