package calibrate

// agreement looks at the sessions that every metric scored, and gives the share
// in which all metrics say breach, or all say none.
func agreement(scores *Scores, thresholds map[string]float64) *float64 {
	metrics := scores.Metrics()
	if len(metrics) < 2 {
		return nil
	}
	scored := make([]int32, scores.Len())
	breaches := make([]int32, scores.Len())
	for _, metric := range metrics {
		limit := threshold(thresholds, metric)
		for i, value := range scores.columns[metric].values {
			if value >= limit {
				scored[i]++
			} else if value < limit {
				scored[i]++
				breaches[i]++
			}
		}
	}
	agreed, complete := 0, 0
	for i := range scored {
		if int(scored[i]) < len(metrics) {
			continue
		}
		complete++
		if breaches[i] == 0 || breaches[i] == scored[i] {
			agreed++
		}
	}
	if complete == 0 {
		return nil
	}
	return new(ratio(agreed, complete))
}
