package calibrate

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheckMatch(t *testing.T) {
	scores := map[string]map[string]float64{"s-01 ": {"m": 0.5}, "run/2": {"m": 0.5}, "bare": nil}
	for _, c := range []struct {
		name   string
		labels map[string]bool
		scores map[string]map[string]float64
		want   *NoMatchError
	}{
		{"one matches", map[string]bool{"x": true, "run/2": false}, scores, nil},
		{"case and white space", map[string]bool{"A": true, "S-01": true}, scores, &NoMatchError{2, 2, "S-01", "s-01 "}},
		{"punctuation", map[string]bool{"run_2": true}, scores, &NoMatchError{1, 2, "run_2", "run/2"}},
		{"a letter", map[string]bool{"run/3": true, "zzzzzzzz": true}, scores, &NoMatchError{2, 2, "run/3", "run/2"}},
		{"a session without a score", map[string]bool{"bare": true}, scores, &NoMatchError{1, 2, "bare", "run/2"}},
		{"no labels", nil, scores, &NoMatchError{0, 2, "", ""}},
		{"no scores", map[string]bool{"x": true}, nil, &NoMatchError{1, 0, "", ""}},
	} {
		store, err := FromMap(c.scores)
		if err != nil {
			t.Fatal(err)
		}
		var got *NoMatchError
		if err := CheckMatch(store, LabelsFromMap(c.labels)); err != nil && !errors.As(err, &got) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if err := CheckMatch(NewScores(), nil); err == nil {
		t.Error("no labels at all match")
	}
}

func TestNoMatchErrorShowsANearMiss(t *testing.T) {
	for want, e := range map[string]*NoMatchError{
		`none of 2 labels names one of 3 scored sessions: the closest are label "S-01" and session "s-01 "`: {2, 3, "S-01", "s-01 "},
		`there are no labels`: {0, 3, "", ""},
		`none of 2 labels names a scored session: no session has a score`: {2, 0, "", ""},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
}

// The hint must not take a time that grows with the product of both sides: that
// would be hours here, and the test would hang.
func TestCheckMatchIsQuickOnMuchData(t *testing.T) {
	scores, labels := NewScores(), NewLabels()
	for i := range 50000 {
		set(t, scores, fmt.Sprintf("session-%d", i), "m", 0.5)
		labels.Set(fmt.Sprintf("label-%d", i), true)
	}
	var got *NoMatchError
	if err := CheckMatch(scores, labels); !errors.As(err, &got) || got.Label == "" || got.Session == "" {
		t.Error(err)
	}
}
