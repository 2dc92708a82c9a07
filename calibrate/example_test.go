package calibrate_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
)

// Scores may come from anywhere; labels may come from a file or a map.
func Example() {
	scores, err := calibrate.FromMap(map[string]map[string]float64{
		"s-001": {"agent_reliability": 0.20},
		"s-002": {"agent_reliability": 0.45},
		"s-003": {"agent_reliability": 0.55},
		"s-004": {"agent_reliability": 0.62},
		"s-005": {"agent_reliability": 0.90},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels, err := calibrate.ReadLabels(strings.NewReader(`session_id,failed
s-001,true
s-002,true
s-003,true
s-004,false
s-005,false
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := calibrate.Run(scores, calibrate.Options{Labels: labels, TargetPrecision: new(0.8)})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := report.WriteText(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Calibration over 5 session(s) (sources: none)
	//
	// agent_reliability  (configured threshold 0.50, 5 scores)
	//   distribution: min 0.20  median 0.55  mean 0.54  max 0.90  stdev 0.25
	//   histogram [0.0..1.0): 0 0 1 0 1 1 1 0 0 1
	//   at threshold 0.50: precision 1.00  recall 0.67  F1 0.80  (tp 2 fp 0 fn 1 tn 2 over 5 labeled)
	//   best F1 1.00 at threshold 0.60
	//   precision ≥ 0.80 first at threshold 0.25
	//   sweep (threshold -> breaches):
	//     0.05:0  0.10:0  0.15:0  0.20:0  0.25:1  0.30:1  0.35:1  0.40:1  0.45:1  0.50:2  0.55:2  0.60:3  0.65:4  0.70:4  0.75:4  0.80:4  0.85:4  0.90:4  0.95:5
	//   failed  0.0 |··█·██····| 1.0
	//   ok      0.0 |······█··█| 1.0
	//   labels: 3 failed, 2 ok
	//   95% interval at threshold 0.50: precision 0.34 to 1.00  recall 0.21 to 0.94
	//   over all thresholds: ROC AUC 1.00  average precision 1.00
	//   warning: the recommendations rest on 3 failed and 2 ok labels; with fewer than 10 of each, one more label can move them
}

// The report is data as well: each threshold of the sweep has its confusion.
func ExampleRun() {
	scores := calibrate.NewScores()
	labels := calibrate.NewLabels()
	for i, value := range []float64{0.1, 0.3, 0.3, 0.7} {
		session := fmt.Sprintf("s-%d", i)
		if err := scores.Set(session, "goal_completion", value); err != nil {
			fmt.Println(err)
			return
		}
		labels.Set(session, value < 0.5)
	}
	report, err := calibrate.Run(scores, calibrate.Options{Labels: labels})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, metric := range report.Metrics {
		fmt.Printf("%s: set the threshold to %v for an F1 of %v\n",
			metric.Metric, metric.Labeled.BestF1Threshold, metric.Labeled.BestF1)
	}
	// Output:
	// goal_completion: set the threshold to 0.35 for an F1 of 1
}
