package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// progressLine shows on a terminal, in one line that is written over, what a
// long command is doing and for how long. It needs no escape sequences.
type progressLine struct {
	w     io.Writer
	width int
	done  chan struct{}
	ended sync.WaitGroup

	mu    sync.Mutex
	text  string
	began time.Time
	shown int // columns of the line that stands there now
}

// startProgress returns nil when w is no terminal; a nil *progressLine shows
// nothing.
func startProgress(w io.Writer) *progressLine {
	if !isTerminal(w) {
		return nil
	}
	p := &progressLine{w: w, width: widthOf(w), done: make(chan struct{})}
	p.ended.Add(1)
	go p.tick()
	return p
}

func (p *progressLine) tick() {
	defer p.ended.Done()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			p.draw()
		case <-p.done:
			return
		}
	}
}

// show starts a new piece of work.
func (p *progressLine) show(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.text, p.began = text, time.Now()
	p.mu.Unlock()
	p.draw()
}

func (p *progressLine) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text == "" {
		return
	}
	elapsed := int(time.Since(p.began).Seconds())
	p.replace(cut(fmt.Sprintf("%d s: %s", elapsed, p.text), p.width-1))
}

// replace writes over the line with blanks behind the text.
func (p *progressLine) replace(text string) {
	columns := len([]rune(text))
	fmt.Fprintf(p.w, "\r%s%s", text, strings.Repeat(" ", max(0, p.shown-columns)))
	p.shown = columns
}

// clear takes the line away for a message; the next second brings it back.
func (p *progressLine) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replace("")
	io.WriteString(p.w, "\r")
}

// stop takes the line away for good.
func (p *progressLine) stop() {
	if p == nil {
		return
	}
	close(p.done)
	p.ended.Wait()
	p.clear()
}

// describe says what a round is about to do.
func describe(p lifecycle.Progress) string {
	return fmt.Sprintf("candidate %d/%d %s, replay %d/%d %s", p.Candidate, p.Candidates, p.RuleID, p.Case, p.Cases, p.CaseID)
}
