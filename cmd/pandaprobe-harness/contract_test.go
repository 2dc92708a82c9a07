package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	ruleKeys = strings.Fields("id created_at rule rationale source_notice_id metric status tags signatures trial")
	caseKeys = strings.Fields("id created_at session_id kind signature baseline_scores replay_input notes")
)

// TestDocumentsHaveTheirKeys holds every document against the shapes that
// docs/cli.md promises; a path names the object whose keys are meant.
func TestDocumentsHaveTheirKeys(t *testing.T) {
	answer := `echo '{"session_id": "n", "scores": {"m": 0.95}}'`
	listed := append(slices.DeleteFunc(slices.Clone(caseKeys), func(k string) bool { return k == "replay_input" }), "replayable")
	for _, test := range []struct {
		args string
		path string
		want []string
	}{
		{"rule add --rule x", "", strings.Fields("ok rule created")},
		{"rule add --rule x", "rule", ruleKeys},
		{"rule show r-0000000001", "", strings.Fields("ok rule created")},
		{"rule show r-0000000001", "rule.trial", strings.Fields(`baseline_breached_sessions baseline_sessions baseline_window
			baseline_rate trial_started_at observed_sessions breached_sessions replay_attempts verdict`)},
		{"rule retire r-0000000001 --reason x", "", strings.Fields("ok rule created")},
		{"rule list", "", strings.Fields("ok rules")},
		{"rule list", "rules.0", ruleKeys},
		{"rule search brief", "", strings.Fields("ok rules")},
		{"rule search brief", "rules.0", ruleKeys},
		{"rule status r-0000000001", "", strings.Fields("ok rule lifecycle")},
		{"rule status r-0000000001", "lifecycle", strings.Fields(`status baseline_rate trial_rate sessions_observed
			sessions_needed replay_attempts verdict`)},
		{"case add --session s --kind win", "", strings.Fields("ok case created")},
		{"case add --session s --kind win", "case", caseKeys},
		{"case attach c-0000000001 --input 1", "", strings.Fields("ok case created")},
		{"case show c-0000000001", "", strings.Fields("ok case created")},
		{"case show c-0000000001", "case", caseKeys},
		{"case remove c-0000000001", "", strings.Fields("ok case created")},
		{"case list", "", strings.Fields("ok cases")},
		{"case list", "cases.0", listed},
		{"validate", "", strings.Fields("ok mode dry_run checked gate verdicts notes")},
		{"validate", "verdicts.0", strings.Fields("rule_id outcome validator reason reason_code applied details")},
		{"validate", "verdicts.0.details", strings.Fields("trial_rate baseline_rate observed_sessions")},
		{"validate -- sh -c|" + answer, "verdicts.0.details", strings.Fields("cases inconclusive context_rules context_sha256")},
		{"validate -- sh -c|" + answer, "verdicts.0.details.cases.0", strings.Fields("case_id kind session_id deltas duration_s")},
		{"validate -- sh -c|exit 7", "verdicts.0.details.cases.0", strings.Fields("case_id kind session_id deltas duration_s reason_code reason")},
		{"validate -- ./none", "", strings.Fields("ok mode dry_run checked gate verdicts notes error")},
		{"config", "", strings.Fields("ok settings")},
		{"config", "settings.0", strings.Fields("name value source")},
		{"context", "", strings.Fields("ok context")},
		{"import ../../fixtures/python-workspace-damaged", "", strings.Fields("ok from took known left_out notes")},
		{"import ../../fixtures/python-workspace-damaged", "took", strings.Fields("rules trials cases notices events samples")},
		{"import ../../fixtures/python-workspace-damaged", "left_out.0", strings.Fields("file reason")},
		{"version", "", strings.Fields("ok version commit go platform")},
		{"rule show r-9999999999", "", strings.Fields("ok error")},
		{"rule show r-9999999999", "error", strings.Fields("code message")},
		{"rule shw", "error", strings.Fields("code message")},
	} {
		t.Run(test.args+" "+test.path, func(t *testing.T) {
			root := newWorkspace(t, map[string]string{
				"state/rules/r-0000000001.toml":   candidateFile,
				"state/evalset/c-0000000001.json": failureFile,
			})
			line, last, isLast := strings.Cut(test.args, "|")
			args := append([]string{"--json", "--workspace", root}, strings.Fields(line)...)
			if isLast {
				args = append(args, last)
			}
			doc := document(t, call(t, "", args...))
			got := slices.Sorted(maps.Keys(at(t, doc, test.path)))
			if diff := cmp.Diff(slices.Sorted(slices.Values(test.want)), got); diff != "" {
				t.Errorf("keys of %q (-want +got):\n%s", test.path, diff)
			}
		})
	}
}

// at follows a path of names and indexes to an object.
func at(t *testing.T, doc any, path string) map[string]any {
	t.Helper()
	for part := range strings.SplitSeq(path, ".") {
		switch here := doc.(type) {
		case map[string]any:
			if part != "" {
				doc = here[part]
			}
		case []any:
			doc = here[len(part)-1]
		}
	}
	object, ok := doc.(map[string]any)
	if !ok {
		t.Fatalf("there is no object at %q", path)
	}
	return object
}
