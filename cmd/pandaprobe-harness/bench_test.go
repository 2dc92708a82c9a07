package main

import (
	"fmt"
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
