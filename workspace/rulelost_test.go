package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLostRules(t *testing.T) {
	rule := func(status string) string {
		return "id = \"r-0123456789\"\nstatus = \"" + status + "\"\ncreated_at = 2026-01-01T00:00:00Z\nrule = \"Be brief.\"\n"
	}
	const live, retired = "state/rules/r-0123456789.toml", "state/rules/retired/r-0123456789.toml"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string // of the one message; "" = nothing is lost
	}{
		{"a retired rule", map[string]string{retired: rule("retired")}, ""},
		{"a live rule", map[string]string{live: rule("active")}, ""},
		{"half retired", map[string]string{live: rule("retired"), retired: rule("retired")}, ""},
		{"in force, among the retired", map[string]string{retired: rule("active")}, retired + ": status: is active, but the file lies among the retired rules"},
		{"in both", map[string]string{live: rule("candidate"), retired: rule("retired")}, live + ": is there a second time as " + retired},
		{"in conflict", map[string]string{retired: "<<<<<<< HEAD\n" + rule("retired") + "=======\n" + rule("active") + ">>>>>>> b\n"}, retired + ":1: holds git conflict markers"},
		{"in both, the live one in conflict", map[string]string{live: "<<<<<<< HEAD\n", retired: rule("retired")}, ""}, // LiveRules tells it
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorkspace(t.TempDir())
			for rel, content := range test.files {
				path := w.path(rel)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			lost, err := w.LostRules()
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case test.want == "" && len(lost) > 0:
				t.Errorf("got %v", lost)
			case test.want != "" && (len(lost) != 1 || !strings.HasPrefix(lost[0].Error(), test.want)):
				t.Errorf("got %v, want %q...", lost, test.want)
			}
		})
	}
}
