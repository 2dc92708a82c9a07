package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlameExample runs the bundled workspace with five active rules, of which
// one breaks a win (fixtures/blame).
func TestBlameExample(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the example's agent is a shell script")
	}
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("..", "..", "fixtures", "blame"))); err != nil {
		t.Fatal(err)
	}
	harness := func(args ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		environ := []string{"PATH=" + os.Getenv("PATH"), "HARNESS_ROOT=" + root}
		code = run(context.Background(), append([]string{programName}, args...), environ, strings.NewReader(""), &out, &errs)
		return code, out.String(), errs.String()
	}

	code, text, said := harness("regress", "--blame")
	if code != exitGate || !strings.Contains(text, "rule r-b1a0000003 breaks it; blame (5 replays)") ||
		!strings.Contains(text, "blame took 5 replays of at most 7") {
		t.Errorf("exit code %d:\n%s", code, text)
	}
	if want := "blame: 1 win regressed, 5 active rules in force: at most 7 more replays"; !strings.Contains(said, want) {
		t.Errorf("standard error lacks %q:\n%s", want, said)
	}

	_, document, _ := harness("regress", "--blame", "--retire", "--json")
	var got struct {
		Blame struct {
			Limit, Replays int
			Wins           []struct {
				CaseID  string `json:"case_id"`
				RuleID  string `json:"rule_id"`
				Retired bool
				Tried   []struct {
					LeftOut []string `json:"left_out"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(document), &got); err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	if got.Blame.Limit != 7 || got.Blame.Replays != 5 || len(got.Blame.Wins) != 1 {
		t.Fatalf("blame: %+v", got.Blame)
	}
	win := got.Blame.Wins[0]
	if win.CaseID != "c-b1a00000a1" || win.RuleID != "r-b1a0000003" || !win.Retired {
		t.Errorf("got %+v", win)
	}
	var leftOut []string
	for _, replay := range win.Tried {
		leftOut = append(leftOut, strings.Join(replay.LeftOut, ","))
	}
	if diff := cmp.Diff([]string{"", "r-b1a0000005", "r-b1a0000004", "r-b1a0000003", "r-b1a0000003"}, leftOut); diff != "" {
		t.Errorf("left out, newest first (-want +got):\n%s", diff)
	}
	if code, text, _ := harness("regress"); code != exitDone || !strings.Contains(text, "3 cases: 0 regressed") {
		t.Errorf("after the retirement: exit code %d:\n%s", code, text)
	}
}
