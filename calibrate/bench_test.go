package calibrate

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// traffic has two metrics, scored for every session and labeled.
func traffic(sessions int) (*Scores, *Labels) {
	r := rand.New(rand.NewPCG(1, 1))
	scores, labels := NewScores(), NewLabels()
	for i := range sessions {
		session := fmt.Sprintf("session-%08d", i)
		for _, metric := range []string{"agent_consistency", "agent_reliability"} {
			if err := scores.Set(session, metric, math.Round(r.Float64()*1e4)/1e4); err != nil {
				panic(err)
			}
		}
		labels.Set(session, r.Float64() < 0.2)
	}
	return scores, labels
}

func BenchmarkRun(b *testing.B) {
	for _, sessions := range []int{1000, 10_000, 100_000} {
		scores, labels := traffic(sessions)
		b.Run(fmt.Sprint(sessions), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(scores, Options{Labels: labels}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(sessions), "ns/session")
		})
	}
}

func BenchmarkScores(b *testing.B) {
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		scores, _ := traffic(100_000)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(scores)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB-held")
	}
}

func BenchmarkReadLabels(b *testing.B) {
	var object, list, table bytes.Buffer
	object.WriteString(`{"first": true`)
	list.WriteString(`[{"session_id": "first", "failed": true}`)
	table.WriteString("session_id,failed\n")
	for i := range 100_000 {
		fmt.Fprintf(&object, ",\n  \"session-%08d\": %v", i, i%5 == 0)
		fmt.Fprintf(&list, ",\n  {\"session_id\": \"session-%08d\", \"failed\": %v}", i, i%5 == 0)
		fmt.Fprintf(&table, "session-%08d,%v\n", i, i%5 == 0)
	}
	object.WriteString("}\n")
	list.WriteString("]\n")
	for name, text := range map[string][]byte{"object": object.Bytes(), "list": list.Bytes(), "csv": table.Bytes()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := ReadLabels(bytes.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
