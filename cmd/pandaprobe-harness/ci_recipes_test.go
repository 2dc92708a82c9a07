package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestCIRecipes plays the scripts of docs/ci.md from fresh clones, with the
// variables that the CI services set.
func TestCIRecipes(t *testing.T) {
	root := filepath.Join("..", "..")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/ci",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				"HOME": env.WorkDir, "GIT_CONFIG_NOSYSTEM": "1", "TMPDIR": env.WorkDir, "GIT_CONFIG_COUNT": "1",
				"GIT_CONFIG_KEY_0": "init.defaultBranch", "GIT_CONFIG_VALUE_0": "main",
			} {
				env.Setenv(name, value)
			}
			if err := useBuiltProgram(env); err != nil {
				return err
			}
			seed := filepath.Join(env.WorkDir, "seed")
			if err := os.CopyFS(filepath.Join(seed, "ci"), os.DirFS(filepath.Join(root, "docs", "ci"))); err != nil {
				return err
			}
			return os.CopyFS(filepath.Join(seed, "agent"), os.DirFS(filepath.Join(root, "fixtures", "demo", "agent")))
		},
	})
}

// TestCIPageShowsTheScripts keeps what a reader copies equal to what is tested.
func TestCIPageShowsTheScripts(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join(docs, "ci", "*.sh"))
	if err != nil || len(scripts) < 3 {
		t.Fatalf("scripts: %v (%v)", scripts, err)
	}
	for _, path := range scripts {
		script, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), "```sh\n"+string(script)+"```\n") {
			t.Errorf("docs/ci.md does not show %s as it is", filepath.Base(path))
		}
	}
}
