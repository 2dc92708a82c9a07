package replayexec

import (
	"io"
	"os"
)

// capture reads one pipe of a command into sink until it is drained.
type capture struct {
	r    *os.File
	sink io.Writer
	done chan struct{} // closed when the reader has stopped
	err  error         // why it stopped; nil at the end of the stream
}

func startCapture(r *os.File, sink io.Writer) *capture {
	c := &capture{r: r, sink: sink, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		// The wrapper hides ReadFrom and WriteTo: plain reads that a deadline ends.
		_, c.err = io.Copy(c.sink, struct{ io.Reader }{c.r})
	}()
	return c
}
