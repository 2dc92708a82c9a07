package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProgressLineWritesOverItself: a shorter text leaves nothing of a longer
// one, and in the end nothing stands there.
func TestProgressLineWritesOverItself(t *testing.T) {
	var b bytes.Buffer
	p := &progressLine{w: &b, width: 20, done: make(chan struct{})}
	p.show("candidate 1/10, replay 1/5")
	p.show("short")
	p.stop()
	want := "\r0 s: candidate 1..." + "\r0 s: short         " + "\r          " + "\r"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoProgressWithoutATerminal(t *testing.T) {
	p := startProgress(&bytes.Buffer{})
	if p != nil {
		t.Fatal("progress is shown in a buffer")
	}
	p.show("x") // a nil line takes everything
	p.clear()
	p.stop()
}
