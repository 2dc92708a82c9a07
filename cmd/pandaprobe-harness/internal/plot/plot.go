// Package plot draws a calibration report: for each metric the histogram of its
// scores split by label, and what breaches come to at each threshold, with the
// configured and the recommended thresholds marked (docs/calibration.md, "The
// picture").
package plot

import (
	"fmt"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
)

// Formats of a picture.
const (
	SVG = "svg"
	PNG = "png"
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
	c := newCanvas(format, width, rows*rowHeight+margin)
	for i := range report.Metrics {
		drawRow(c, &report.Metrics[i], margin+i*rowHeight)
	}
	return c.bytes()
}

// drawRow draws one metric below the line y = top: its name, the marks, and the
// two panels side by side.
func drawRow(c canvas, m *calibrate.Metric, top int) {
	const panelTop, panelHeight = 92, 220
	panelWidth := (width - 2*margin - 2*gap) / 2
	left := area{c, margin + gap/2 + 12, top + panelTop, panelWidth, panelHeight}
	right := left
	right.left += panelWidth + gap

	c.text(fit(c, m.Metric, title, right.left-gap/2-margin), margin, top+18, title)
	c.text(countsOf(m), right.left, top+18, small)
	marks := marksOf(m)
	drawLegend(c, markKeys(marks), margin, top+44)
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
