package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// replayLogName is the log, under state/local/logs, of what replays and scorers
// print on standard error.
const replayLogName = "replay.log"

// mostLogged bounds what one call of the program adds to a log.
const mostLogged = 1 << 20

// lineLog writes whole lines, redacted one by one, to a log that it opens with
// the first of them. It never fails: a log must not stop the command.
type lineLog struct {
	open   func() (io.WriteCloser, error)
	redact func(string) string
	warn   func(string)

	mu      sync.Mutex
	to      io.WriteCloser
	title   string // heading to be written before the next line
	partial []byte
	written int
	broken  bool
}

func newReplayLog(engine *lifecycle.Engine, warn func(string)) *lineLog {
	return &lineLog{
		open:   func() (io.WriteCloser, error) { return lifecycle.OpenLog(engine.Workspace, replayLogName) },
		redact: engine.Redact,
		warn:   warn,
	}
}

func (l *lineLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.partial = append(l.partial, p...)
	for {
		line, rest, found := bytes.Cut(l.partial, []byte{'\n'})
		if !found && len(l.partial) <= longestLine {
			return len(p), nil
		}
		if !found {
			line, rest = cutAtWord(l.partial)
		}
		l.line(string(line))
		l.partial = append(l.partial[:0], rest...)
	}
}

// cutAtWord cuts a line that is too long; half a secret is one that no pattern
// knows.
func cutAtWord(line []byte) (now, later []byte) {
	at := bytes.LastIndexAny(line, " \t")
	if at < 0 {
		return line, nil
	}
	return line[:at], line[at+1:]
}

// longestLine bounds what is kept while a line does not end.
const longestLine = 64 << 10

// heading names the part of the log that begins; it is written with the first
// line of that part.
func (l *lineLog) heading(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	l.title = fmt.Sprintf("--- "+format, args...)
}

// flush ends a line that the command did not end.
func (l *lineLog) flush() {
	if len(l.partial) > 0 {
		l.line(string(l.partial))
		l.partial = nil
	}
}

func (l *lineLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flush()
	if l.to == nil {
		return nil
	}
	return l.to.Close()
}

func (l *lineLog) line(text string) {
	if l.broken || l.written > mostLogged {
		return
	}
	if l.to == nil {
		if l.to, l.broken = l.opened(); l.broken {
			return
		}
	}
	text = l.redact(text) + "\n"
	if l.title != "" {
		text = l.title + "\n" + text
		l.title = ""
	}
	if l.written += len(text); l.written > mostLogged {
		text = fmt.Sprintf("--- more than %d MiB: the rest of this call is left out\n", mostLogged>>20)
	}
	io.WriteString(l.to, text)
}

func (l *lineLog) opened() (to io.WriteCloser, broken bool) {
	to, err := l.open()
	if err != nil {
		l.warn(fmt.Sprintf("what replays print on standard error is not logged: %v", err))
	}
	return to, err != nil
}
