//go:build unix

package replayexec

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// BenchmarkReplayOverhead compares 20 replays of a command with a shell that
// runs the same command 20 times, and reports the difference for one.
func BenchmarkReplayOverhead(b *testing.B) {
	const runs = 20
	r := Replayer{
		Command: Command{Argv: []string{"/bin/echo", "s9"}},
		Dir:     b.TempDir(), Env: os.Environ(), Timeout: time.Minute,
	}
	var inShell, inReplays time.Duration
	for b.Loop() {
		began := time.Now()
		loop := exec.Command("/bin/sh", "-c", "i=0; while [ $i -lt 20 ]; do /bin/echo s9; i=$((i+1)); done")
		if _, err := loop.Output(); err != nil {
			b.Fatal(err)
		}
		inShell += time.Since(began)

		began = time.Now()
		for range runs {
			if _, err := r.Replay(b.Context(), Request{}, "c-1", "failure"); err != nil {
				b.Fatal(err)
			}
		}
		inReplays += time.Since(began)
	}
	milliseconds := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N*runs) }
	b.ReportMetric(milliseconds(inShell), "ms/shell-run")
	b.ReportMetric(milliseconds(inReplays), "ms/replay")
	b.ReportMetric(milliseconds(inReplays-inShell), "ms-overhead/replay")
}
