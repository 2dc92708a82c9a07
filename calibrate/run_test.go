package calibrate

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func scoresOf(t *testing.T, values ...float64) *Scores {
	t.Helper()
	s := NewScores()
	for i, value := range values {
		set(t, s, fmt.Sprintf("s%d", i), "m", value)
	}
	return s
}

func mustRun(t *testing.T, scores *Scores, options Options) *Report {
	t.Helper()
	report, err := Run(scores, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestRunRefusesThresholdsOutOfRange(t *testing.T) {
	for _, bad := range []float64{math.NaN(), -0.1, 1.1, math.Inf(1)} {
		if _, err := Run(NewScores(), Options{Thresholds: map[string]float64{"m": bad}}); err == nil || !strings.Contains(err.Error(), `"m"`) {
			t.Errorf("threshold %v: %v", bad, err)
		}
		if _, err := Run(NewScores(), Options{TargetPrecision: &bad}); err == nil {
			t.Errorf("took target %v", bad)
		}
	}
}

func TestSweepThresholdsAreTheDecimals(t *testing.T) {
	want := []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95}
	var got []float64
	for _, p := range mustRun(t, scoresOf(t, 0.5), Options{}).Metrics[0].Sweep {
		got = append(got, p.Threshold)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestHistogramBoundsAreTheDecimals(t *testing.T) {
	for bucket, low := range []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9} {
		below := math.Nextafter(low, -1)
		if got := histogram([]float64{low}); got[bucket] != 1 {
			t.Errorf("%v is not in bucket %d: %v", low, bucket, got)
		}
		if got := histogram([]float64{below}); bucket > 0 && got[bucket-1] != 1 {
			t.Errorf("%v is not in bucket %d: %v", below, bucket-1, got)
		}
	}
	if got := histogram([]float64{1}); got[9] != 1 {
		t.Errorf("1.0 is not in the last bucket: %v", got)
	}
}

// 7 of 10 reaches 0.7, and so do all such pairs; one failure less does not.
func TestTargetIsReachedExactly(t *testing.T) {
	for whole := 1; whole <= 200; whole++ {
		for percent := 1; percent <= 100; percent++ {
			if whole*percent%100 != 0 {
				continue
			}
			target, part := float64(percent)/100, whole*percent/100
			if c := (confusion{tp: part, fp: whole - part}); !c.reaches(target) {
				t.Errorf("%d of %d does not reach %v", part, whole, target)
			}
			if c := (confusion{tp: part - 1, fp: whole - part + 1}); c.reaches(target) {
				t.Errorf("%d of %d reaches %v", part-1, whole, target)
			}
		}
	}
}

// 2/3 and 4/6 come from unlike counts; the lower threshold must win.
func TestBestF1TieIsDecidedOnCounts(t *testing.T) {
	for _, pair := range [][2]confusion{
		{{tp: 1, fp: 1, fn: 0}, {tp: 2, fp: 2, fn: 0}},
		{{tp: 3, fp: 1, fn: 6}, {tp: 6, fp: 8, fn: 6}},
		{{}, {tp: 0, fp: 5, fn: 0}},
	} {
		if pair[0].betterThan(pair[1]) || pair[1].betterThan(pair[0]) {
			t.Errorf("%+v and %+v do not tie", pair[0], pair[1])
		}
	}
	if !(confusion{tp: 1}).betterThan(confusion{}) {
		t.Error("a find is not better than nothing")
	}
}

// One store is filled forwards, one backwards: not one byte may differ.
func TestReportDoesNotDependOnOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	forwards, backwards, labels := NewScores(), NewScores(), NewLabels()
	values := make([]float64, 1000)
	for i := range values {
		values[i] = r.Float64()
		labels.Set(fmt.Sprint(i), r.Float64() < 0.3)
	}
	for i, value := range values {
		set(t, forwards, fmt.Sprint(i), "m", value)
	}
	for i, value := range slices.Backward(values) {
		set(t, backwards, fmt.Sprint(i), "m", value)
	}
	options := Options{Labels: labels, GeneratedAt: time.Unix(0, 0)}
	a, errA := mustRun(t, forwards, options).JSON()
	b, errB := mustRun(t, backwards, options).JSON()
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("%v, %v: (-forwards +backwards)\n%s", errA, errB, cmp.Diff(string(a), string(b)))
	}
}

func TestLabelCounts(t *testing.T) {
	scores := scoresOf(t, 0.1, 0.9)
	scores.Add("bare")
	for _, c := range []struct {
		labels *Labels
		want   *LabelCounts
	}{
		{nil, nil},
		{NewLabels(), &LabelCounts{}},
		{LabelsFromMap(map[string]bool{"s0": true, "bare": true, "x": false}), &LabelCounts{Given: 3, Matched: 1, Unmatched: 2}},
	} {
		if diff := cmp.Diff(c.want, mustRun(t, scores, Options{Labels: c.labels}).Labels); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestWarningsBelowTenLabelsOfAKind(t *testing.T) {
	for _, c := range []struct {
		failed, ok int
		warned     bool
	}{{10, 10, false}, {9, 10, true}, {10, 9, true}, {0, 50, true}} {
		if got := warnings(c.failed, c.ok); (len(got) > 0) != c.warned {
			t.Errorf("%d failed, %d ok: %q", c.failed, c.ok, got)
		}
	}
}

func TestGeneratedAt(t *testing.T) {
	at := time.Date(2026, 3, 1, 13, 0, 0, 120, time.FixedZone("", 3600))
	text, err := mustRun(t, NewScores(), Options{GeneratedAt: at}).JSON()
	if err != nil || !strings.Contains(string(text), `"generated_at": "2026-03-01T12:00:00Z"`) {
		t.Errorf("%s, %v", text, err)
	}
	if now := mustRun(t, NewScores(), Options{}).GeneratedAt; now.IsZero() {
		t.Error("no time at all")
	}
}

func TestJSONKeysAreSorted(t *testing.T) {
	labels := LabelsFromMap(map[string]bool{"s0": true, "s1": false})
	text, err := mustRun(t, scoresOf(t, 0.1, 0.9), Options{Labels: labels}).JSON()
	if err != nil {
		t.Fatal(err)
	}
	sorted := jsontext.Value(bytes.Clone(text))
	if err := sorted.Format(jsontext.CanonicalizeRawFloats(false), jsontext.ReorderRawObjects(true), jsontext.WithIndent("  ")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(sorted)+"\n", string(text)); diff != "" {
		t.Errorf("(-sorted +got):\n%s", diff)
	}
}

func TestJSONReadsBack(t *testing.T) {
	labels := LabelsFromMap(map[string]bool{"s0": true, "s1": false})
	report := mustRun(t, scoresOf(t, 0.1, 0.9), Options{Labels: labels, Sources: []string{"history"}})
	var text bytes.Buffer
	if err := report.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.UnmarshalRead(io.Reader(&text), &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*report, again, cmpopts.IgnoreUnexported(Metric{})); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if again.Text() != report.Text() {
		t.Errorf("text of a report that was read back:\n%s", again.Text())
	}
}
