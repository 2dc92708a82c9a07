package platform

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// TestSourcesVectors checks the platform's part of the vectors: what it has stands before what the other sources have.
func TestSourcesVectors(t *testing.T) {
	files, err := filepath.Glob("../../fixtures/vectors/sources/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var vector struct {
				Items    []map[string]jsontext.Value   `json:"platform_items"`
				Expected map[string]map[string]float64 `json:"expected_scores"`
			}
			text, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(text, &vector)
			}
			if err != nil {
				t.Fatal(err)
			}
			c, _, _ := newClient(t, itemsScenario(t, vector.Items))
			got, err := c.NewestScores(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range got.Scores {
				if want, ok := vector.Expected[s.SessionID][s.Metric]; !ok || s.Value != want {
					t.Errorf("%s %s is %v, want %v", s.SessionID, s.Metric, s.Value, want)
				}
			}
			good := 0
			for _, item := range vector.Items {
				if string(item["status"]) == `"SUCCESS"` {
					good++
				}
			}
			if len(got.Scores) != good {
				t.Errorf("%d scores, want %d", len(got.Scores), good)
			}
		})
	}
}

func itemsScenario(t *testing.T, items []map[string]jsontext.Value) string {
	t.Helper()
	type session struct {
		Scores []map[string]jsontext.Value `json:"scores"`
	}
	sessions := map[string]session{}
	for _, item := range items {
		var id string
		if err := json.Unmarshal(item["session_id"], &id); err != nil {
			t.Fatal(err)
		}
		sessions[id] = session{append(sessions[id].Scores, item)}
	}
	text, err := json.Marshal(map[string]any{"sessions": sessions})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
