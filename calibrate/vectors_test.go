package calibrate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

const vectorFolder = "../fixtures/vectors/calibrate"

type vector struct {
	Name            string                        `json:"name"`
	Scores          map[string]map[string]float64 `json:"scores"`
	Labels          map[string]bool               `json:"labels"`
	Thresholds      map[string]float64            `json:"thresholds"`
	TargetPrecision float64                       `json:"target_precision"`
	Expected        map[string]any                `json:"expected"`
	ExpectedText    string                        `json:"expected_text"`
}

func (v *vector) run(t *testing.T) *Report {
	t.Helper()
	scores, err := FromMap(v.Scores)
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Thresholds: v.Thresholds, TargetPrecision: &v.TargetPrecision}
	if v.Labels != nil {
		options.Labels = LabelsFromMap(v.Labels)
	}
	report, err := Run(scores, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestVectors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectorFolder, "*.json"))
	if err != nil || len(files) != 47 {
		t.Fatalf("found %d vectors (%v), want 47", len(files), err)
	}
	for _, file := range files {
		v := readVector(t, file)
		t.Run(v.Name, func(t *testing.T) {
			report := v.run(t)
			compareJSON(t, report, v.Expected)
			compareText(t, report.Text(), v.ExpectedText)
		})
	}
}

func readVector(t *testing.T, file string) *vector {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v := new(vector)
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return v
}

// compareJSON goes by the document, as another program would read it.
func compareJSON(t *testing.T, report *Report, want map[string]any) {
	t.Helper()
	text, err := report.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	compareValue(t, "report", got, want)
}

// compareValue takes names that only we have as additions.
func compareValue(t *testing.T, at string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %v, want an object", at, got)
		}
		for name := range want {
			if _, ok := members[name]; !ok {
				t.Errorf("%s.%s is missing", at, name)
			}
			compareValue(t, at+"."+name, members[name], want[name])
		}
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			t.Errorf("%s is %v, want %v", at, got, want)
			return
		}
		for i := range want {
			compareValue(t, fmt.Sprintf("%s[%d]", at, i), items[i], want[i])
		}
	case float64:
		if number, ok := got.(float64); !ok || math.Abs(number-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", at, got, want)
		}
	default:
		if got != want {
			t.Errorf("%s is %v, want %v", at, got, want)
		}
	}
}

// compareText takes away what may follow the sweep of a metric, and wants the
// rest byte for byte.
func compareText(t *testing.T, got, want string) {
	t.Helper()
	var layout []string
	afterSweep := false
	for line := range strings.Lines(got) {
		if afterSweep && line != "\n" {
			if !isAddition(line) {
				t.Errorf("line after a sweep has no known start: %q", line)
			}
			continue
		}
		afterSweep = strings.HasPrefix(line, "    0.05:")
		layout = append(layout, line)
	}
	if diff := cmp.Diff(want+"\n", strings.Join(layout, "")); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func isAddition(line string) bool {
	for _, start := range []string{"failed  0.0 |", "ok      0.0 |", "other   0.0 |", "labels: ", "95% interval ", "over all thresholds: ", "note: ", "warning: "} {
		if strings.HasPrefix(line, "  "+start) {
			return true
		}
	}
	return false
}
