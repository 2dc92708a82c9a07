// Package plot draws a calibration report: for each metric the histogram of its
// scores split by label, and what breaches come to at each threshold, with the
// configured and the recommended thresholds marked (docs/calibration.md, "The
// picture").
package plot

import (
	"fmt"

	"github.com/go-analyze/charts"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
)

// Formats of a picture.
const (
	SVG = charts.ChartOutputSVG
	PNG = charts.ChartOutputPNG
)

// Sizes in pixels. A row is about one metric.
const (
	width     = 1280
	rowHeight = 376
	margin    = 24
	gap       = 56 // between the two panels of a row, with the labels of the second
)

// mostPNG bounds the rows of a PNG, which is held in memory pixel by pixel.
const mostPNG = 40

// Render draws the report in one of the formats.
func Render(report *calibrate.Report, format string) ([]byte, error) {
	rows := len(report.Metrics)
	if format == PNG && rows > mostPNG {
		return nil, fmt.Errorf("%d metrics are too many for a PNG; write an .svg", rows)
	}
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: format, Width: width, Height: rows*rowHeight + margin})
	p.FilledRect(0, 0, width, rows*rowHeight+margin, background, background, 0)
	for i := range report.Metrics {
		drawRow(p, &report.Metrics[i], margin+i*rowHeight)
	}
	return p.Bytes()
}

// drawRow draws one metric below the line y = top: its name, the marks, and the
// two panels side by side.
func drawRow(p *charts.Painter, m *calibrate.Metric, top int) {
	const panelTop, panelHeight = 92, 220
	panelWidth := (width - 2*margin - 2*gap) / 2
	left := area{p, margin + gap/2 + 12, top + panelTop, panelWidth, panelHeight}
	right := left
	right.left += panelWidth + gap

	p.Text(fit(p, m.Metric, title, right.left-gap/2-margin), margin, top+18, 0, title)
	p.Text(countsOf(m), right.left, top+18, 0, small)
	marks := marksOf(m)
	drawLegend(p, markKeys(marks), margin, top+44)
	drawHistogram(left, m, marks)
	drawCurves(right, m, marks)
}

func countsOf(m *calibrate.Metric) string {
	l := m.Labeled
	if l == nil {
		return fmt.Sprintf("%d scores, no labels", m.Count)
	}
	return fmt.Sprintf("%d scores, %d labeled: %d failed, %d ok", m.Count, l.LabeledSessions, l.FailedLabels, l.OKLabels)
}
