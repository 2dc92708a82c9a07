package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDoctorBeforeACommit runs testdata/doctor with real git and the hook of
// docs/hooks.
func TestDoctorBeforeACommit(t *testing.T) {
	hook, err := filepath.Abs(filepath.FromSlash("../../docs/hooks/pre-commit"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/doctor",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			path := filepath.SplitList(env.Getenv("PATH"))
			for name, value := range map[string]string{
				"HOME": env.WorkDir, "GIT_CONFIG_NOSYSTEM": "1",
				"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com",
				"HOOK":  hook,
				"NOGIT": path[0], // the folder that holds this program alone
			} {
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// TestDocsNameEveryKindOfFinding keeps docs/doctor.md whole.
func TestDocsNameEveryKindOfFinding(t *testing.T) {
	page, err := os.ReadFile(filepath.FromSlash("../../docs/doctor.md"))
	if err != nil {
		t.Fatal(err)
	}
	kinds := constants(t, "../../workspace/finding.go", func(name string) bool { return strings.HasPrefix(name, "Kind") })
	if len(kinds) < 20 {
		t.Errorf("only %d kinds were found in the source", len(kinds))
	}
	for _, kind := range kinds {
		if !strings.Contains(string(page), "`"+kind+"`") {
			t.Errorf("docs/doctor.md lacks `%s`", kind)
		}
	}
}
