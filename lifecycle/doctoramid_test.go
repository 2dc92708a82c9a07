package lifecycle_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// atWork runs work again and again beside the test, in a workspace object of its
// own, until the returned function is called.
func atWork(t *testing.T, root string, work func(e *lifecycle.Engine, n int) error) (stop func() (rounds int)) {
	t.Helper()
	ws, err := workspace.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	cfg, _, _, err := workspace.LoadConfig(workspace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	engine := &lifecycle.Engine{Workspace: ws, Config: cfg}
	end := make(chan struct{})
	var rounds int
	var failed error
	var done sync.WaitGroup
	done.Go(func() {
		for ; failed == nil; rounds++ {
			select {
			case <-end:
				return
			default:
				failed = work(engine, rounds)
			}
		}
	})
	return func() int {
		close(end)
		done.Wait()
		if failed != nil {
			t.Error(failed)
		}
		return rounds
	}
}

func observeText(ctx context.Context, e *lifecycle.Engine, text string) ([]lifecycle.Observation, error) {
	report, err := lifecycle.ParseReport("report", []byte(text))
	if err != nil {
		return nil, err
	}
	return e.NewObserver().Observe(ctx, []lifecycle.Report{report})
}

// TestTheDoctorFindsNothingAmidWriters: the journal stands before the files for
// a moment in every transition.
func TestTheDoctorFindsNothingAmidWriters(t *testing.T) {
	p := newPatient(t)
	p.Workspace.Now = time.Now
	stop := atWork(t, p.Workspace.Root, func(e *lifecycle.Engine, n int) error {
		ctx := context.Background()
		r, _, err := e.AddRule(ctx, lifecycle.NewRule{Rule: fmt.Sprintf("rule %d", n)})
		if err != nil {
			return err
		}
		answers, err := observeText(ctx, e, fmt.Sprintf(`{"session_id":"t-%d","scores":{"agent_reliability":0.1}}`, n))
		if err != nil {
			return err
		}
		if notice := answers[0].NoticeID; notice != "" {
			if _, _, err := e.AckNotice(ctx, lifecycle.Ack{NoticeID: string(notice), RuleID: r.ID}); err != nil {
				return err
			}
		}
		_, err = e.RetireRule(ctx, r.ID, "x")
		return err
	})
	for range 40 {
		for _, f := range p.examine().Findings {
			t.Errorf("found %v", f)
		}
	}
	if stop() == 0 {
		t.Error("nobody was at work")
	}
	for _, f := range p.examine().Findings {
		t.Errorf("found at the end %v", f)
	}
}

// TestARepairAmidWritersLosesNothing tears the evidence of a clone that goes on
// observing, and repairs it, again and again.
func TestARepairAmidWritersLosesNothing(t *testing.T) {
	p := newPatient(t)
	p.Workspace.Now = time.Now
	stop := atWork(t, p.Workspace.Root, func(e *lifecycle.Engine, n int) error {
		_, err := observeText(context.Background(), e, fmt.Sprintf(`{"session_id":"s-1","turn_index":%d,"scores":{"m":0.9}}`, n))
		return err
	})
	for range 25 {
		f, err := os.OpenFile(p.path(session1File), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("{torn\n"); err != nil {
			t.Fatal(err)
		}
		f.Close()
		p.repair()
	}
	observed := stop()
	p.repair()
	if h := p.examine(); !h.OK {
		t.Errorf("left: %v", h.Findings)
	}
	lines, err := p.Workspace.SessionLines("s-1")
	if err != nil {
		t.Fatal(err)
	}
	turns := map[int64]bool{}
	for _, l := range lines {
		if l.TurnIndex != nil {
			turns[*l.TurnIndex] = true
		}
	}
	if len(turns) != observed {
		t.Errorf("%d of %d reports are left", len(turns), observed)
	}
}
