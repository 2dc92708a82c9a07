package plot

import "github.com/go-analyze/charts"

// key explains a colour.
type key struct {
	text   string
	color  charts.Color
	dashes []float64 // it stands for a dashed line; nil = for an area or a curve
}

// part is a piece of a bar.
type part struct {
	count int
	color charts.Color
}

// drawLegend writes the keys side by side from left on; y is the middle.
func drawLegend(p *charts.Painter, keys []key, left, y int) {
	x := left
	for _, k := range keys {
		if k.dashes != nil {
			p.DashedLineStroke([]charts.Point{{X: x, Y: y}, {X: x + 24, Y: y}}, k.color, 2, k.dashes)
			x += 30
		} else {
			p.FilledRect(x, y-5, x+10, y+5, k.color, k.color, 0)
			x += 16
		}
		p.Text(k.text, x, y+4, 0, small)
		x += room(p, k.text, small) + 16
	}
}
