package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type noticeVector struct {
	Config  map[string]any
	Reports []struct {
		SessionID string             `json:"session_id"`
		Scores    map[string]float64 `json:"scores"`
		Expected  noticeAnswer       `json:"expected"`
	}
}

// noticeAnswer is what the vectors compare of an observation.
type noticeAnswer struct {
	Signatures []string `json:"signatures"`
	Posted     bool     `json:"posted"`
	Severity   string   `json:"severity"`
	Recovered  bool     `json:"recovered"`
}

func TestNoticeVectors(t *testing.T) {
	eachVector(t, "notice", func(t *testing.T, v noticeVector) {
		p := newProgram(t, knobs(v.Config))
		posted := 0
		for i, report := range v.Reports {
			text, err := json.Marshal(map[string]any{"session_id": report.SessionID, "scores": report.Scores})
			if err != nil {
				t.Fatal(err)
			}
			var got noticeAnswer
			p.ask(&got, string(text), []string{"observe"})
			if diff := cmp.Diff(report.Expected, got); diff != "" {
				t.Errorf("report %d (-want +got):\n%s", i+1, diff)
			}
			if got.Posted {
				posted++
			}
		}
		if files := p.files("state/mailbox/pending/*.json"); len(files) != posted {
			t.Errorf("%d notices in the mailbox, want the %d that were posted", len(files), posted)
		}
	})
}
