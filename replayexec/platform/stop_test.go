package platform

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform/platformtest"
)

const noHanging = 20 * time.Second // far above what any of these tests takes

// waitFor returns once the stand-in has been called n times.
func waitFor(t *testing.T, fake *platformtest.Fake, n int) []platformtest.Call {
	t.Helper()
	for deadline := time.Now().Add(noHanging); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if calls := fake.Calls(t); len(calls) >= n {
			return calls
		}
	}
	t.Fatalf("%d calls never came", n)
	return nil
}

func TestInterruptEndsACallAndItsProcess(t *testing.T) {
	c, fake, _ := newClient(t, `{"sessions": {"s-1": {}}, "faults": [{"endpoint": "runs.get", "kind": "hang", "times": -1}]}`)
	ctx, interrupt := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := c.Evaluate(ctx, "s-1", bothMetrics)
		result <- err
	}()
	hanging := waitFor(t, fake, 2)[1]
	began := time.Now()
	interrupt()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	if took := time.Since(began); took > noHanging {
		t.Errorf("took %v", took)
	}
	if hanging.ExitCode != -1 || hanging.PID == os.Getpid() {
		t.Fatalf("not the hanging call: %+v", hanging)
	}
	process, err := os.FindProcess(hanging.PID)
	if err == nil && process.Signal(syscall.Signal(0)) == nil {
		t.Errorf("process %d is still there", hanging.PID)
	}
	if calls := fake.Count(t, ""); calls != 2 {
		t.Errorf("%d calls, want 2", calls)
	}
}

func TestInterruptEndsAPause(t *testing.T) {
	for name, scenario := range map[string]string{
		"between two looks": `{"sessions": {"s-1": {}}, "new_runs": {"polls": -1}}`,
		"before a retry":    `{"sessions": {"s-1": {}}, "faults": [{"endpoint": "runs.get", "status": 503}]}`,
	} {
		c, fake, _ := newClient(t, scenario)
		c.testOnlySleep, c.PollInterval, c.Backoff = nil, time.Hour, time.Hour
		ctx, interrupt := context.WithCancel(t.Context())
		result := make(chan error, 1)
		go func() {
			_, err := c.Evaluate(ctx, "s-1", bothMetrics)
			result <- err
		}()
		waitFor(t, fake, 2)
		interrupt()
		select {
		case err := <-result:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(noHanging):
			t.Fatalf("%s: not ended", name)
		}
	}
}

func TestNothingIsCalledAfterTheEnd(t *testing.T) {
	c, fake, _ := newClient(t, `{"sessions": {"s-1": {}}}`)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	_, evaluated := c.Evaluate(ctx, "s-1", bothMetrics)
	_, listed := c.NewestScores(ctx)
	_, traced := c.Trace(ctx, "t-1")
	_, diagnosed := c.Diagnose(ctx)
	for _, err := range []error{evaluated, listed, traced, diagnosed} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want %v", err, context.Canceled)
		}
	}
	if calls := fake.Count(t, ""); calls != 0 {
		t.Errorf("%d calls", calls)
	}
}

func TestListIsBoundedAsAWhole(t *testing.T) {
	c, _, _ := newClient(t, faulty("scores.list", `"kind": "hang"`))
	c.ListLimit = 50 * time.Millisecond
	began := time.Now()
	_, err := c.NewestScores(t.Context())
	if e := asError(t, err); e.Class != Timeout || !strings.Contains(e.Error(), "not all pages within 50ms") {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > noHanging {
		t.Errorf("took %v", took)
	}
}

func TestWithin(t *testing.T) {
	over := &Error{Class: NotFinished}
	blocks := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	if err := within(t.Context(), time.Millisecond, over, blocks); err != over {
		t.Errorf("at the limit: %v", err)
	}
	outer, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := within(outer, time.Hour, over, blocks); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("at the caller's limit: %v", err)
	}
	if err := within(t.Context(), time.Hour, over, func(context.Context) error { return nil }); err != nil {
		t.Errorf("in time: %v", err)
	}
}
