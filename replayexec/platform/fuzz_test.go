package platform

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
)

// addRecordings seeds with what the real program printed.
func addRecordings(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("../../fixtures/contract/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var said struct {
			Stdout string `json:"stdout"`
			Stderr string `json:"stderr"`
		}
		if err := json.Unmarshal(text, &said); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(said.Stdout + said.Stderr))
	}
	f.Add([]byte("\xef\xbb\xbf{\"id\": \"e-1\"}"))
	f.Add([]byte("{\"id\": \"e-1\"} {}"))
	f.Add([]byte(`{"items": null, "pagination": {"total": -1, "limit": 1}}`))
}

// FuzzAnswers checks what each parser promises about an answer that it takes.
func FuzzAnswers(f *testing.F) {
	addRecordings(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if run, err := parseRun(text); err == nil && run.ID == "" {
			t.Error("a run without an id")
		}
		if page, err := parsePage(text); err == nil {
			l := &listing{seen: map[string]bool{}, offset: page.Pagination.Offset}
			l.take(page, checkScore(t))
			if page.Pagination.Limit <= 0 || l.offset < page.Pagination.Offset || l.read+l.repeated != len(page.Items) {
				t.Errorf("page %+v, then %+v", page.Pagination, l)
			}
		}
		if scores, err := parseScores(text); err == nil {
			for _, s := range scores {
				checkScore(t)(s)
			}
		}
		for _, parse := range []func([]byte) (jsontext.Value, error){parseTrace, parseList} {
			if value, err := parse(text); err == nil && !value.IsValid() {
				t.Errorf("not valid: %q", value)
			}
		}
	})
}

func checkScore(t *testing.T) func(sessionScore) {
	return func(s sessionScore) {
		score, left := s.usable()
		if left == "" && !(score.Value >= 0 && score.Value <= 1 && score.SessionID != "" && score.Metric != "") {
			t.Errorf("usable: %+v", score)
		}
	}
}

// FuzzComplaint checks that any failure gets a class with words and a message of one short line.
func FuzzComplaint(f *testing.F) {
	for _, status := range []string{"", `"status": 429, `, `"status": 503, `} {
		f.Add([]byte(`{"error": {"code": "api_error", ` + status + `"message": "Rate limit exceeded"}}`))
	}
	addRecordings(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		for code := 1; code <= 6; code++ {
			e := classify(replayexec.Output{ExitCode: code, StderrTail: string(text)}, text)
			if e == nil || texts[e.Class].what == "" {
				t.Fatalf("exit status %d: %+v", code, e)
			}
			e.Message = oneLine(e.Message)
			if said := e.Error(); strings.ContainsAny(said, "\n\r\x1b") || len([]rune(e.Message)) > maxMessage {
				t.Errorf("exit status %d: %q", code, said)
			}
		}
	})
}
