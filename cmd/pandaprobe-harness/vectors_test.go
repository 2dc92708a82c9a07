package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// eachVector runs a test for each vector of a folder.
func eachVector[T any](t *testing.T, folder string, run func(t *testing.T, v T)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "vectors", folder, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors in %s (%v)", folder, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var v T
			if err := json.Unmarshal(data, &v); err != nil {
				t.Fatal(err)
			}
			run(t, v)
		})
	}
}

// knobs writes the config of a vector as harness.toml.
func knobs(config map[string]any) string {
	var b strings.Builder
	for name, value := range config {
		if _, isTable := value.(map[string]any); !isTable {
			fmt.Fprintf(&b, "%s = %v\n", name, value)
		}
	}
	for name, value := range config {
		if table, ok := value.(map[string]any); ok {
			fmt.Fprintf(&b, "[%s]\n", name)
			for key, value := range table {
				fmt.Fprintf(&b, "%q = %v\n", key, value)
			}
		}
	}
	return b.String()
}

// within compares floats as the vectors want it.
var within = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 })

// vectorRule is a rule to be added.
type vectorRule struct {
	Rule, Rationale string
	Metric          *string
	Tags            []string
	NoticeID        *string `json:"notice_id"`
}

// flags are those of `rule add`, and what goes to standard input: a text with a
// zero byte cannot stand on a command line.
func (r vectorRule) flags() (flags []string, stdin string) {
	add := func(name, value string) {
		if strings.Contains(value, "\x00") {
			stdin, value = value, "-"
		}
		flags = append(flags, "--"+name+"="+value)
	}
	add("rule", r.Rule)
	add("rationale", r.Rationale)
	if r.Metric != nil {
		add("metric", *r.Metric)
	}
	if r.NoticeID != nil {
		add("notice", *r.NoticeID)
	}
	for _, tag := range r.Tags {
		add("tag", tag)
	}
	return flags, stdin
}

// cmpEmpty takes no list for an empty one.
var cmpEmpty = cmp.Transformer("empty", func(list []string) []string { return append([]string{}, list...) })

// checkVerdict compares the verdict of a round of one candidate; outcome "" is
// none.
func checkVerdict(t testing.TB, number int, verdicts []verdictAnswer, outcome, validator string) {
	t.Helper()
	if outcome == "" {
		if len(verdicts) > 0 {
			t.Errorf("round %d: got %+v, want no verdict", number, verdicts)
		}
		return
	}
	if len(verdicts) != 1 || verdicts[0].Outcome != outcome || verdicts[0].Validator != validator || verdicts[0].Reason == "" {
		t.Errorf("round %d: got %+v, want %s by %s", number, verdicts, outcome, validator)
	}
}
