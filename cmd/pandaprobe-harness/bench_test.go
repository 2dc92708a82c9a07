package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// benchProgram is a workspace for the program as `make build` builds it, not for
// the test binary, which starts more slowly.
func benchProgram(b *testing.B, config string) *program {
	b.Helper()
	exe, err := buildOnce()
	if err != nil {
		b.Fatal(err)
	}
	return newProgramAt(b, exe, config)
}

var buildOnce = sync.OnceValues(func() (exe string, err error) {
	if exe = os.Getenv(builtProgram); exe != "" {
		return exec.LookPath(exe)
	}
	exe = filepath.Join(os.TempDir(), programName+"-bench", programName)
	c := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-trimpath", "-ldflags", "-s -w", "-o", exe, ".")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %v\n%s", err, out)
	}
	return exe, nil
})

// medians runs each of the commands n times, taking turns, so that what else
// the machine does meets all of them, and returns their medians.
func medians(n int, commands ...func()) []time.Duration {
	all := make([][]time.Duration, len(commands))
	for range n {
		for i, command := range commands {
			began := time.Now()
			command()
			all[i] = append(all[i], time.Since(began))
		}
	}
	result := make([]time.Duration, len(commands))
	for i, times := range all {
		slices.Sort(times)
		result[i] = times[len(times)/2]
	}
	return result
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// report prints figures in place of the time of one turn of the loop.
func report(b *testing.B, figures map[string]float64) {
	for unit, value := range figures {
		b.ReportMetric(value, unit)
	}
	b.ReportMetric(0, "ns/op")
}

// quietly runs a program whose output nobody reads.
func (p *program) quietly(name, stdin string, args ...string) func() {
	path, err := exec.LookPath(name)
	if err != nil {
		p.t.Fatal(err)
	}
	return func() {
		c := exec.Command(path, args...)
		c.Dir, c.Env = p.dir, p.env
		c.Stdin = strings.NewReader(stdin)
		if err := c.Run(); err != nil {
			p.t.Fatalf("%s %q: %v", name, args, err)
		}
	}
}

// BenchmarkStart compares the start of the program, on a workspace of 50 rules,
// with that of git. The ratio is to stay under 2.
func BenchmarkStart(b *testing.B) {
	p := benchProgram(b, "")
	var id string
	for i := range 50 {
		id = p.addRule(fmt.Sprint("rule ", i), "--metric", "m")
	}
	for b.Loop() {
		t := medians(40,
			p.quietly(p.exe, "", "rule", "status", id),
			p.quietly("git", "", "--version"),
			p.quietly(p.exe, "", "version"))
		report(b, map[string]float64{
			"ms/rule-status": milliseconds(t[0]), "ms/git-version": milliseconds(t[1]), "ms/version": milliseconds(t[2]),
			"rule-status/git-version": float64(t[0]) / float64(t[1]),
		})
	}
}

// BenchmarkRound compares a round of 20 replays with the shell running the same
// commands. A replay is to cost at most 3 ms more.
func BenchmarkRound(b *testing.B) {
	p := benchProgram(b, "")
	for i := range 4 {
		p.addRule(fmt.Sprint("rule ", i), "--metric", "m")
	}
	for i := range 3 {
		p.addFailure(fmt.Sprint("failure ", i))
	}
	p.addCase("win", "win 1")
	p.addCase("win", "win 2")
	const replays = 4 * 5
	template := p.dir
	for b.Loop() {
		turn := 0
		round := func() { // on a fresh copy: three inconclusive rounds end the replays
			turn++
			p.quietly(p.exe, "", "validate", "--workspace", fmt.Sprint(template, "-", turn), "--", "/bin/true")()
		}
		const turns = 20
		for i := range turns {
			if err := os.CopyFS(fmt.Sprint(template, "-", i+1), os.DirFS(template)); err != nil {
				b.Fatal(err)
			}
		}
		t := medians(turns, round, p.quietly("sh", "", "-c", strings.Repeat("/bin/true;", replays)))
		report(b, map[string]float64{
			"ms/round": milliseconds(t[0]), "ms/shell": milliseconds(t[1]), "round/shell": float64(t[0]) / float64(t[1]),
			"ms-more/replay": (milliseconds(t[0]) - milliseconds(t[1])) / replays,
		})
	}
}

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
