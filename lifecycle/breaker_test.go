package lifecycle

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestBreaker plays notices that are due at the given seconds, "r" being a
// recovery, with at most two in 10 seconds. The state is stored in between.
func TestBreaker(t *testing.T) {
	for _, tt := range []struct {
		name string
		most int
		due  string
		want string
	}{
		{"a flood", 2, "0 1 2 3 4", "post post human hold hold"},
		{"in no hurry", 2, "0 5 10 15 20", "post post post post post"},
		{"the window slides", 2, "0 8 10 11 12", "post post post human hold"},
		{"closes when the window has drained", 2, "0 1 2 3 11.9 12 13 14", "post post human hold hold post post human"},
		{"what is held back does not keep it open", 2, "0 1 2 4 6 8 10 12", "post post human hold hold hold hold post"},
		{"a recovery closes it", 2, "0 1 2 3 r 4 5 6", "post post human hold post post human"},
		{"a recovery before it opens", 2, "0 1 r 2 3 4", "post post post post human"},
		{"no breaker", 0, "0 0 0 0 0 0 0", "post post post post post post post"},
		{"at the first", 1, "0 0 0", "post human hold"},
		{"a clock set back a little", 2, "100 99 98 97", "post post human hold"},
		{"a clock set back far holds nothing up", 2, "900 900 900 900 0 1 2 3", "post post human hold post post human hold"},
	} {
		var b breakerState
		var got []string
		for due := range strings.FieldsSeq(tt.due) {
			if due == "r" {
				b.recovered()
				continue
			}
			names := map[breakerDecision]string{breakerPost: "post", breakerNeedsHuman: "human", breakerHold: "hold"}
			got = append(got, names[b.admit(second(t, due), tt.most, 10)])
			b = storedBreaker(t, b)
		}
		if diff := cmp.Diff(strings.Fields(tt.want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func second(t *testing.T, seconds string) workspace.Time {
	t.Helper()
	d, err := time.ParseDuration(seconds + "s")
	if err != nil {
		t.Fatal(err)
	}
	return workspace.NewTime(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(d))
}

func storedBreaker(t *testing.T, b breakerState) breakerState {
	t.Helper()
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var read breakerState
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return read
}
