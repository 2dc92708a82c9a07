package calibrate

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScoresSetAndGet(t *testing.T) {
	s := NewScores()
	s.Add("without a score")
	set(t, s, "s1", "b", 0.25)
	set(t, s, "s2", "a", 1)
	set(t, s, "s1", "b", 0.75)
	for _, c := range []struct {
		session, metric string
		value           float64
		found           bool
	}{
		{"s1", "b", 0.75, true}, {"s2", "a", 1, true}, {"s1", "a", 0, false}, {"s2", "b", 0, false},
		{"without a score", "a", 0, false}, {"unknown", "a", 0, false}, {"s1", "unknown", 0, false},
	} {
		if value, found := s.Get(c.session, c.metric); value != c.value || found != c.found {
			t.Errorf("%s, %s: %v, %v", c.session, c.metric, value, found)
		}
	}
	if s.Len() != 3 || s.Count() != 2 || !slices.Equal(s.Metrics(), []string{"a", "b"}) {
		t.Errorf("%d sessions, %d scores, metrics %q", s.Len(), s.Count(), s.Metrics())
	}
}

func TestScoresRefuse(t *testing.T) {
	s := NewScores()
	for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1e-9, math.Nextafter(1, 2), 85} {
		if err := s.Set("s1", "m", value); err == nil {
			t.Errorf("took %v", value)
		}
	}
	for _, metric := range []string{"", "m\xff"} {
		if err := s.Set("s1", metric, 0.5); err == nil {
			t.Errorf("took metric %q", metric)
		}
	}
	if s.Len() != 0 || s.Count() != 0 || len(s.Metrics()) != 0 {
		t.Errorf("a refused score left %d sessions, %d scores, metrics %q", s.Len(), s.Count(), s.Metrics())
	}
	if _, err := FromMap(map[string]map[string]float64{"s1": {"m": math.NaN()}}); err == nil {
		t.Error("FromMap took NaN")
	}
}

func TestScoresFillKeepsWhatIsThere(t *testing.T) {
	platform, history := NewScores(), NewScores()
	set(t, platform, "s1", "a", 0.1)
	set(t, history, "s2", "a", 0.2)
	set(t, history, "s1", "a", 0.9)
	set(t, history, "s1", "b", 0.3)
	history.Add("s3")
	if filled := platform.Fill(history); filled != 2 {
		t.Errorf("took %d scores, want 2", filled)
	}
	want, err := FromMap(map[string]map[string]float64{"s1": {"a": 0.1, "b": 0.3}, "s2": {"a": 0.2}, "s3": nil})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asMap(want), asMap(platform)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if platform.Count() != 3 || history.Count() != 3 {
		t.Errorf("%d and %d scores, want 3 and 3", platform.Count(), history.Count())
	}
}

func set(t *testing.T, s *Scores, session, metric string, value float64) {
	t.Helper()
	if err := s.Set(session, metric, value); err != nil {
		t.Fatal(err)
	}
}

func asMap(s *Scores) map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	for session := range s.Sessions() {
		all[session] = map[string]float64{}
		for _, metric := range s.Metrics() {
			if value, found := s.Get(session, metric); found {
				all[session][metric] = value
			}
		}
	}
	return all
}
