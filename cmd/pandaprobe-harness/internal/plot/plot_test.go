package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-analyze/charts/chartdraw/drawing"
	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
)

// traffic makes a report over metrics, in which failed sessions score lower.
func traffic(t *testing.T, sessions, labeled int, metrics ...string) *calibrate.Report {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	scores, labels := calibrate.NewScores(), calibrate.NewLabels()
	for i := range sessions {
		session := fmt.Sprintf("s-%03d", i)
		failed := r.Float64() < 0.3
		for k, metric := range metrics {
			center := 0.75 - 0.08*float64(k)
			if failed {
				center = 0.4
			}
			value := math.Round(100*min(1, max(0, center+0.15*r.NormFloat64()))) / 100
			if err := scores.Set(session, metric, value); err != nil {
				t.Fatal(err)
			}
		}
		if i < labeled {
			labels.Set(session, failed)
		}
	}
	options := calibrate.Options{}
	if labeled > 0 {
		options.Labels = labels
	}
	report, err := calibrate.Run(scores, options)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func render(t *testing.T, r *calibrate.Report, format string) []byte {
	t.Helper()
	picture, err := Render(r, format)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// texts are the texts of an SVG, which must be XML.
func texts(t *testing.T, picture []byte) []string {
	t.Helper()
	var all []string
	d := xml.NewDecoder(bytes.NewReader(picture))
	inText := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				all = append(all, string(token))
			}
		}
	}
}

func TestPictureSaysWhatItShows(t *testing.T) {
	r := traffic(t, 60, 40, "agent_reliability", "<b>&\"x\"\u202e")
	got := texts(t, render(t, r, SVG))
	for i, m := range r.Metrics {
		l := m.Labeled
		for _, want := range []string{
			[]string{"<b>&\"x\"\ufffd", "agent_reliability"}[i],
			fmt.Sprintf("60 scores, 40 labeled: %d failed, %d ok", l.FailedLabels, l.OKLabels),
			"configured threshold 0.50",
			fmt.Sprintf("best F1 %.2f at %.2f", l.BestF1, l.BestF1Threshold),
			fmt.Sprintf("precision 0.90 or more first at %.2f", *l.TargetPrecisionThreshold),
			"failed", "ok", "not labeled", "precision", "recall", "F1", "score", "sessions", "threshold", "ratio", "0.0", "1.0",
		} {
			if !slices.Contains(got, want) {
				t.Errorf("%s: the picture does not say %q: %q", m.Metric, want, got)
			}
		}
	}
}

func TestPictureWithoutLabels(t *testing.T) {
	got := texts(t, render(t, traffic(t, 60, 0, "m"), SVG))
	if !slices.Contains(got, "60 scores, no labels") || !slices.Contains(got, "breaching sessions") {
		t.Errorf("got %q", got)
	}
	for _, text := range got {
		if strings.Contains(text, "F1") || text == "failed" {
			t.Errorf("says %q", text)
		}
	}
}

// One score of each kind: the bars must stand where their scores are.
func TestBarsStandWhereTheScoresAre(t *testing.T) {
	scores, labels := calibrate.NewScores(), calibrate.NewLabels()
	for session, value := range map[string]float64{"failed": 0.15, "ok": 0.85, "unlabeled": 1} {
		if err := scores.Set(session, "m", value); err != nil {
			t.Fatal(err)
		}
	}
	labels.Set("failed", true)
	labels.Set("ok", false)
	r, err := calibrate.Run(scores, calibrate.Options{Labels: labels, Thresholds: map[string]float64{"m": 0.52}})
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(render(t, r, PNG)))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got != image.Pt(width, rowHeight+margin) {
		t.Errorf("size %v", got)
	}
	panel := area{left: 64, top: margin + 92, width: 560, height: 220}
	for value, want := range map[float64]drawing.Color{0.12: failedColor, 0.88: okColor, 0.95: unlabeledColor, 0.35: background, 0.75: background} {
		red, green, blue, _ := img.At(panel.x(value), panel.y(0.3)).RGBA()
		if got := (drawing.Color{R: uint8(red >> 8), G: uint8(green >> 8), B: uint8(blue >> 8), A: 255}); got != want {
			t.Errorf("at %v: %v, want %v", value, got, want)
		}
	}
	dark := 0
	for y := panel.top; y < panel.bottom(); y++ {
		if red, _, _, _ := img.At(panel.x(0.52), y).RGBA(); red>>8 < 90 {
			dark++
		}
	}
	if dark < panel.height/3 {
		t.Errorf("the configured threshold is not marked: %d dark pixels", dark)
	}
}

func TestLongNamesAreCutInTheirMiddle(t *testing.T) {
	name := "first " + strings.Repeat("and on ", 40) + "last"
	var cut string
	for _, text := range texts(t, render(t, traffic(t, 5, 0, name), SVG)) {
		if strings.HasPrefix(text, "first") {
			cut = text
		}
	}
	if !strings.Contains(cut, "...") || !strings.HasSuffix(cut, "last") || len(cut) > 80 {
		t.Errorf("got %q", cut)
	}
}

func TestTooManyMetricsForAPNG(t *testing.T) {
	var metrics []string
	for i := range mostPNG + 1 {
		metrics = append(metrics, fmt.Sprint("m", i))
	}
	r := traffic(t, 3, 0, metrics...)
	if _, err := Render(r, PNG); err == nil {
		t.Error("a PNG of any height was drawn")
	}
	render(t, r, SVG)
}

func TestCountTicks(t *testing.T) {
	for most, want := range map[int][]float64{
		1: {0, 1}, 5: {0, 1, 2, 3, 4, 5}, 6: {0, 2, 4, 6}, 11: {0, 5, 10, 15}, 26: {0, 10, 20, 30}, 99: {0, 20, 40, 60, 80, 100}, 2600: {0, 1000, 2000, 3000},
	} {
		if diff := cmp.Diff(want, countTicks(most)); diff != "" {
			t.Errorf("%d: %s", most, diff)
		}
	}
}
