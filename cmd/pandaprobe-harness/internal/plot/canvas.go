package plot

import (
	"bytes"

	"github.com/go-analyze/charts/chartdraw"
	"github.com/go-analyze/charts/chartdraw/drawing"
)

// canvas is what is drawn on. Of the charting library only its drawing layer is
// used: its charts have no numeric axis on which a threshold could be marked, and
// the package of the charts would make every start of the program slower.
type canvas struct{ r chartdraw.Renderer }

type point struct{ x, y int }

// font is a size in points and the colour of texts.
type font struct{ size float64 }

func newCanvas(format string, width, height int) canvas {
	r := chartdraw.SVG(width, height)
	if format == PNG {
		r = chartdraw.PNG(width, height)
	}
	r.SetDPI(96)
	c := canvas{r}
	c.rectangle(0, 0, width, height, background)
	return c
}

func (c canvas) bytes() ([]byte, error) {
	var picture bytes.Buffer
	err := c.r.Save(&picture)
	return picture.Bytes(), err
}

func (c canvas) rectangle(left, top, right, bottom int, color drawing.Color) {
	c.r.ResetStyle()
	c.r.SetFillColor(color)
	c.r.MoveTo(left, top)
	c.r.LineTo(right, top)
	c.r.LineTo(right, bottom)
	c.r.LineTo(left, bottom)
	c.r.Close()
	c.r.Fill()
}

// line connects the points; dashes may be nil.
func (c canvas) line(points []point, color drawing.Color, width float64, dashes []float64) {
	c.r.ResetStyle()
	c.r.SetStrokeColor(color)
	c.r.SetStrokeWidth(width)
	c.r.SetStrokeDashArray(dashes)
	for i, p := range points {
		if i == 0 {
			c.r.MoveTo(p.x, p.y)
		} else {
			c.r.LineTo(p.x, p.y)
		}
	}
	c.r.Stroke()
}

func (c canvas) dot(at point, color drawing.Color) {
	c.r.ResetStyle()
	c.r.SetFillColor(color)
	c.r.Circle(2.5, at.x, at.y)
	c.r.Fill()
}

// text writes from left on; y is the base line.
func (c canvas) text(text string, left, y int, f font) {
	c.useFont(f)
	c.r.Text(text, left, y)
}

func (c canvas) textWidth(text string, f font) int {
	c.useFont(f)
	return c.r.MeasureText(text).Width()
}

func (c canvas) useFont(f font) {
	c.r.ResetStyle()
	c.r.SetFont(chartdraw.GetDefaultFont())
	c.r.SetFontSize(f.size)
	c.r.SetFontColor(ink)
}
