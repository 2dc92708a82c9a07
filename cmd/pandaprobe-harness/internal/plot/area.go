package plot

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-analyze/charts/chartdraw/drawing"
)

// area is the inside of a panel: from 0 to 1 across, and upward from 0 to
// whatever the panel shows.
type area struct {
	c                        canvas
	left, top, width, height int
}

func (a area) x(v float64) int { return a.left + int(math.Round(v*float64(a.width))) }

func (a area) y(share float64) int {
	return a.top + a.height - int(math.Round(share*float64(a.height)))
}

func (a area) bottom() int { return a.top + a.height }

// axes draws the frame, the ticks of both axes and what they mean. ticks are
// values of the upward axis, the last of which is its top.
func (a area) axes(across, upward string, ticks []float64, text func(float64) string) {
	top := ticks[len(ticks)-1]
	for _, tick := range ticks {
		y := a.y(tick / top)
		a.line(a.left, y, a.left+a.width, y, faint)
		a.textLeft(text(tick), a.left-8, y+4)
	}
	for i := range 11 {
		v := float64(i) / 10
		a.line(a.x(v), a.bottom(), a.x(v), a.bottom()+5, ink)
		a.textCentered(strconv.FormatFloat(v, 'f', 1, 64), a.x(v), a.bottom()+19)
	}
	a.line(a.left, a.bottom(), a.left+a.width, a.bottom(), ink)
	a.line(a.left, a.top, a.left, a.bottom(), ink)
	a.textCentered(across, a.left+a.width/2, a.bottom()+38)
	a.textLeft(upward, a.left+a.c.textWidth(upward, small)-24, a.top-10)
}

func (a area) line(x1, y1, x2, y2 int, color drawing.Color) {
	a.c.line([]point{{x1, y1}, {x2, y2}}, color, 1, nil)
}

// textLeft ends at x, textCentered has it in its middle; y is the base line.
func (a area) textLeft(text string, x, y int) {
	a.c.text(text, x-a.c.textWidth(text, small), y, small)
}

func (a area) textCentered(text string, x, y int) {
	a.c.text(text, x-a.c.textWidth(text, small)/2, y, small)
}

// countTicks divides 0 .. most into at most six round steps.
func countTicks(most int) []float64 {
	step := 1.0
	for i := 0; math.Ceil(float64(most)/step) > 5; i++ {
		step *= []float64{2, 2.5, 2}[i%3]
	}
	var ticks []float64
	for tick := 0.0; tick < float64(most)+step; tick += step {
		ticks = append(ticks, tick)
	}
	return ticks
}

func countText(v float64) string { return fmt.Sprintf("%.0f", v) }
