package replayexec

import (
	"bytes"
	"io"
	"strings"
)

// tailSize is how much of the end of standard error is kept, in bytes.
const tailSize = 4 << 10

// tail keeps the end of what is written to it and passes all of it on.
type tail struct {
	also io.Writer
	kept []byte
	cut  bool
}

// Write never fails: a log that cannot be written must not stop the command.
func (t *tail) Write(p []byte) (int, error) {
	if t.also != nil {
		t.also.Write(p)
	}
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailSize; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// String is the kept end as valid UTF-8, from the start of a line if one is in
// it, else from that of a word: half a secret is one that no pattern knows.
func (t *tail) String() string {
	kept := t.kept
	if t.cut {
		i := bytes.IndexByte(kept, '\n')
		if i < 0 || i+1 == len(kept) {
			i = bytes.IndexAny(kept, " \t")
		}
		kept = kept[i+1:]
	}
	return strings.ToValidUTF8(string(kept), "\uFFFD")
}
