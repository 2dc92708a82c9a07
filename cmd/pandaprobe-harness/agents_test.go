package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestAgentRecipes plays the scripts of docs/agents.md on stand-ins of the
// agents: testdata/agents, one script each.
func TestAgentRecipes(t *testing.T) {
	python := pythonFolder(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/agents",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				"HOME": env.WorkDir, "GIT_CONFIG_NOSYSTEM": "1", "HARNESS_WRITER": "test",
				"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com",
			} {
				env.Setenv(name, value)
			}
			if python != "" {
				env.Setenv("PATH", python+string(filepath.ListSeparator)+env.Getenv("PATH"))
			}
			if err := useBuiltProgram(env); err != nil {
				return err
			}
			return os.CopyFS(filepath.Join(env.WorkDir, "agents"), os.DirFS(filepath.Join("..", "..", "docs", "agents")))
		},
		Condition: func(cond string) (bool, error) {
			if cond != "python" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return python != "", nil
		},
	})
}

// pythonFolder is where a python3 lies that runs with any HOME, or "".
func pythonFolder(t *testing.T) string {
	t.Helper()
	path, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return ""
	}
	return filepath.Dir(strings.TrimSpace(string(path)))
}

// TestAgentsPageNamesTheScripts keeps docs/agents.md and docs/agents together.
func TestAgentsPageNamesTheScripts(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "agents.md"))
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join(docs, "agents", "*"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range scripts {
		if link := "(agents/" + filepath.Base(path) + ")"; !strings.Contains(string(page), link) {
			t.Errorf("docs/agents.md does not link %s", link)
		}
	}
}
