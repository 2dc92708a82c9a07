package workspace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBaselines(t *testing.T) {
	w := newTest(t)
	add := func(n int, created, session, kind, scores string) {
		id := fmt.Sprintf("c-%010d", n)
		write(t, w, "state/evalset/"+id+".json", fmt.Sprintf(`{"id": %q, "created_at": %q, "session_id": %q, "kind": %q, "baseline_scores": %s, "replay_input": NaN}`, id, created, session, kind, scores))
	}
	add(1, "2026-01-02T00:00:00Z", "s", "win", `{"m": 0.9, "n": "0.9"}`)
	add(2, "2026-01-01T00:00:00Z", "s", "failure", `{"m": 0.1, "n": 0.2}`)
	add(3, "2026-01-02T01:00:00+01:00", "t", "failure", `{"m": 1, "n": null, "o": NaN, "p": 1.5, "": 0.5}`)
	add(4, "2026-01-02T00:00:00Z", "t", "win", `{}`) // as new, larger id
	write(t, w, "state/evalset/c-0000000005.json", `{`)
	write(t, w, "state/evalset/c-0000000006.json", `{"id": "c-0000000006"}`)

	b, err := w.Baselines()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]SessionScore{{"s", "m", 0.9}, {"s", "n", 0.2}, {"t", "m", 1}}, b.Scores); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]bool{"s": false, "t": false}, b.Failed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{LeftNotNumber: 2, LeftAbsent: 1, LeftOutOfRange: 1, LeftEntry: 1}, b.LeftOut); diff != "" {
		t.Error(diff)
	}
	if len(b.Broken) != 2 || !strings.Contains(b.Broken[0].Error(), "c-0000000005.json:1") || !strings.Contains(b.Broken[1].Error(), "session_id") {
		t.Errorf("broken: %v", b.Broken)
	}
}
