package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// print writes the result of a command to standard output in one piece: doc as
// the one JSON document with --json, else what text writes.
func (e *env) print(doc any, text func(w io.Writer)) error {
	var b bytes.Buffer
	if e.json {
		if err := json.MarshalWrite(&b, doc, json.Deterministic(true), jsontext.WithIndent("  ")); err != nil {
			return fmt.Errorf("cannot encode the result: %w", err)
		}
		b.WriteByte('\n')
	} else {
		text(&b)
	}
	if _, err := e.stdout.Write(b.Bytes()); err != nil {
		return ioFailure("cannot write to standard output", err)
	}
	return nil
}

// quietPipe takes what is written after its reader went away, and says nothing:
// whoever closed the pipe wanted no more, and work with effects goes on.
type quietPipe struct {
	w      io.Writer
	closed bool
}

func (q *quietPipe) Write(p []byte) (int, error) {
	if q.closed {
		return len(p), nil
	}
	n, err := q.w.Write(p)
	if err != nil && isClosedPipe(err) {
		q.closed = true
		return len(p), nil
	}
	return n, err
}

// table writes rows under a heading in aligned columns, cut to the width of a
// terminal when it has one. Cells hold text of the state and of users: they are
// made safe here.
func table(w io.Writer, heading []string, rows [][]string, width int) {
	var b bytes.Buffer
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{heading}, rows...) {
		for i, cell := range row {
			if i > 0 {
				io.WriteString(tw, "\t")
			}
			io.WriteString(tw, lifecycle.SafeLine(cell))
		}
		io.WriteString(tw, "\n")
	}
	tw.Flush()
	for line := range strings.Lines(b.String()) {
		io.WriteString(w, cut(strings.TrimRight(line, " \n"), width)+"\n")
	}
}

// cut shortens a line to width characters; 0 leaves it whole.
func cut(line string, width int) string {
	const dots = "..."
	runes := []rune(line)
	if width <= len(dots) || len(runes) <= width {
		return line
	}
	return string(runes[:width-len(dots)]) + dots
}

// fields writes "name  value" lines with the values aligned.
func fields(w io.Writer, rows ...[]string) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintf(tw, "%s\t%s\n", row[0], lifecycle.SafeLine(row[1]))
	}
	tw.Flush()
}

// orDash shows that a text is absent.
func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func joined(texts []string) string { return orDash(strings.Join(texts, ", ")) }

func when(t workspace.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Std().UTC().Format("2006-01-02 15:04:05 UTC")
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// number writes a score or delta with two digits after the point, and as many
// more as it has, so that two that differ look different.
func number(x float64) string { return digits(x, 9) }

// rate writes a share, whose counts tell the rest, with two to four digits.
func rate(x float64) string { return digits(x, 4) }

func digits(x float64, most int) string {
	unit := math.Pow10(most)
	text := strconv.FormatFloat(math.Round(x*unit)/unit+0, 'f', -1, 64) // + 0 makes -0 a 0
	whole, fraction, _ := strings.Cut(text, ".")
	for len(fraction) < 2 {
		fraction += "0"
	}
	return whole + "." + fraction
}

func signed(x float64) string {
	if text := number(x); strings.HasPrefix(text, "-") {
		return text
	}
	return "+" + number(x)
}

// perMetric writes "metric value" for each metric, by name.
func perMetric(values map[string]float64, write func(float64) string) string {
	var parts []string
	for metric, value := range values {
		parts = append(parts, metric+" "+write(value))
	}
	slices.Sort(parts)
	return joined(parts)
}
