package workspace

import (
	"fmt"
	"testing"
)

// TestFewFilesAreOpenAtATime: a report is evidence on thousands of candidates,
// each of which has a file.
func TestFewFilesAreOpenAtATime(t *testing.T) {
	w := newTest(t)
	update(t, w, func(tx *Tx) error {
		for i := range 3 * mostOpen {
			if _, err := tx.AppendTrial(fmt.Sprintf("r-%010x", i), TrialLine{Type: Observation, SessionID: "s"}); err != nil {
				return err
			}
			if open := len(tx.touched); open > mostOpen {
				t.Fatalf("%d files are open", open)
			}
		}
		return nil
	})
	for _, i := range []int{0, mostOpen, 3*mostOpen - 1} {
		lines, err := w.TrialLines(fmt.Sprintf("r-%010x", i))
		if err != nil || len(lines) != 1 {
			t.Errorf("trial %d: %d lines, %v", i, len(lines), err)
		}
	}
}
