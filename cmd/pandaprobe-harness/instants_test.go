package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Cases and candidates are taken by instant, ties by id, however the times are
// written.
func TestOrderByInstant(t *testing.T) {
	t.Parallel()
	times := []struct{ id, at string }{ // oldest first
		{"c-0000000009", "2026-01-01T11:59:59.999999+00:00"},
		{"c-0000000008", "2026-01-01T12:00:00Z"},
		{"c-0000000007", "2026-01-01T12:00:00.1Z"},
		{"c-0000000006", "2026-01-01T13:00:00.12+01:00"},
		{"c-0000000001", "2026-01-01T12:00:00.15Z"},
		{"c-0000000002", "2026-01-01T12:00:00.150Z"},
		{"c-0000000003", "2026-01-01T12:00:00.150000+00:00"},
	}
	p := newProgram(t, replayConfig(`echo "$HARNESS_RULE_ID $HARNESS_CASE_ID" >> replayed; exit 1`))
	for _, i := range []int{4, 0, 6, 2, 5, 1, 3} {
		c := times[i]
		p.ask(&struct{}{}, fmt.Sprintf(`{"id":%q,"created_at":%q,"session_id":"of-%s","kind":"failure",
			"signature":["breach:m"],"baseline_scores":{"m":0.3},"replay_input":1}`, c.id, c.at, c.id), []string{"case", "add"})
	}
	first, second := p.addRule("one", "--metric", "m"), p.addRule("two", "--metric", "m")
	third := p.addRule("three", "--metric", "m")
	for id, at := range map[string]string{first: "2026-01-01T12:00:00.15Z", second: "2026-01-01T12:00:00.1Z", third: "2026-01-01T13:00:00.12+01:00"} {
		file := "state/rules/" + id + ".toml"
		p.write(file, replaceLine(p.read(file), "created_at", "created_at = "+at))
	}
	p.must("validate")
	var want []string
	for _, rule := range []string{second, third, first} {
		for _, c := range []string{"c-0000000003", "c-0000000002", "c-0000000001"} {
			want = append(want, rule, c)
		}
	}
	if diff := cmp.Diff(want, strings.Fields(p.read("replayed"))); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}

	p.ask(&struct{}{}, `{"session_id":"new","kind":"failure","signature":["breach:m"]}`, []string{"case", "add", "--set", "eval_case_max=4"})
	var list struct{ Cases []struct{ ID string } }
	p.ask(&list, "", []string{"case", "list"})
	var left []string
	for _, c := range list.Cases {
		left = append(left, c.ID)
	}
	slices.Sort(left)
	if len(left) != 4 || !slices.Contains(left, "c-0000000001") || !slices.Contains(left, "c-0000000002") || !slices.Contains(left, "c-0000000003") {
		t.Errorf("left after eviction: %v", left)
	}
}

// replaceLine replaces the line of a TOML file that sets key.
func replaceLine(text, key, line string) string {
	all := strings.Split(text, "\n")
	for i := range all {
		if strings.HasPrefix(all[i], key+" =") {
			all[i] = line
		}
	}
	return strings.Join(all, "\n")
}
