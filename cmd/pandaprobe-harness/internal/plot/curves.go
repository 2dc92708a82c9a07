package plot

import (
	"fmt"
	"math"

	"github.com/go-analyze/charts"

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
	drawLegend(a.p, keys, a.left+80, a.top-20)
}

type curve struct {
	name  string
	color charts.Color
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
	var points []charts.Point
	for _, p := range sweep {
		point := charts.Point{X: a.x(p.Threshold), Y: math.MaxInt32}
		if v, ok := c.at(p); ok {
			point.Y = a.y(v)
		}
		points = append(points, point)
	}
	a.p.LineStroke(points, c.color, 2)
	a.p.Dots(points, c.color, c.color, 1, 2.5)
}
