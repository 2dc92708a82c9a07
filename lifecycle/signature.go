package lifecycle

import "strings"

// Conditions that a report can show (docs/closed-loop.md, "Conditions"). The
// first three are severities of notices too; a percentile alone counts as trend.
const (
	conditionBreach     = "breach"
	conditionRelative   = "relative"
	conditionTrend      = "trend"
	conditionPercentile = "percentile"
)

// signatureOf names a condition of a metric: "breach:agent_reliability".
func signatureOf(condition, metric string) string { return condition + ":" + metric }

// conditionOf is the text before the first colon, "" without one.
func conditionOf(signature string) string {
	if condition, _, ok := strings.Cut(signature, ":"); ok {
		return condition
	}
	return ""
}

// metricOf is the text after the first colon, "" without one.
func metricOf(signature string) string {
	_, metric, _ := strings.Cut(signature, ":")
	return metric
}

// inFamily tells whether the signature is one of the metric's: the text after
// its first colon is the metric as it is written, or case-folded. A signature in
// another case is another metric's. Without a metric any signature is.
func inFamily(signature, metric string) bool {
	if metric == "" {
		return true
	}
	of := metricOf(signature)
	return of == metric || of == fold(metric)
}

// severityOf is the gravest severity among the signatures, "" without any. A
// signature of an unknown condition, which only a report itself can give, is of
// the mildest, so that it captures no case.
func severityOf(signatures []string) string {
	if len(signatures) == 0 {
		return ""
	}
	severity := conditionTrend
	for _, s := range signatures {
		switch fold(conditionOf(s)) {
		case conditionBreach:
			return conditionBreach
		case conditionRelative:
			severity = conditionRelative
		}
	}
	return severity
}
