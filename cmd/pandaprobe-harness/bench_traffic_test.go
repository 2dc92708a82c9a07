package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// grow makes the workspace that of a long life: a million events over 100 days,
// the files of 20,000 sessions, 5,000 retired rules with their trials.
func (p *program) grow() {
	p.t.Helper()
	const days, events, sessions, retired = 100, 1_000_000, 20_000, 5_000
	at := time.Now().UTC().Truncate(24 * time.Hour).Add(-days * 24 * time.Hour)
	for day := range days {
		var text strings.Builder
		for i := range events / days {
			n := day*events/days + i
			fmt.Fprintf(&text, `{"ts":%q,"id":"%016x","type":"notice","session_id":"old-%d","notice_id":"n-20260101T000000000000-%08x",`+
				`"severity":"breach","signatures":["breach:m"],"metrics":[{"name":"m","value":0.3,"threshold":0.5,"reason":"","conditions":["breach"]}],`+
				`"flagged_traces":[],"signal_breakdown":{},"summary":"m=0.30","turn_index":null,"observe_only":false}`+"\n",
				at.Add(time.Duration(n)*days*24*time.Hour/events).Format("2006-01-02T15:04:05.000000Z"), n, n%sessions, n)
		}
		p.write("state/journal/"+at.Add(time.Duration(day)*24*time.Hour).Format("2006-01-02")+".ffffff.jsonl", text.String())
	}
	for i := range sessions {
		p.write(fmt.Sprintf("state/sessions/old-%d.ffffff.jsonl", i), fmt.Sprintf(
			`{"ts":"2026-01-01T00:00:00.000000Z","id":"%016x","session_id":"old-%d","scores":{"m":0.3},"ewma":{"m":{"fast":0.3,"slow":0.3,"count":1}},"signatures":["breach:m"]}`+"\n", i, i))
	}
	id := p.addRule("a retired rule")
	p.must("rule", "retire", id, "--reason", "old")
	text := p.read("state/rules/retired/" + id + ".toml")
	for i := range retired {
		name := fmt.Sprintf("r-%010x", i)
		p.write("state/rules/retired/"+name+".toml", strings.ReplaceAll(text, id, name))
		p.write("state/trials/"+name+".ffffff.jsonl", fmt.Sprintf(
			`{"ts":"2026-01-01T00:00:00.000000Z","id":"%016x","type":"observation","session_id":"old-%d"}`+"\n", i, i))
	}
}

// BenchmarkBigWorkspace compares commands on a workspace of a long life with
// the same on an empty one: observe is to take at most 1.3 times as long, the
// reading commands 5 times.
func BenchmarkBigWorkspace(b *testing.B) {
	empty, big := benchProgram(b, ""), benchProgram(b, "")
	big.grow()
	commands := []struct {
		name, stdin string
		args        []string
	}{
		{"journal", "", []string{"journal", "--last", "20"}},
		{"reflect", "", []string{"reflect", "--json"}},
		{"observe", `{"session_id":"live-%d","scores":{"m":0.9}}`, []string{"observe"}},
		{"observe-breach", `{"session_id":"live-%d","scores":{"m":0.1}}`, []string{"observe", "--set", "circuit_breaker_max_notices=0"}},
	}
	for _, c := range commands {
		b.Run(c.name, func(b *testing.B) { compareSizes(b, empty, big, c.stdin, c.args) })
	}
	for _, p := range []*program{empty, big} {
		p.addRule("a candidate", "--metric", "m", "--set", "rule_trial_min_sessions=100000")
	}
	b.Run("observe-with-candidate", func(b *testing.B) {
		compareSizes(b, empty, big, commands[2].stdin, []string{"observe", "--no-validate", "--set", "rule_trial_min_sessions=100000"})
	})
}

func compareSizes(b *testing.B, empty, big *program, stdin string, args []string) {
	turn := 0
	on := func(p *program) func() {
		return func() {
			text := stdin
			if strings.Contains(text, "%d") {
				turn++
				text = fmt.Sprintf(stdin, turn)
			}
			p.quietly(p.exe, text, args...)()
		}
	}
	for b.Loop() {
		t := medians(50, on(empty), on(big))
		report(b, map[string]float64{"ms/empty": milliseconds(t[0]), "ms/big": milliseconds(t[1]), "big/empty": float64(t[1]) / float64(t[0])})
	}
}

// BenchmarkStream measures how many reports a second are handled, each batch
// synced, by one process and by eight. It is to be 4,000 and no fewer.
func BenchmarkStream(b *testing.B) {
	for _, c := range []struct {
		name       string
		processes  int
		candidates bool
	}{{"one", 1, false}, {"eight", 8, false}, {"one-with-candidate", 1, true}, {"eight-with-candidate", 8, true}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				p := benchProgram(b, "rule_trial_min_sessions = 100000\n")
				if c.candidates {
					p.addRule("a candidate", "--metric", "m")
				}
				const reports = 20_000
				took := p.stream(c.processes, reports/c.processes)
				report(b, map[string]float64{"reports/s": reports / took.Seconds()})
				if c.candidates {
					p.must("drain")
				}
			}
		})
	}
}

// stream has so many processes handle so many reports each, over 2,000 sessions
// of which some breach, and returns how long that took.
func (p *program) stream(processes, reports int) time.Duration {
	p.t.Helper()
	var running []*process
	for k := range processes {
		var text bytes.Buffer
		for i := range reports {
			fmt.Fprintf(&text, `{"session_id":"s-%d","scores":{"m":0.%d,"n":0.9}}`+"\n", (i*processes+k)%2000, 4+i/2000%5)
		}
		c := p.command("observe", "--stream", "--json")
		c.Stdin, c.Stdout = &text, io.Discard
		running = append(running, c)
	}
	began := time.Now()
	for _, c := range running {
		c.begin()
	}
	for _, c := range running {
		if out := c.wait(); out.code != 0 {
			p.t.Errorf("exit code %d\n%s", out.code, out.stderr)
		}
	}
	return time.Since(began)
}
