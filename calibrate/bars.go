package calibrate

import (
	"fmt"
	"strings"
)

// writeBars draws the histogram of a labeled metric for a terminal, a character a
// bucket: how far failed and ok sessions lie apart shows at a glance.
func (m *Metric) writeBars(t *strings.Builder) {
	l := m.Labeled
	rows := []barRow{{"failed", l.FailedHistogram}, {"ok", l.OKHistogram}}
	if l.LabeledSessions < m.Count {
		rows = append(rows, barRow{"other", unlabeledBuckets(m)})
	}
	most := 0
	for _, row := range rows {
		for _, count := range row.counts {
			most = max(most, count)
		}
	}
	for _, row := range rows {
		fmt.Fprintf(t, "  %-6s  0.0 |", row.name)
		for _, count := range row.counts {
			t.WriteRune(bar(count, most))
		}
		t.WriteString("| 1.0\n")
	}
}

type barRow struct {
	name   string
	counts [buckets]int
}

func unlabeledBuckets(m *Metric) (counts [buckets]int) {
	for i := range counts {
		counts[i] = m.Histogram[i] - m.Labeled.FailedHistogram[i] - m.Labeled.OKHistogram[i]
	}
	return counts
}

// bar shows that there is something however little it is.
func bar(count, most int) rune {
	const heights = 8
	if count == 0 {
		return '\u00b7'
	}
	return '\u2581' + rune((count*heights-1)/most)
}
