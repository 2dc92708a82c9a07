package plot

import (
	"fmt"

	"github.com/go-analyze/charts/chartdraw/drawing"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
)

// drawCurves draws precision, recall and F1 over the threshold; without labels
// the share of the sessions that would breach.
func drawCurves(a area, m *calibrate.Metric, marks []mark) {
	shares := []float64{0, 0.2, 0.4, 0.6, 0.8, 1}
	text := func(v float64) string { return fmt.Sprintf("%.1f", v) }
	curves := curvesOf(m)
	upward := "ratio"
	if m.Labeled == nil {
		upward = "share"
	}
	a.axes("threshold", upward, shares, text)
	drawMarks(a, marks)
	var keys []key
	for _, c := range curves {
		c.draw(a, m.Sweep)
		keys = append(keys, key{c.name, c.color, nil})
	}
	drawLegend(a.c, keys, a.left+80, a.top-20)
}

type curve struct {
	name  string
	color drawing.Color
	at    func(calibrate.SweepPoint) (float64, bool) // false: nothing to show there
}

func curvesOf(m *calibrate.Metric) []curve {
	if m.Labeled == nil {
		return []curve{{"breaching sessions", ink, func(p calibrate.SweepPoint) (float64, bool) {
			return float64(p.BreachCount) / float64(m.Count), true
		}}}
	}
	return []curve{
		{"precision", precisionColor, func(p calibrate.SweepPoint) (float64, bool) { return *p.Precision, p.TP+p.FP > 0 }},
		{"recall", recallColor, func(p calibrate.SweepPoint) (float64, bool) { return *p.Recall, p.TP+p.FN > 0 }},
		{"F1", f1Color, func(p calibrate.SweepPoint) (float64, bool) { return *p.F1, true }},
	}
}

func (c curve) draw(a area, sweep []calibrate.SweepPoint) {
	var points []point
	for _, p := range sweep {
		v, ok := c.at(p)
		if !ok {
			a.c.line(points, c.color, 2, nil)
			points = nil
			continue
		}
		points = append(points, point{a.x(p.Threshold), a.y(v)})
		a.c.dot(points[len(points)-1], c.color)
	}
	a.c.line(points, c.color, 2, nil)
}
