package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const candidateText = `id = "r-%010x"
created_at = 2026-01-01T00:00:00.%06dZ
status = "candidate"
metric = "m"
tags = []
signatures = []
rule = "Rule number %d."
rationale = ""

[trial]
baseline_breached_sessions = 1
baseline_sessions = 2
baseline_window = 3
trial_started_at = 2026-01-01T00:00:00Z
verdict = ""
`

// TestTenThousandCandidates works on a quarter of the candidates and on all of
// them: four times as many may not cost sixteen times as much.
func TestTenThousandCandidates(t *testing.T) {
	many := scale(t, "TORTURE_CANDIDATES", 400)
	few := costsWith(t, many/4)
	all := costsWith(t, many)
	for command, cost := range all {
		if small := few[command]; many >= 4000 && cost > time.Second && cost > 9*small {
			t.Errorf("%s: %s with %d candidates, %s with %d", command, small, many/4, cost, many)
		}
	}
	t.Logf("torture: processor time with %d candidates %v, with %d %v", many/4, few, many, all)
}

// costsWith returns the processor time that commands take with n candidates.
func costsWith(t *testing.T, n int) map[string]time.Duration {
	t.Helper()
	p := newProgram(t, "max_active_rules = 0\nauto_validate = false\nrule_trial_min_sessions = 2\n")
	for i := range n {
		p.write(fmt.Sprintf("state/rules/r-%010x.toml", i), fmt.Sprintf(candidateText, i, i, i))
	}
	costs := map[string]time.Duration{}
	run := func(stdin string, args ...string) string {
		c := p.command(args...)
		c.Stdin = strings.NewReader(stdin)
		c.begin()
		if err := c.Wait(); err != nil {
			t.Fatalf("%q with %d candidates: %v\n%s", args, n, err, c.stderr.String())
		}
		costs[args[0]] += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		return c.stdout.String()
	}
	run("", "context")
	run("", "rule", "list")
	run(`{"session_id": "s-1", "scores": {"m": 0.9}}`, "observe")
	run(`{"session_id": "s-2", "scores": {"m": 0.9}}`+"\n"+`{"session_id": "s-3", "scores": {"m": 0.9}}`, "observe", "--stream")
	var round struct{ Checked int }
	p.decode(run("", "validate", "--json"), &round)
	promoted := len(p.files("state/trials/*.jsonl"))
	if list := run("", "rule", "list", "--status", "active"); round.Checked != n || promoted != n || strings.Count(list, "\nr-") != n {
		t.Errorf("%d candidates: %d judged, %d with evidence, %d lines of active ones", n, round.Checked, promoted, strings.Count(list, "\nr-"))
	}
	if rendered := p.read("harness_rules.md"); strings.Count(rendered, "**r-") != n {
		t.Errorf("%d rules are rendered, want %d", strings.Count(rendered, "**r-"), n)
	}
	run("", "doctor")
	return costs
}

// TestLargeInputs captures a session whose input has 20 MB, digit for digit, and
// replays it.
func TestLargeInputs(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "[replay]\ncommand = 'wc -c > size; cp \"$HARNESS_CASE_FILE\" copy; echo \"{\\\"session_id\\\": \\\"again\\\", \\\"scores\\\": {\\\"m\\\": 0.9}}\"'\n")
	input := `{"pi": 3.14159265358979323846, "one": 1.00, "text": "` + strings.Repeat("0123456789abcdef", 20<<16) + `"}`
	c := `{"id": "c-0000000001", "session_id": "s-1", "kind": "failure", "signature": ["breach:m"], "baseline_scores": {"m": 0.2}, "replay_input": ` + input + `}`
	if out := p.pipe(c, "case", "add"); out.code != 0 {
		t.Fatal(out.stderr)
	}
	for _, args := range [][]string{{"case", "list"}, {"case", "show", "c-0000000001"}, {"rule", "add", "--rule", "x", "--metric", "m"}, {"validate"}, {"regress"}, {"doctor"}} {
		if out := p.run(args...); out.code != 0 {
			t.Errorf("%q: %s", args, out.stderr)
		}
	}
	for _, name := range []string{"state/evalset/c-0000000001.json", "copy"} {
		text := p.read(name)
		if !strings.Contains(text, "3.14159265358979323846") || !strings.Contains(text, "1.00") || len(text) < len(input) {
			t.Errorf("%s has %d bytes, want more than %d, every digit kept", name, len(text), len(input))
		}
	}
	if out := p.pipe(input, "case", "attach", "c-0000000001"); out.code != 0 {
		t.Error(out.stderr)
	}
	report := `{"session_id": "s-2", "scores": {"m": 0.1}, "replay_input": ` + input + `}`
	if out := p.pipe(report, "observe", "--no-validate", "--set", "capture_eval_cases=true"); out.code != 0 || !strings.Contains(out.stdout, "captured") {
		t.Errorf("exit code %d: %s%s", out.code, out.stdout, out.stderr)
	}
	if out := p.pipe(report+"\n", "observe", "--stream", "--no-validate", "--set", "capture_eval_cases=true"); out.code != 0 {
		t.Error(out.stderr)
	}
}
