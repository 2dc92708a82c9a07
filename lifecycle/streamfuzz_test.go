package lifecycle

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// FuzzStream feeds arbitrary bytes: every line that is not blank is answered
// once, in order, with what it is taken for alone.
func FuzzStream(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbf" + `{"session_id":"s","scores":{"m":0.5}}` + "\r\n\n \n" + `{"session_id":"t","signatures":[]}`))
	f.Add([]byte("{}\n[]\nnull\n\x00\n{\"session_id\":\"s\",\"scores\":{\"m\":2}}\n"))
	f.Add([]byte("\n\n\n"))
	f.Add([]byte("\xef\xbb\xbf\n{\"session_id\":\"s\",\"signatures\":[]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := (&Engine{}).NewObserver()
		o.WriteNothing()
		var answers []StreamAnswer
		err := o.Stream(context.Background(), "input", bytes.NewReader(data), func(batch []StreamAnswer) error {
			answers = append(answers, batch...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		next := 0
		for i, line := range strings.Split(string(data), "\n") {
			text := []byte(line)
			if i == 0 {
				text = workspace.TrimBOM(text)
			}
			if len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			if next == len(answers) || answers[next].Line != i+1 {
				t.Fatalf("%q: line %d is not answered: %v", data, i+1, answers)
			}
			report, err := ParseReport("", text)
			if (err == nil) != (answers[next].Err == nil) || err == nil && report.SessionID != answers[next].Observation.SessionID {
				t.Fatalf("%q: line %d: %v, alone %v", data, i+1, answers[next], err)
			}
			next++
		}
		if next != len(answers) {
			t.Fatalf("%q: %d answers to %d lines", data, len(answers), next)
		}
	})
}

// FuzzBreaker reads a spoilt mark of the circuit breaker: it decides all the
// same, and a flood ends in one notice for people, however the clock was set.
func FuzzBreaker(f *testing.F) {
	f.Add(`{"notices":["2026-01-01T00:00:00.000000Z"],"open":true}`, int64(0))
	f.Add(`{"notices":["9999-01-01T00:00:00Z"],"open":true}`, int64(-3600))
	f.Add(`{"open":1}`, int64(1<<40))
	f.Fuzz(func(t *testing.T, mark string, offset int64) {
		b := parseBreaker(mark)
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(offset%(1<<31)) * time.Second)
		const most, window = 3, 600
		needsHuman := 0
		for range most + 3 {
			if b.admit(workspace.NewTime(now), most, window) == breakerNeedsHuman {
				needsHuman++
			}
		}
		if needsHuman > 1 || !b.Open {
			t.Fatalf("%q at %s: %d notices for people, open %v", mark, now, needsHuman, b.Open)
		}
		b.recovered()
		if b.admit(workspace.NewTime(now), most, window) != breakerPost {
			t.Fatalf("%q: closed, and the next notice is not posted", mark)
		}
	})
}
