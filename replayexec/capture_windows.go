package replayexec

import "time"

// finishWait bounds the wait for the end of a pipe, which comes when the job
// has been ended and its last writer is gone.
const finishWait = time.Second

// take does nothing: a read of an anonymous pipe cannot be interrupted here.
func (c *capture) take() {}

// finish reads to the end of the stream. A reader that does not end is left to
// itself.
func (c *capture) finish() {
	select {
	case <-c.done:
	case <-time.After(finishWait):
	}
}
