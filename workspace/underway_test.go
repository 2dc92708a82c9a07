package workspace

import (
	"context"
	"strings"
	"testing"
)

// TestAScoreHistoryThatIsBeingWrittenIsNoLeftover: it is written without the
// write lock, so that a repair may run beside it.
func TestAScoreHistoryThatIsBeingWrittenIsNoLeftover(t *testing.T) {
	w := newTest(t)
	write(t, w, "state/"+tempPrefix+"score_history.json-01234567", "{")
	observed(t, w, "s", "2026-01-02T00:00:00Z", 0.25)
	x := examine(t, w)
	if len(x.Findings) != 1 || x.Findings[0].Kind != KindLeftover {
		t.Fatalf("what a crash left is not found: %v", x.Findings)
	}
	_, err := w.SyncHistory(context.Background(), func(lines []SessionLine) map[string]EWMA {
		now := examine(t, w)
		for _, f := range now.Findings {
			t.Errorf("found %v", f)
		}
		mendAll(t, w, x)
		mendAll(t, w, now)
		return countAverages(lines)
	})
	if err != nil || !strings.Contains(read(t, w, historyPath), "s::m") {
		t.Errorf("the history was not written: %v", err)
	}
	mendAll(t, w, examine(t, w))
	if x := examine(t, w); len(x.Findings) > 0 {
		t.Errorf("left: %v", x.Findings)
	}
}
