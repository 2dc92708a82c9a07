//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// hostileReplays print the file "forgery", or answer with it as a metric that
// falls while the active rule is in force.
var hostileReplays = map[string]string{
	"fails":            `cat forgery >&2; exit 7`,
	"answers nonsense": `cat forgery`,
	"answers":          `cat forgery >&2; if grep -q r-0000000002 "$HARNESS_CONTEXT_FILE"; then cat bad; else cat good; fi`,
}

// TestOutputForgesNothing looks at all that is shown of what replays print and
// answer.
func TestOutputForgesNothing(t *testing.T) {
	t.Parallel()
	for i, forgery := range forgeries {
		metric, session := quoted(t, forgery), quoted(t, "s "+printable(forgery))
		scores := func(score string) string {
			return `{"session_id": ` + session + `, "scores": {` + metric + `: ` + score + `}}`
		}
		evalCase := func(id, kind, score string) string {
			return `{"id": "` + id + `", "created_at": "2026-01-01T00:00:00Z", "session_id": "` + kind + `", "kind": "` + kind + `",
			 "signature": ["breach:m"], "baseline_scores": {` + metric + `: ` + score + `}, "replay_input": 1, "notes": ""}`
		}
		active := strings.NewReplacer("r-0000000001", "r-0000000002", `"candidate"`, `"active"`, "Be brief.", "Be kind.").Replace(candidateFile)
		for name, command := range hostileReplays {
			root := newWorkspace(t, map[string]string{
				"harness.toml":                  "auto_validate = false\n[replay]\ncommand = '''" + command + "'''\n[score]\ncommand = 'tee /dev/stderr < forgery'\n",
				"state/rules/r-0000000001.toml": candidateFile, "state/rules/r-0000000002.toml": active,
				"state/evalset/c-0000000001.json": evalCase("c-0000000001", "failure", "0.2"), "state/evalset/c-0000000002.json": evalCase("c-0000000002", "win", "0.9"),
				"forgery": forgery, "bad": scores("0.1"), "good": scores("0.9"),
			})
			shown := map[string]string{}
			in := func(what, line string) {
				o := call(t, "", append(strings.Fields(line), "--workspace", root)...)
				shown[what], shown[what+"'s log"] = o.stdout, o.stderr
			}
			for _, line := range []string{"regress", "validate"} {
				args := line + " --summary " + filepath.Join(root, line+".md") + " --junit " + filepath.Join(root, line+".xml")
				if line == "regress" {
					args += " --blame"
				}
				in(line, args)
				if !strings.Contains(shown[line], "c-0000000001") {
					t.Fatalf("forgery %d, %s: %s replays nothing:\n%s%s", i, name, line, shown[line], shown[line+"'s log"])
				}
				shown["junit.xml"] = fileText(t, filepath.Join(root, line+".xml"))
				checkInert(t, i, "junit.xml", shown["junit.xml"])
			}
			if name == "answers" && !strings.Contains(shown["regress"], "r-0000000002 breaks it") {
				t.Errorf("forgery %d: no rule is blamed:\n%s", i, shown["regress"])
			}
			shown["summary.md"] = fileText(t, filepath.Join(root, "validate.md"))
			for _, line := range []string{"journal", "reflect", "case list", "case show c-0000000001", "rule show r-0000000001", "rule list --status retired"} {
				in(line, line)
			}
			for what, text := range shown {
				checkInert(t, i, what, text)
			}
		}
	}
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestMessagesForgeNothing: what stands in a message or in the log of the
// background stays on its line.
func TestMessagesForgeNothing(t *testing.T) {
	t.Parallel()
	root := newWorkspace(t, nil)
	for i, forgery := range forgeries {
		checkInert(t, i, "a message", call(t, "", "observe", "--file", forgery, "--workspace", root).stderr)
		var log bytes.Buffer
		e := &env{stderr: &log}
		e.noteRound(lifecycle.Round{Verdicts: []lifecycle.Verdict{{RuleID: "r-0000000001", Outcome: lifecycle.Pending, Reason: forgery}}}, errors.New(forgery))
		checkInert(t, i, "the log of the background", log.String())
		if lines := strings.Count(log.String(), "\n"); lines != 2 {
			t.Errorf("forgery %d: %d lines for two notes:\n%s", i, lines, &log)
		}
	}
}
