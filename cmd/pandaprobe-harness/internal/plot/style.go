package plot

import (
	"strings"
	"unicode"

	"github.com/go-analyze/charts"
)

// The colours can be told apart by people who do not see all of them.
var (
	background = charts.ColorRGB(255, 255, 255)
	ink        = charts.ColorRGB(40, 40, 40)
	faint      = charts.ColorRGB(225, 225, 225)

	failedColor    = charts.ColorRGB(213, 94, 0)
	okColor        = charts.ColorRGB(86, 180, 233)
	unlabeledColor = charts.ColorRGB(170, 170, 170)

	precisionColor = charts.ColorRGB(170, 70, 140)
	recallColor    = charts.ColorRGB(0, 130, 95)
	f1Color        = charts.ColorRGB(30, 90, 200)
)

var (
	title = charts.FontStyle{FontSize: 14, FontColor: ink}
	small = charts.FontStyle{FontSize: 9, FontColor: ink}
)

// room is what a text takes across, in pixels, and a quarter more: whoever shows
// an SVG may have another font.
func room(p *charts.Painter, text string, style charts.FontStyle) int {
	return p.MeasureText(text, 0, style).Width() * 5 / 4
}

// fit cuts a name to the room that it has, in its middle, since long names
// differ at their ends.
func fit(p *charts.Painter, name string, style charts.FontStyle, width int) string {
	runes := []rune(strings.Map(visible, name))
	for keep := len(runes); keep > 0; keep-- {
		text := string(runes)
		if keep < len(runes) {
			text = string(runes[:(keep+1)/2]) + "..." + string(runes[len(runes)-keep/2:])
		}
		if room(p, text, style) <= width {
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
