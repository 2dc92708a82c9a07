package calibrate

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// Text returns the report as text, in the layout of docs/calibration.md. What a
// metric's labels add beyond that layout follows its sweep.
func (r *Report) Text() string {
	var t strings.Builder
	fmt.Fprintf(&t, "Calibration over %d session(s) (sources: %s)\n", r.SessionCount, sourceNames(r.Sources))
	for i := range r.Metrics {
		t.WriteString("\n")
		r.Metrics[i].write(&t)
	}
	if r.Agreement != nil {
		fmt.Fprintf(&t, "\ninter-metric agreement (breach verdicts identical): %.2f\n", *r.Agreement)
	}
	return t.String()
}

// WriteText writes what [Report.Text] returns.
func (r *Report) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, r.Text())
	return err
}

func (m *Metric) write(t *strings.Builder) {
	fmt.Fprintf(t, "%s  (configured threshold %s, %d scores)\n", printable(m.Metric), m.shownThreshold(), m.Count)
	fmt.Fprintf(t, "  distribution: min %.2f  median %.2f  mean %.2f  max %.2f  stdev %s\n",
		m.Minimum, m.Median, m.Mean, m.Maximum, orNone(m.Stdev))
	fmt.Fprintf(t, "  histogram [0.0..1.0): %s\n", strings.Trim(fmt.Sprint(m.Histogram), "[]"))
	if m.Labeled != nil {
		m.writeLabeled(t)
	}
	t.WriteString("  sweep (threshold -> breaches):\n  ")
	for _, p := range m.Sweep {
		fmt.Fprintf(t, "  %.2f:%d", p.Threshold, p.BreachCount)
	}
	t.WriteString("\n")
	if m.Labeled != nil {
		m.writeBars(t)
		m.writeEvidence(t)
	}
}

func (m *Metric) writeLabeled(t *strings.Builder) {
	l := m.Labeled
	fmt.Fprintf(t, "  at threshold %s: precision %.2f  recall %.2f  F1 %.2f  (tp %d fp %d fn %d tn %d over %d labeled)\n",
		m.shownThreshold(), l.Precision, l.Recall, l.F1, l.TP, l.FP, l.FN, l.TN, l.LabeledSessions)
	fmt.Fprintf(t, "  best F1 %.2f at threshold %.2f\n", l.BestF1, l.BestF1Threshold)
	target := m.shownTarget()
	if l.TargetPrecisionThreshold == nil {
		fmt.Fprintf(t, "  precision \u2265 %s: unreachable on this data\n", target)
		return
	}
	fmt.Fprintf(t, "  precision \u2265 %s first at threshold %.2f\n", target, *l.TargetPrecisionThreshold)
}

// writeEvidence says how far the figures above can be trusted.
func (m *Metric) writeEvidence(t *strings.Builder) {
	l := m.Labeled
	fmt.Fprintf(t, "  labels: %d failed, %d ok\n", l.FailedLabels, l.OKLabels)
	fmt.Fprintf(t, "  95%% interval at threshold %s: precision %s  recall %s\n", m.shownThreshold(), l.PrecisionInterval, l.RecallInterval)
	fmt.Fprintf(t, "  over all thresholds: ROC AUC %s  average precision %s\n", orNone(l.ROCAUC), orNone(l.AveragePrecision))
	if l.Precision < l.TargetPrecision && fixed(l.Precision, 2) == fixed(l.TargetPrecision, 2) {
		precision, target := apart(l.Precision, l.TargetPrecision)
		fmt.Fprintf(t, "  note: precision %s at threshold %s is below the target %s\n", precision, m.shownThreshold(), target)
	}
	for _, warning := range l.Warnings {
		fmt.Fprintf(t, "  warning: %s\n", warning)
	}
}

func (m *Metric) shownThreshold() string {
	if m.thresholdText != "" {
		return m.thresholdText
	}
	return digits(m.Threshold, func(float64) bool { return false })
}

func (m *Metric) shownTarget() string {
	first := m.Labeled.TargetPrecisionThreshold
	return digits(m.Labeled.TargetPrecision, func(shown float64) bool {
		reached := firstReaching(m.Sweep, shown)
		return (first == nil) == (reached == nil) && (first == nil || *first == *reached)
	})
}

// String returns the interval as "0.44 to 1.00", and "n/a" when there is none.
func (i *Interval) String() string {
	if i == nil {
		return "n/a"
	}
	return fmt.Sprintf("%.2f to %.2f", i.Low, i.High)
}

func orNone(figure *float64) string {
	if figure == nil {
		return "n/a"
	}
	return fixed(*figure, 2)
}

func sourceNames(sources []string) string {
	if len(sources) == 0 {
		return "none"
	}
	return strings.Join(sources, ", ")
}

// printable quotes a name that could pass for another line or turn the text
// around.
func printable(name string) string {
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return strconv.Quote(name)
		}
	}
	return name
}
