package workspace

import "slices"

// lineSample is a sample of a session's line.
type lineSample struct {
	Sample
	line *SessionLine
}

func (s lineSample) averages(metric string) *EWMA {
	if e, ok := s.line.EWMA[metric]; ok {
		return &e
	}
	return nil
}

// missingSamples are the samples of the metric that the lines have and known has
// not, in the order of the lines.
func missingSamples(metric string, known []Sample, lines []SessionLine) (missing []lineSample) {
	seen := map[sampleKey]bool{}
	for _, sample := range known {
		seen[sample.key()] = true
	}
	for i := range lines {
		line := &lines[i]
		value := line.Scores[metric]
		if line.Replay || value == nil || CheckScore(metric, *value) != nil {
			continue
		}
		sample := Sample{Value: *value, TS: line.SampleTime(), RunID: line.RunID}
		if !seen[sample.key()] {
			seen[sample.key()] = true
			missing = append(missing, lineSample{sample, line})
		}
	}
	return missing
}

// metricsOf names the metrics that live lines have scores of, sorted.
func metricsOf(lines []SessionLine) []string {
	var metrics []string
	for _, line := range lines {
		for metric, value := range line.Scores {
			if !line.Replay && value != nil {
				metrics = append(metrics, metric)
			}
		}
	}
	slices.Sort(metrics)
	return slices.Compact(metrics)
}
