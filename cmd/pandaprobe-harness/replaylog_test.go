package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type closing struct{ *bytes.Buffer }

func (closing) Close() error { return nil }

func newTestLog(b *bytes.Buffer) *lineLog {
	return &lineLog{
		open:   func() (io.WriteCloser, error) { return closing{b}, nil },
		redact: func(s string) string { return strings.ReplaceAll(s, "secret", "[redacted]") },
		warn:   func(string) {},
	}
}

func TestLogRedactsWholeLines(t *testing.T) {
	var b bytes.Buffer
	log := newTestLog(&b)
	log.heading("rule %s", "r-1")
	log.heading("rule %s", "r-2") // r-1 said nothing
	for _, part := range []string{"a sec", "ret\nb", "\n", "\nunended secret"} {
		io.WriteString(log, part)
	}
	log.heading("rule %s", "r-3")
	io.WriteString(log, "end")
	log.Close()
	want := "--- rule r-2\na [redacted]\nb\n\nunended [redacted]\n--- rule r-3\nend\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestALongLineIsCutBetweenWords(t *testing.T) {
	for before := longestLine - 10; before < longestLine+4; before++ {
		var b bytes.Buffer
		log := newTestLog(&b)
		io.WriteString(log, strings.Repeat("x", before)+" secret")
		log.Close()
		if strings.Contains(b.String(), "sec") || !strings.Contains(b.String(), "[redacted]") {
			t.Fatalf("%d: %.40q", before, b.String()[before-10:])
		}
	}
}

func TestLogIsBounded(t *testing.T) {
	var b bytes.Buffer
	log := newTestLog(&b)
	flood := bytes.Repeat([]byte("x"), 10<<20) // one line that never ends
	io.Copy(log, bytes.NewReader(flood))
	log.Close()
	if got := b.Len(); got > mostLogged+longestLine {
		t.Errorf("%d bytes were logged", got)
	}
	if !strings.HasSuffix(b.String(), "the rest of this call is left out\n") {
		t.Error("that something is left out is not said")
	}
}

func TestLogThatCannotBeOpenedIsSaidOnce(t *testing.T) {
	var said []string
	log := &lineLog{
		open:   func() (io.WriteCloser, error) { return nil, errors.New("no room") },
		redact: func(s string) string { return s },
		warn:   func(s string) { said = append(said, s) },
	}
	io.WriteString(log, "a\nb\n")
	log.Close()
	if diff := cmp.Diff([]string{"what replays print on standard error is not logged: no room"}, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
