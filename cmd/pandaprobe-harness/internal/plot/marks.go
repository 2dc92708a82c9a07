package plot

import (
	"fmt"
	"strconv"

	"github.com/go-analyze/charts/chartdraw/drawing"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
)

// mark is a threshold that stands out.
type mark struct {
	text      string
	threshold float64
	color     drawing.Color
	dashes    []float64
}

func marksOf(m *calibrate.Metric) []mark {
	marks := []mark{{"configured threshold " + shortest(m.Threshold), m.Threshold, ink, []float64{7, 4}}}
	if l := m.Labeled; l != nil {
		if l.BestF1 > 0 {
			marks = append(marks, mark{fmt.Sprintf("best F1 %.2f at %s", l.BestF1, shortest(l.BestF1Threshold)), l.BestF1Threshold, f1Color, []float64{7, 4}})
		}
		if t := l.TargetPrecisionThreshold; t != nil {
			marks = append(marks, mark{fmt.Sprintf("precision %s or more first at %s", shortest(l.TargetPrecision), shortest(*t)), *t, precisionColor, []float64{2, 3}})
		}
	}
	return marks
}

// shortest writes a threshold with two digits, or more where it has more.
func shortest(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if two := strconv.FormatFloat(v, 'f', 2, 64); len(two) > len(text) {
		return two
	}
	return text
}

// drawMarks draws each threshold as a dashed line. Those of the same threshold
// stand side by side.
func drawMarks(a area, marks []mark) {
	seen := map[float64]int{}
	for _, m := range marks {
		x := a.x(m.threshold) + 4*seen[m.threshold]
		seen[m.threshold]++
		line := []point{{x, a.bottom()}, {x, a.top - 6}}
		a.c.line(line, background.WithAlpha(150), 4, nil) // so that it shows on a bar of its colour
		a.c.line(line, m.color, 2, m.dashes)
	}
}

func markKeys(marks []mark) []key {
	var keys []key
	for _, m := range marks {
		keys = append(keys, key{m.text, m.color, m.dashes})
	}
	return keys
}
