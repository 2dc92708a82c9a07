package calibrate

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Nothing follows the metric that the labels did not bring.
func TestTextWithoutLabelsHasNoAdditions(t *testing.T) {
	want := `Calibration over 2 session(s) (sources: evalset, history)

m  (configured threshold 0.50, 2 scores)
  distribution: min 0.10  median 0.50  mean 0.50  max 0.90  stdev 0.57
  histogram [0.0..1.0): 0 1 0 0 0 0 0 0 0 1
  sweep (threshold -> breaches):
    0.05:0  0.10:0  0.15:1  0.20:1  0.25:1  0.30:1  0.35:1  0.40:1  0.45:1  0.50:1  0.55:1  0.60:1  0.65:1  0.70:1  0.75:1  0.80:1  0.85:1  0.90:1  0.95:2
`
	report := mustRun(t, scoresOf(t, 0.1, 0.9), Options{Sources: []string{"evalset", "history"}})
	if diff := cmp.Diff(want, report.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTextAfterTheSweep(t *testing.T) {
	labels := LabelsFromMap(map[string]bool{"s0": true, "s1": true, "s2": false, "s3": true, "s4": false})
	report := mustRun(t, scoresOf(t, 0.1, 0.2, 0.3, 0.6, 0.9), Options{Labels: labels})
	_, got, _ := strings.Cut(report.Text(), "0.95:5\n")
	want := `  failed  0.0 |·██···█···| 1.0
  ok      0.0 |···█·····█| 1.0
  labels: 3 failed, 2 ok
  95% interval at threshold 0.50: precision 0.21 to 0.94  recall 0.21 to 0.94
  over all thresholds: ROC AUC 0.83  average precision 0.92
  warning: the recommendations rest on 3 failed and 2 ok labels; with fewer than 10 of each, one more label can move them
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The bars have one scale, and show that there is something however little.
func TestBarsOfAHistogram(t *testing.T) {
	m := Metric{Count: 1110, Histogram: [buckets]int{1, 10, 99, 1000}, Labeled: &Labeled{
		LabeledSessions: 1009, FailedHistogram: [buckets]int{1, 8}, OKHistogram: [buckets]int{3: 1000},
	}}
	var got strings.Builder
	m.writeBars(&got)
	want := `  failed  0.0 |▁▁········| 1.0
  ok      0.0 |···█······| 1.0
  other   0.0 |·▁▁·······| 1.0
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	for count, want := range []rune("·▁▂▃▄▅▆▇█") {
		if got := bar(count, 8); got != want {
			t.Errorf("%d of 8: %c, want %c", count, got, want)
		}
	}
}

func TestTextSaysWhatIsUndefined(t *testing.T) {
	report := mustRun(t, scoresOf(t, 0.7), Options{Labels: LabelsFromMap(map[string]bool{"s0": false})})
	for _, want := range []string{"stdev n/a", "precision n/a  recall n/a\n", "ROC AUC n/a  average precision n/a\n"} {
		if !strings.Contains(report.Text(), want) {
			t.Errorf("no %q in:\n%s", want, report.Text())
		}
	}
}

// A threshold shows more than two digits when the rounded one would breach other
// scores; otherwise both do the same, and two will do.
func TestThresholdDigits(t *testing.T) {
	for _, c := range []struct {
		threshold float64
		scores    []float64
		want      string
	}{
		{0.5, []float64{0.5}, "0.50"},
		{0.55, []float64{0.5}, "0.55"},
		{0.8, []float64{0.7966}, "0.80"},
		{0.7966, []float64{0.5, 0.9}, "0.80"},
		{0.7966, []float64{0.7966, 0.9}, "0.7966"},
		{0.7966, []float64{0.798}, "0.797"},
		{0.125, []float64{0.123}, "0.125"},
		{0.125, []float64{0.2}, "0.12"},
		{0, []float64{0}, "0.00"},
		{math.Copysign(0, -1), []float64{0}, "0.00"},
		{1, []float64{0}, "1.00"},
	} {
		report := mustRun(t, scoresOf(t, c.scores...), Options{Thresholds: map[string]float64{"m": c.threshold}})
		if want := "(configured threshold " + c.want + ","; !strings.Contains(report.Text(), want) {
			t.Errorf("threshold %v of %v: no %q in:\n%s", c.threshold, c.scores, want, report.Text())
		}
	}
}

// scoresWithPrecision has a breach for each label; so many of them failed.
func scoresWithPrecision(t *testing.T, failed, all int) (*Scores, *Labels) {
	t.Helper()
	values, labels := make([]float64, all), NewLabels()
	for i := range values {
		values[i] = 0.42
	}
	scores := scoresOf(t, values...)
	for session := range scores.Sessions() {
		labels.Set(session, labels.Len() < failed)
	}
	return scores, labels
}

// A precision that reads like the target but misses it must not look like a
// mistake.
func TestTargetDigits(t *testing.T) {
	for _, c := range []struct {
		failed, all int
		target      float64
		want, note  string
	}{
		{9, 10, 0.9, "precision \u2265 0.90 first at", ""},
		{26, 29, 0.9, "precision \u2265 0.90: unreachable", "note: precision 0.897 at threshold 0.50 is below the target 0.900\n"},
		{8, 10, 0.9, "precision \u2265 0.90: unreachable", ""},
		{299, 300, 0.996, "precision \u2265 0.996 first at", ""},
		{299, 300, 0.998, "precision \u2265 1.00: unreachable", "note: precision 0.997 at threshold 0.50 is below the target 0.998\n"},
	} {
		scores, labels := scoresWithPrecision(t, c.failed, c.all)
		text := mustRun(t, scores, Options{Labels: labels, TargetPrecision: &c.target}).Text()
		if !strings.Contains(text, c.want) || !strings.Contains(text, c.note) || c.note == "" && strings.Contains(text, "note:") {
			t.Errorf("%d of %d for %v: want %q and %q in:\n%s", c.failed, c.all, c.target, c.want, c.note, text)
		}
	}
}

func TestNamesCannotForgeLines(t *testing.T) {
	scores := NewScores()
	set(t, scores, "s1", "m\n  best F1 1.00", 0.5)
	set(t, scores, "s1", "\u202em", 0.5)
	set(t, scores, "s1", "Pr\u00e9cision", 0.5)
	text := mustRun(t, scores, Options{}).Text()
	for _, want := range []string{"\n\"m\\n  best F1 1.00\"  (conf", "\n\"\\u202em\"  (conf", "\nPr\u00e9cision  (conf"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}
