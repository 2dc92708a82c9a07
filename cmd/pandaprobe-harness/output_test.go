package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumbersKeepWhatTellsThemApart(t *testing.T) {
	for _, test := range []struct {
		x                    float64
		number, signed, rate string
	}{
		{0, "0.00", "+0.00", "0.00"},
		{1, "1.00", "+1.00", "1.00"},
		{0.3, "0.30", "+0.30", "0.30"},
		{0.85 - 0.9, "-0.05", "-0.05", "-0.05"},
		{0.0500001, "0.0500001", "+0.0500001", "0.05"},
		{-0.7966, "-0.7966", "-0.7966", "-0.7966"},
		{1.0 / 3, "0.333333333", "+0.333333333", "0.3333"},
		{-1e-12, "0.00", "+0.00", "0.00"},
	} {
		got := []string{number(test.x), signed(test.x), rate(test.x)}
		if diff := cmp.Diff([]string{test.number, test.signed, test.rate}, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.x, diff)
		}
	}
}

func TestTableIsCutToTheTerminal(t *testing.T) {
	var b bytes.Buffer
	table(&b, []string{"A", "B"}, [][]string{{"one\ntwo", "a long text"}, {"", "é"}}, 16)
	want := strings.Join([]string{
		`A         B`,
		`one\ntwo  a l...`,
		`          é`,
		``,
	}, "\n")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadingStandardInputEndsWithTheContext(t *testing.T) {
	silent, _ := io.Pipe() // nobody ever writes
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("stopped")
	cancel(why)
	e := &env{stdin: silent, signals: interrupter{end: cancel}}
	if _, err := e.readStdin(ctx); !errors.Is(err, why) {
		t.Errorf("got %v, want %v", err, why)
	}
}
