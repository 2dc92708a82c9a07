package calibrate

import (
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Report is the outcome of a calibration. Its JSON and its text say the same.
// Fields stand in the order of their JSON names, here and in the types below, so
// that the keys of the document come out sorted.
type Report struct {
	// Agreement is the share of the sessions scored by every metric on which all
	// metrics agree whether it is a breach; nil with fewer than two metrics or
	// no such session.
	Agreement *float64 `json:"agreement"`
	// GeneratedAt is in UTC, to the second.
	GeneratedAt time.Time `json:"generated_at"`
	// Labels counts the labels that were given; nil when none were asked for.
	Labels *LabelCounts `json:"labels"`
	// LeftOut counts what the sources had and could not give, by reason; the
	// caller's, never nil (docs/calibration.md, what is left out).
	LeftOut map[string]int `json:"left_out"`
	// Metrics is sorted by name, by code point.
	Metrics []Metric `json:"metrics"`
	// SessionCount counts every session, also one without a score.
	SessionCount int `json:"session_count"`
	// Sources names where the scores came from, in the caller's order.
	Sources []string `json:"sources"`
}

// LabelCounts says how many labels name a session with a score.
type LabelCounts struct {
	Given     int `json:"given"`
	Matched   int `json:"matched"`
	Unmatched int `json:"unmatched"`
}

// Metric is what the scores of one metric come to. All scores, thresholds and
// ratios lie in [0, 1].
type Metric struct {
	// BreachCount counts the scores below Threshold.
	BreachCount int `json:"breach_count"`
	Count       int `json:"count"`
	// Histogram counts the scores in [i/10, (i+1)/10); the last bucket holds
	// 1.0 as well.
	Histogram [buckets]int `json:"histogram"`
	// Labeled is nil when no session with a score of this metric has a label.
	Labeled *Labeled `json:"labeled"`
	Maximum float64  `json:"maximum"`
	Mean    float64  `json:"mean"`
	Median  float64  `json:"median"`
	Metric  string   `json:"metric"`
	Minimum float64  `json:"minimum"`
	// Stdev is the sample standard deviation; nil below two scores.
	Stdev *float64 `json:"stdev"`
	// Sweep has the thresholds 0.05, 0.10 ... 0.95.
	Sweep []SweepPoint `json:"sweep"`
	// Threshold is the configured one.
	Threshold float64 `json:"threshold"`

	// thresholdText has the digits that the text shows; see digits.go.
	thresholdText string
}

// SweepPoint is what a candidate threshold comes to. The breaches are those of
// all scores; the rest is about the labeled ones, nil and 0 when there are
// none. A ratio whose denominator is 0 is 0.
type SweepPoint struct {
	BreachCount int      `json:"breach_count"`
	F1          *float64 `json:"f1"`
	FN          int      `json:"fn"`
	FP          int      `json:"fp"`
	Precision   *float64 `json:"precision"`
	Recall      *float64 `json:"recall"`
	Threshold   float64  `json:"threshold"`
	TN          int      `json:"tn"`
	TP          int      `json:"tp"`
}

// Labeled compares breaches with labels. Precision, recall, F1 and the confusion
// (TP, FP, FN, TN) are those of the configured threshold; a ratio whose
// denominator is 0 is 0.
type Labeled struct {
	// AveragePrecision is the mean precision over the recall gained at each
	// distinct score; nil without a failed label.
	AveragePrecision *float64 `json:"average_precision"`
	// BestF1 is the highest F1 of the sweep. When it is 0 no threshold finds a
	// failure, and BestF1Threshold recommends nothing.
	BestF1 float64 `json:"best_f1"`
	// BestF1Threshold is the lowest threshold that has BestF1.
	BestF1Threshold float64 `json:"best_f1_threshold"`
	F1              float64 `json:"f1"`
	// FailedHistogram has the buckets of Metric.Histogram, for failed sessions.
	FailedHistogram [buckets]int `json:"failed_histogram"`
	FailedLabels    int          `json:"failed_labels"`
	FN              int          `json:"fn"`
	FP              int          `json:"fp"`
	LabeledSessions int          `json:"labeled_sessions"`
	// OKHistogram has the buckets of Metric.Histogram, for ok sessions.
	OKHistogram [buckets]int `json:"ok_histogram"`
	OKLabels    int          `json:"ok_labels"`
	Precision   float64      `json:"precision"`
	// PrecisionInterval is nil when nothing labeled breaches.
	PrecisionInterval *Interval `json:"precision_interval"`
	Recall            float64   `json:"recall"`
	// RecallInterval is nil without a failed label.
	RecallInterval *Interval `json:"recall_interval"`
	// ROCAUC is the chance that a failed session scores below an ok one, ties
	// counting half; nil without labels of both kinds.
	ROCAUC          *float64 `json:"roc_auc"`
	TargetPrecision float64  `json:"target_precision"`
	// TargetPrecisionThreshold is the lowest threshold of the sweep whose
	// precision reaches the target with a recall above 0; nil when none does.
	TargetPrecisionThreshold *float64 `json:"target_precision_threshold"`
	TN                       int      `json:"tn"`
	TP                       int      `json:"tp"`
	// Warnings say in plain text why the recommendations need care.
	Warnings []string `json:"warnings"`
}

// JSON returns the report as a document with sorted keys, two spaces of
// indentation and a final newline.
func (r *Report) JSON() ([]byte, error) {
	text, err := json.Marshal(r, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// WriteJSON writes what [Report.JSON] returns.
func (r *Report) WriteJSON(w io.Writer) error {
	text, err := r.JSON()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
