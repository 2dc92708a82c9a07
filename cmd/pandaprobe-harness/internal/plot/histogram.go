package plot

import "github.com/pandaprobe/pandaprobe-harness/calibrate"

// drawHistogram draws the ten buckets, each split into failed, ok and unlabeled
// sessions from its foot upward.
func drawHistogram(a area, m *calibrate.Metric, marks []mark) {
	most := 1
	for _, n := range m.Histogram {
		most = max(most, n)
	}
	ticks := countTicks(most)
	a.axes("score", "sessions", ticks, countText)
	top := ticks[len(ticks)-1]
	for i, n := range m.Histogram {
		foot := 0
		for _, part := range partsOf(m, i, n) {
			if part.count == 0 {
				continue
			}
			low, high := a.y(float64(foot)/top), a.y(float64(foot+part.count)/top)
			a.c.rectangle(a.x(float64(i)/10)+3, high, a.x(float64(i+1)/10)-3, low, part.color)
			foot += part.count
		}
	}
	drawMarks(a, marks)
	drawLegend(a.c, histogramKeys(m), a.left+80, a.top-20)
}

func partsOf(m *calibrate.Metric, bucket, count int) []part {
	if m.Labeled == nil {
		return []part{{count, unlabeledColor}}
	}
	failed, ok := m.Labeled.FailedHistogram[bucket], m.Labeled.OKHistogram[bucket]
	return []part{{failed, failedColor}, {ok, okColor}, {count - failed - ok, unlabeledColor}}
}

func histogramKeys(m *calibrate.Metric) []key {
	if m.Labeled == nil {
		return nil
	}
	keys := []key{{"failed", failedColor, nil}, {"ok", okColor, nil}}
	if m.Labeled.LabeledSessions < m.Count {
		keys = append(keys, key{"not labeled", unlabeledColor, nil})
	}
	return keys
}
