package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The figures once more, each straight from its definition, one labeled score
// after the other, with none of the code under test.

type labeledScore struct {
	score  float64
	failed bool
}

func bruteConfusion(data []labeledScore, threshold float64) (tp, fp, fn, tn float64) {
	for _, d := range data {
		switch breach := d.score < threshold; {
		case breach && d.failed:
			tp++
		case breach:
			fp++
		case d.failed:
			fn++
		default:
			tn++
		}
	}
	return tp, fp, fn, tn
}

func bruteRatios(data []labeledScore, threshold float64) (precision, recall, f1 float64) {
	tp, fp, fn, _ := bruteConfusion(data, threshold)
	if tp+fp > 0 {
		precision = tp / (tp + fp)
	}
	if tp+fn > 0 {
		recall = tp / (tp + fn)
	}
	if precision+recall > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

func bruteROCAUC(data []labeledScore) (auc float64, defined bool) {
	wins, pairs := 0.0, 0.0
	for _, a := range data {
		for _, b := range data {
			if !a.failed || b.failed {
				continue
			}
			pairs++
			if a.score < b.score {
				wins++
			} else if a.score == b.score {
				wins += 0.5
			}
		}
	}
	return wins / pairs, pairs > 0
}

// bruteAveragePrecision gives every failed session the precision among the
// sessions that score no higher, and averages over the failed ones.
func bruteAveragePrecision(data []labeledScore) (ap float64, defined bool) {
	sum, failed := 0.0, 0.0
	for _, a := range data {
		if !a.failed {
			continue
		}
		failed++
		hits, all := 0.0, 0.0
		for _, b := range data {
			if b.score <= a.score {
				all++
				if b.failed {
					hits++
				}
			}
		}
		sum += hits / all
	}
	return sum / failed, failed > 0
}

// bruteWilson searches for the two true rates from which the observed one lies
// exactly z standard errors away: the definition that Wilson's formula solves.
func bruteWilson(part, whole float64) (low, high float64) {
	distance := func(rate float64) float64 {
		return math.Abs(part/whole-rate) - 1.959963984540054*math.Sqrt(rate*(1-rate)/whole)
	}
	return bisect(distance, part/whole, 0), bisect(distance, part/whole, 1)
}

// bisect walks from a rate that is inside the interval to one that is outside.
func bisect(distance func(float64) float64, inside, outside float64) float64 {
	if distance(outside) <= 0 {
		return outside
	}
	for range 200 {
		middle := (inside + outside) / 2
		if distance(middle) > 0 {
			outside = middle
		} else {
			inside = middle
		}
	}
	return inside
}

// randomData draws from a few values, for ties, or from many; the shares of
// failed, of unlabeled and of both vary, down to none.
func randomData(r *rand.Rand) (*Scores, *Labels, []labeledScore) {
	scores, labels, data := NewScores(), NewLabels(), []labeledScore(nil)
	steps := []float64{3, 10, 20, 100, 1e6}[r.IntN(5)]
	failedShare, unlabeledShare := []float64{0, 0.1, 0.5, 1}[r.IntN(4)], r.Float64()*0.5
	for i := range 1 + r.IntN(60) {
		session := fmt.Sprintf("s-%d", i)
		score := math.Round(r.Float64()*steps) / steps
		if err := scores.Set(session, "m", score); err != nil {
			panic(err)
		}
		if r.Float64() >= unlabeledShare {
			failed := r.Float64() < failedShare
			labels.Set(session, failed)
			data = append(data, labeledScore{score, failed})
		}
	}
	return scores, labels, data
}

func TestFiguresMatchTheirDefinitions(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		scores, labels, data := randomData(r)
		threshold := math.Round(r.Float64()*100) / 100
		report, err := Run(scores, Options{Labels: labels, Thresholds: map[string]float64{"m": threshold}})
		if err != nil {
			t.Fatal(err)
		}
		checkMetric(t, fmt.Sprintf("seed %d", seed), report.Metrics[0], data, threshold)
	}
}

func checkMetric(t *testing.T, at string, m Metric, data []labeledScore, threshold float64) {
	t.Helper()
	if len(data) == 0 {
		if m.Labeled != nil {
			t.Errorf("%s: labeled without labels", at)
		}
		return
	}
	l := m.Labeled
	precision, recall, f1 := bruteRatios(data, threshold)
	near(t, at+" precision", l.Precision, precision)
	near(t, at+" recall", l.Recall, recall)
	near(t, at+" F1", l.F1, f1)
	tp, fp, fn, _ := bruteConfusion(data, threshold)
	nearInterval(t, at+" precision interval", l.PrecisionInterval, tp, tp+fp)
	nearInterval(t, at+" recall interval", l.RecallInterval, tp, tp+fn)
	auc, defined := bruteROCAUC(data)
	nearDefined(t, at+" ROC AUC", l.ROCAUC, auc, defined)
	ap, defined := bruteAveragePrecision(data)
	nearDefined(t, at+" average precision", l.AveragePrecision, ap, defined)
	for _, p := range m.Sweep {
		at := fmt.Sprintf("%s sweep %v ", at, p.Threshold)
		precision, recall, f1 := bruteRatios(data, p.Threshold)
		near(t, at+"precision", *p.Precision, precision)
		near(t, at+"recall", *p.Recall, recall)
		near(t, at+"F1", *p.F1, f1)
		if *p.F1 > l.BestF1+1e-12 || p.Threshold < l.BestF1Threshold && *p.F1 > l.BestF1-1e-12 {
			t.Errorf("%s is better than the best F1 %v at %v", at, l.BestF1, l.BestF1Threshold)
		}
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func nearDefined(t *testing.T, what string, got *float64, want float64, defined bool) {
	t.Helper()
	if (got != nil) != defined {
		t.Errorf("%s is %v, but defined is %v", what, got, defined)
	} else if defined {
		near(t, what, *got, want)
	}
}

func nearInterval(t *testing.T, what string, got *Interval, part, whole float64) {
	t.Helper()
	if (got != nil) != (whole > 0) {
		t.Errorf("%s is %v for a whole of %v", what, got, whole)
	} else if got != nil {
		low, high := bruteWilson(part, whole)
		near(t, what+" low", got.Low, low)
		near(t, what+" high", got.High, high)
	}
}

// The textbook values of Wilson's interval: 0 of 10, and 81 of 263 (Newcombe
// 1998, table I), which that paper gives to four digits.
func TestWilsonAgainstPublishedValues(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		low, high   float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		got := wilson(c.part, c.whole)
		if math.Abs(got.Low-c.low) > 5e-5 || math.Abs(got.High-c.high) > 5e-5 {
			t.Errorf("%d of %d: %v to %v, want %v to %v", c.part, c.whole, got.Low, got.High, c.low, c.high)
		}
	}
}
