package plot

import (
	"strings"
	"unicode"

	"github.com/go-analyze/charts/chartdraw/drawing"
)

// The colours can be told apart by people who do not see all of them.
var (
	background = drawing.Color{R: 255, G: 255, B: 255, A: 255}
	ink        = drawing.Color{R: 40, G: 40, B: 40, A: 255}
	faint      = drawing.Color{R: 225, G: 225, B: 225, A: 255}

	failedColor    = drawing.Color{R: 213, G: 94, B: 0, A: 255}
	okColor        = drawing.Color{R: 86, G: 180, B: 233, A: 255}
	unlabeledColor = drawing.Color{R: 170, G: 170, B: 170, A: 255}

	precisionColor = drawing.Color{R: 170, G: 70, B: 140, A: 255}
	recallColor    = drawing.Color{R: 0, G: 130, B: 95, A: 255}
	f1Color        = drawing.Color{R: 30, G: 90, B: 200, A: 255}
)

var (
	title = font{14}
	small = font{9}
)

// room is what a text takes across, in pixels, and a quarter more: whoever shows
// an SVG may have another font.
func room(c canvas, text string, f font) int {
	return c.textWidth(text, f) * 5 / 4
}

// fit cuts a name to the room that it has, in its middle, since long names
// differ at their ends.
func fit(c canvas, name string, f font, width int) string {
	runes := []rune(strings.Map(visible, name))
	for keep := len(runes); keep > 0; keep-- {
		text := string(runes)
		if keep < len(runes) {
			text = string(runes[:(keep+1)/2]) + "..." + string(runes[len(runes)-keep/2:])
		}
		if room(c, text, f) <= width {
			return text
		}
	}
	return ""
}

// visible keeps what a name may show in a picture.
func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return unicode.ReplacementChar
}
