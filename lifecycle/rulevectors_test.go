package lifecycle

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

type ruleVector struct {
	Name   string `json:"name"`
	Config struct {
		SanitizeMaxLen *int `json:"sanitize_max_len"`
	} `json:"config"`
	Notices []workspace.Notice `json:"notices"`
	Steps   []ruleStep         `json:"steps"`
}

type ruleStep struct {
	Op        string   `json:"op"`
	Of        int      `json:"of"`
	Rule      string   `json:"rule"`
	Rationale string   `json:"rationale"`
	Tags      []string `json:"tags"`
	NoticeID  string   `json:"notice_id"`
	Expected  struct {
		Result string `json:"result"`
		Of     int    `json:"of"`
		Rule   struct {
			Rule      string   `json:"rule"`
			Rationale string   `json:"rationale"`
			Tags      []string `json:"tags"`
		} `json:"rule"`
	} `json:"expected"`
}

// TestRuleTextVectors takes from the vectors what texts and tags become and
// which texts are the same; caps and statuses are the engine's.
func TestRuleTextVectors(t *testing.T) {
	for _, v := range readVectors[ruleVector](t, "rules") {
		t.Run(v.Name, func(t *testing.T) {
			maxLen := 2000
			if v.Config.SanitizeMaxLen != nil {
				maxLen = *v.Config.SanitizeMaxLen
			}
			live := map[string]int{} // key of the text -> step that added it
			for i, step := range v.Steps {
				checkRuleStep(t, v, i, step, maxLen, live)
			}
		})
	}
}

func checkRuleStep(t *testing.T, v ruleVector, i int, step ruleStep, maxLen int, live map[string]int) {
	t.Helper()
	key := sameTextKey(sanitize(step.Rule, maxLen))
	of, found := live[key]
	want := step.Expected
	switch {
	case step.Op == "retire" && want.Result == "retired":
		delete(live, sameTextKey(sanitize(v.Steps[step.Of].Rule, maxLen)))
	case want.Result == "existing":
		if !found || of != want.Of {
			t.Errorf("step %d: the same as step %d (%v), want step %d", i, of, found, want.Of)
		}
	case want.Result == "added":
		if found {
			t.Errorf("step %d: the same as step %d, want a new rule", i, of)
		}
		live[key] = i
		got := want.Rule
		got.Rule, got.Rationale = sanitize(step.Rule, maxLen), sanitize(step.Rationale, maxLen)
		got.Tags, _ = buildTags(step.Tags, noticeOf(v.Notices, step.NoticeID))
		if diff := cmp.Diff(want.Rule, got); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", i, diff)
		}
	}
}

func noticeOf(notices []workspace.Notice, id string) *workspace.Notice {
	if i := slices.IndexFunc(notices, func(n workspace.Notice) bool { return n.ID == id }); i >= 0 {
		return &notices[i]
	}
	return nil
}

// readVectors reads every case of a folder of vectors.
func readVectors[T any](t *testing.T, folder string) []T {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "fixtures", "vectors", folder, "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no vectors in %s: %v", folder, err)
	}
	all := make([]T, len(names))
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &all[i]); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}
