package gitindex

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
)

// repo is a real repository with a workspace in a folder of it.
type repo struct {
	t    *testing.T
	root string
	env  []string
}

func newRepo(t *testing.T) repo {
	t.Helper()
	r := repo{t: t, root: t.TempDir(), env: append(os.Environ(),
		"GIT_CONFIG_NOSYSTEM=1", "HOME="+t.TempDir(), "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com",
		"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com")}
	r.git("init", "-q")
	return r
}

func (r repo) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.root, r.env
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r repo) write(name, content string) {
	r.t.Helper()
	path := filepath.Join(r.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		r.t.Fatal(err)
	}
}

func (r repo) open(dir string, paths ...string) *Tree {
	r.t.Helper()
	tree, err := Open(context.Background(), filepath.Join(r.root, dir), r.env, paths...)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			r.t.Error(err)
		}
	})
	return tree
}

// contents is every file of the tree with its content.
func contents(t *testing.T, tree *Tree) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := fs.ReadFile(tree, name)
		all[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheTreeIsWhatIsStaged(t *testing.T) {
	r := newRepo(t)
	r.write("ws/state/a b", "old\n")
	r.write("ws/state/deep/caf\u00e9.json", "{}\n")
	r.write("ws/other/x", "x\n")
	r.write("outside", "o\n")
	r.git("add", ".")

	first := r.open("ws", "state", "harness.toml")
	want := map[string]string{"state/a b": "old\n", "state/deep/caf\u00e9.json": "{}\n"}
	if diff := cmp.Diff(want, contents(t, first)); diff != "" {
		t.Errorf("want - got +:\n%s", diff)
	}
	if !first.Changed("state/a b") {
		t.Error("before the first commit every file is new")
	}

	r.git("commit", "-qm", "one")
	r.write("ws/state/a b", "staged\n")
	r.git("add", ".")
	r.write("ws/state/a b", "not staged\n")
	r.write("ws/state/untracked", "u\n")
	r.git("rm", "-q", "--cached", "ws/state/deep/caf\u00e9.json")
	second := r.open("ws", "state")
	if diff := cmp.Diff(map[string]string{"state/a b": "staged\n"}, contents(t, second)); diff != "" {
		t.Errorf("want - got +:\n%s", diff)
	}
	if !second.Changed("state/a b") || second.Changed("state/untracked") || len(second.Unmerged()) > 0 {
		t.Errorf("changed %v, unmerged %v", second.changed, second.Unmerged())
	}
	if err := fstest.TestFS(second, "state/a b"); err != nil {
		t.Error(err)
	}
}

func TestANameThatCannotBeUsedIsRefused(t *testing.T) {
	for _, test := range []struct{ staged, want string }{
		{"100644 aaaa 0\tstate/caf\xe9.toml\x00", `the staged file "state/caf\xe9.toml" has a name that cannot be used; rename it`},
		{"100644 aaaa 0\t../x\x00", `the staged file "../x" has a name that cannot be used; rename it`},
		{"100644 aaaa 0\t\x00", `the staged file "" has a name that cannot be used; rename it`},
		{"100644 aaaa 0\t/x\x00", `the staged file "/x" has a name that cannot be used; rename it`},
		{"100644 aaaa\tx\x00", "git ls-files: cannot understand \"100644 aaaa\\tx\""},
		{"100644 aaaa 0 x\x00", "git ls-files: cannot understand \"100644 aaaa 0 x\""},
		{"100644 aaaa one\tx\x00", "git ls-files: cannot understand \"100644 aaaa one\\tx\""},
	} {
		tree := &Tree{entries: map[string]entry{}, folders: map[string][]string{".": nil}}
		if err := tree.addAll([]byte(test.staged)); err == nil || err.Error() != test.want {
			t.Errorf("%q: got %v, want %s", test.staged, err, test.want)
		}
	}
}

func TestLinksAreShownNotFollowed(t *testing.T) {
	r := newRepo(t)
	r.write("state/a", "a\n")
	if err := os.Symlink("../../secret", filepath.Join(r.root, "state/link")); err != nil {
		t.Skip("this system has no symbolic links for us")
	}
	r.git("add", ".")
	tree := r.open(".")
	target, err := fs.ReadLink(tree, "state/link")
	if err != nil || target != "../../secret" {
		t.Errorf("got %q, %v", target, err)
	}
	st, err := fs.Lstat(tree, "state/link")
	if err != nil || st.Mode().Type() != fs.ModeSymlink {
		t.Errorf("got %v, %v", st, err)
	}
}

func TestAnUnsettledMergeIsNamed(t *testing.T) {
	r := newRepo(t)
	r.write("f", "base\n")
	r.git("add", ".")
	r.git("commit", "-qm", "base")
	r.git("checkout", "-qb", "other")
	r.write("f", "theirs\n")
	r.git("commit", "-qam", "theirs")
	r.git("checkout", "-q", "-")
	r.write("f", "ours\n")
	r.git("commit", "-qam", "ours")
	cmd := exec.Command("git", "merge", "-q", "other")
	cmd.Dir, cmd.Env = r.root, r.env
	if cmd.Run() == nil {
		t.Fatal("the merge was to conflict")
	}
	tree := r.open(".")
	if !slices.Equal(tree.Unmerged(), []string{"f"}) {
		t.Errorf("unmerged: %v", tree.Unmerged())
	}
	if diff := cmp.Diff(map[string]string{"f": "ours\n"}, contents(t, tree)); diff != "" {
		t.Errorf("want - got +:\n%s", diff)
	}
}

// TestTheVariablesOfAHook: git sets them relative to the top of the repository.
func TestTheVariablesOfAHook(t *testing.T) {
	r := newRepo(t)
	r.write("ws/state/a", "a\n")
	r.git("add", ".")
	r.git("commit", "-qm", "one")
	r.write("ws/state/b", "b\n")
	t.Chdir(r.root)
	for name, env := range map[string][]string{
		"an ordinary commit": {"GIT_INDEX_FILE=.git/index"},
		"a linked work tree": {"GIT_INDEX_FILE=.git/index", "GIT_DIR=.git"},
		"named in the call":  {"GIT_INDEX_FILE=.git/index", "GIT_DIR=.git", "GIT_WORK_TREE=."},
	} {
		tree, err := Open(t.Context(), filepath.Join(r.root, "ws"), append(r.env, env...), "state")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(map[string]string{"state/a": "a\n"}, contents(t, tree)); diff != "" {
			t.Errorf("%s: want - got +:\n%s", name, diff)
		}
		tree.Close()
	}
}

func TestErrors(t *testing.T) {
	env := append(os.Environ(), "GIT_CEILING_DIRECTORIES="+os.TempDir())
	_, err := Open(t.Context(), t.TempDir(), env)
	if err == nil || !strings.Contains(err.Error(), "not a git repository") || strings.Contains(err.Error(), "\n") {
		t.Errorf("outside of a repository: %v", err)
	}
	t.Setenv("PATH", "")
	_, err = Open(t.Context(), t.TempDir(), env)
	var start *replayexec.StartError
	if !errors.As(err, &start) {
		t.Errorf("without git: %v", err)
	}
}
