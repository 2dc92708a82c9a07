package plot

import "github.com/go-analyze/charts/chartdraw/drawing"

// key explains a colour.
type key struct {
	text   string
	color  drawing.Color
	dashes []float64 // it stands for a dashed line; nil = for an area or a curve
}

// part is a piece of a bar.
type part struct {
	count int
	color drawing.Color
}

// drawLegend writes the keys side by side from left on; y is the middle.
func drawLegend(c canvas, keys []key, left, y int) {
	x := left
	for _, k := range keys {
		if k.dashes != nil {
			c.line([]point{{x, y}, {x + 24, y}}, k.color, 2, k.dashes)
			x += 30
		} else {
			c.rectangle(x, y-5, x+10, y+5, k.color)
			x += 16
		}
		c.text(k.text, x, y+4, small)
		x += room(c, k.text, small) + 16
	}
}
