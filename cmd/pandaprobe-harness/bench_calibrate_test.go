//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// scoredTraffic is data for calibration: sessions with two metrics and five
// samples each, the same ones on every machine, as other tools lay them out.
type scoredTraffic struct {
	sessions int
	random   *rand.Rand
}

func newScoredTraffic(sessions int) *scoredTraffic {
	return &scoredTraffic{sessions, rand.New(rand.NewPCG(1, uint64(sessions)))}
}

const (
	trafficMetrics = 2
	trafficSamples = 5
)

func (d *scoredTraffic) session(i int) string { return fmt.Sprintf("session-%08d", i) }

func (d *scoredTraffic) metric(k int) string {
	return []string{"agent_consistency", "agent_reliability"}[k]
}

func (d *scoredTraffic) time(i, sample int) string {
	return time.Date(2026, 1, 1+sample, i%24, i%60, 7*sample, i%1000*1000, time.UTC).Format("2006-01-02T15:04:05.000000")
}

// writeHistory writes state/score_history.json, indented and sorted by key.
func (d *scoredTraffic) writeHistory(w io.Writer) {
	fmt.Fprint(w, "{")
	comma := ""
	for i := range d.sessions {
		for k := range trafficMetrics {
			fmt.Fprintf(w, "%s\n  \"%s::%s\": {\n    \"ewma\": {\n      \"count\": %d,\n      \"fast\": %v,\n      \"slow\": %v\n    },\n    \"series\": [",
				comma, d.session(i), d.metric(k), trafficSamples, d.random.Float64(), d.random.Float64())
			for s := range trafficSamples {
				between := ","
				if s == 0 {
					between = ""
				}
				fmt.Fprintf(w, "%s\n      {\n        \"run_id\": \"r%06x\",\n        \"ts\": \"%s+00:00\",\n        \"value\": %.4f\n      }",
					between, d.random.Uint32N(1<<24), d.time(i, s), d.random.Float64())
			}
			fmt.Fprint(w, "\n    ]\n  }")
			comma = ","
		}
	}
	fmt.Fprint(w, "\n}\n")
}

// writeSession writes the file of one session as observing it five times does.
func (d *scoredTraffic) writeSession(w io.Writer, i int) {
	for s := range trafficSamples {
		fmt.Fprintf(w, `{"ts":"%sZ","id":"%016x","session_id":"%s","run_id":"r%06x","scores":{`, d.time(i, s), i*trafficSamples+s, d.session(i), d.random.Uint32N(1<<24))
		averages := make([]string, trafficMetrics)
		for k := range trafficMetrics {
			fmt.Fprintf(w, `%s"%s":%.4f`, strings.Repeat(",", min(k, 1)), d.metric(k), d.random.Float64())
			averages[k] = fmt.Sprintf(`"%s":{"fast":%v,"slow":%v,"count":%d}`, d.metric(k), d.random.Float64(), d.random.Float64(), s+1)
		}
		fmt.Fprintf(w, `},"ewma":{%s},"signatures":["breach:agent_reliability"]}`+"\n", strings.Join(averages, ","))
	}
}

func (d *scoredTraffic) writeLabels(w io.Writer) {
	fmt.Fprintln(w, "session_id,failed")
	for i := range d.sessions {
		fmt.Fprintf(w, "%s,%v\n", d.session(i), d.random.Float64() < 0.2)
	}
}

func benchFile(b *testing.B, path string, write func(io.Writer)) string {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	out := bufio.NewWriter(f)
	write(out)
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// historyFolder holds nothing but a score history.
func historyFolder(b *testing.B, sessions int) string {
	b.Helper()
	folder := b.TempDir()
	benchFile(b, filepath.Join(folder, "state", "score_history.json"), newScoredTraffic(sessions).writeHistory)
	return folder
}

// measuredRun is a command that ended well.
type measuredRun struct {
	time time.Duration
	peak float64 // MB of memory
}

// best runs each of the commands n times, taking turns, so that what else the
// machine does meets all of them, and returns their best times and largest peaks.
func best(b *testing.B, n int, commands ...[]string) []measuredRun {
	b.Helper()
	results := make([]measuredRun, len(commands))
	for turn := range n {
		for i, command := range commands {
			c := exec.Command(command[0], command[1:]...)
			began := time.Now()
			if out, err := c.Output(); err != nil || len(out) == 0 {
				b.Fatalf("%q: %v", command, err)
			}
			took := time.Since(began)
			if turn == 0 || took < results[i].time {
				results[i].time = took
			}
			results[i].peak = max(results[i].peak, peakMemory(c))
		}
	}
	return results
}

// peakMemory is in MB. Linux counts in KiB, macOS in bytes.
func peakMemory(c *exec.Cmd) float64 {
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	unit := 1024.0
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / 1e6
}

func calibrateLine(b *testing.B, folder string, more ...string) []string {
	b.Helper()
	exe, err := buildOnce()
	if err != nil {
		b.Fatal(err)
	}
	line := []string{exe, "calibrate", "--workspace", folder, "--source", "history", "--json"}
	return append(line, more...)
}

// BenchmarkCalibrateHistory compares calibration on 100,000 sessions and as many
// labels with `jq -c length` on the same file. It is to be at least 10 times as
// fast, and to stay under 64 MB.
func BenchmarkCalibrateHistory(b *testing.B) {
	folder := historyFolder(b, 100_000)
	history := filepath.Join(folder, "state", "score_history.json")
	labels := benchFile(b, filepath.Join(folder, "labels.csv"), newScoredTraffic(100_000).writeLabels)
	commands := [][]string{calibrateLine(b, folder, "--labels", labels)}
	if jq, err := exec.LookPath("jq"); err == nil {
		commands = append(commands, []string{jq, "-c", "length", history})
	} else {
		b.Log("there is no jq on this machine: the ratio to it is not measured")
	}
	st, err := os.Stat(history)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r := best(b, 5, commands...)
		figures := map[string]float64{"MB/file": float64(st.Size()) / 1e6, "ms/calibrate": milliseconds(r[0].time), "MB/peak": r[0].peak}
		if len(r) > 1 {
			figures["ms/jq"], figures["jq/calibrate"] = milliseconds(r[1].time), float64(r[1].time)/float64(r[0].time)
		}
		report(b, figures)
	}
}

// BenchmarkCalibrateSessions compares 10,000 sessions kept as session files, five
// lines each, with the same data in one score history. They are to take at most 3
// times as long.
func BenchmarkCalibrateSessions(b *testing.B) {
	const sessions = 10_000
	inOne, inFiles := historyFolder(b, sessions), b.TempDir()
	data := newScoredTraffic(sessions)
	for i := range sessions {
		benchFile(b, filepath.Join(inFiles, "state", "sessions", data.session(i)+".a1b2c3.jsonl"), func(w io.Writer) { data.writeSession(w, i) })
	}
	for b.Loop() {
		r := best(b, 10, calibrateLine(b, inOne), calibrateLine(b, inFiles))
		report(b, map[string]float64{
			"ms/history": milliseconds(r[0].time), "ms/sessions": milliseconds(r[1].time),
			"sessions/history": float64(r[1].time) / float64(r[0].time), "MB/peak": r[1].peak,
		})
	}
}

// BenchmarkCalibrateGrowth compares ten times the sessions, and labels, with the
// tenth. They are to take at most 11 times as long.
func BenchmarkCalibrateGrowth(b *testing.B) {
	var commands [][]string
	for _, sessions := range []int{10_000, 100_000} {
		folder := historyFolder(b, sessions)
		labels := benchFile(b, filepath.Join(folder, "labels.csv"), newScoredTraffic(sessions).writeLabels)
		commands = append(commands, calibrateLine(b, folder, "--labels", labels))
	}
	for b.Loop() {
		r := best(b, 5, commands...)
		report(b, map[string]float64{
			"ms/10k": milliseconds(r[0].time), "ms/100k": milliseconds(r[1].time), "100k/10k": float64(r[1].time) / float64(r[0].time),
		})
	}
}
