package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clone is a git repository that is a workspace.
type clone struct {
	t   *testing.T
	dir string
}

// mergeKnobs make what the tests count small, and start nothing in the
// background.
const mergeKnobs = "rule_trial_min_sessions = 6\nauto_validate = false\ncapture_eval_cases = true\ncircuit_breaker_max_notices = 0\n"

// newRepository makes a workspace with one commit.
func newRepository(t *testing.T) clone {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	c := clone{t, newWorkspace(t, map[string]string{"harness.toml": mergeKnobs})}
	c.git("init", "--quiet", "--initial-branch=main")
	c.commit("a workspace")
	return c
}

func (c clone) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "LC_ALL=C",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c clone) git(args ...string) string {
	c.t.Helper()
	out, err := c.tryGit(args...)
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (c clone) commit(message string) {
	c.t.Helper()
	c.git("add", "--all")
	c.git("commit", "--quiet", "--allow-empty", "--message", message)
}

// clone makes another one of the repository as it is committed.
func (c clone) clone() clone {
	c.t.Helper()
	other := clone{c.t, filepath.Join(c.t.TempDir(), "w")}
	c.git("clone", "--quiet", ".", other.dir)
	return other
}

// merge takes the other's current branch in.
func (c clone) merge(other clone) error {
	c.t.Helper()
	c.git("fetch", "--quiet", other.dir, "HEAD")
	out, err := c.tryGit("merge", "--quiet", "--no-edit", "FETCH_HEAD")
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

func (c clone) call(stdin string, args ...string) outcome {
	c.t.Helper()
	return call(c.t, stdin, append([]string{"--workspace", c.dir}, args...)...)
}

func (c clone) harness(stdin string, args ...string) string {
	c.t.Helper()
	o := c.call(stdin, args...)
	if o.code != exitDone {
		c.t.Fatalf("%s: exit code %d\n%s%s", strings.Join(args, " "), o.code, o.stdout, o.stderr)
	}
	return o.stdout
}

func (c clone) observe(session string, score float64) {
	c.t.Helper()
	c.harness(fmt.Sprintf(`{"session_id": %q, "scores": {"m": %v}, "replay_input": 1}`, session, score), "observe")
}

func (c clone) addRule(text string, more ...string) string {
	c.t.Helper()
	var doc struct {
		Rule struct{ ID string }
	}
	c.decode(&doc, append([]string{"rule", "add", "--json", "--metric", "m", "--rule", text}, more...)...)
	return doc.Rule.ID
}

func (c clone) decode(v any, args ...string) {
	c.t.Helper()
	out := c.harness("", args...)
	if err := json.Unmarshal([]byte(out), v); err != nil {
		c.t.Fatalf("%v in\n%s", err, out)
	}
}

func (c clone) path(rel string) string { return filepath.Join(c.dir, filepath.FromSlash(rel)) }

func (c clone) read(rel string) string {
	c.t.Helper()
	content, err := os.ReadFile(c.path(rel))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(content)
}

// replace edits a file as a person would.
func (c clone) replace(rel, old, fresh string) {
	c.t.Helper()
	content := c.read(rel)
	if !strings.Contains(content, old) {
		c.t.Fatalf("%s does not hold %q:\n%s", rel, old, content)
	}
	if err := os.WriteFile(c.path(rel), []byte(strings.ReplaceAll(content, old, fresh)), 0o666); err != nil {
		c.t.Fatal(err)
	}
}

// unmerged names the files that git could not merge.
func (c clone) unmerged() []string {
	c.t.Helper()
	return strings.Fields(c.git("diff", "--name-only", "--diff-filter=U"))
}

// history is what the program says of a whole workspace, in its own words.
func (c clone) history(rules ...string) string {
	c.t.Helper()
	var all strings.Builder
	questions := [][]string{
		{"rule", "list", "--status", "all"}, {"case", "list"}, {"journal"}, {"notice", "list", "--all"},
		{"reflect"}, {"context"}, {"calibrate", "--source", "history,evalset"},
	}
	for _, id := range rules {
		questions = append(questions, []string{"rule", "status", id})
	}
	for _, args := range questions {
		o := c.call("", append([]string{"--json"}, args...)...)
		if o.code != exitDone {
			c.t.Fatalf("%s: exit code %d\n%s", args, o.code, o.stderr)
		}
		all.WriteString(strings.Join(args, " ") + "\n" + withoutLines(o.stdout, `"generated_at"`))
	}
	return all.String()
}

func withoutLines(text, with string) string {
	lines := slices.Collect(strings.Lines(text))
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, with) }), "")
}
