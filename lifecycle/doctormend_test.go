package lifecycle

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestWhatHoldsNoMoreUnderTheLockIsLeftAlone: between the look and the repair a
// person, or git, brought the file to where the journal says it is.
func TestWhatHoldsNoMoreUnderTheLockIsLeftAlone(t *testing.T) {
	ctx, engine := context.Background(), sourceEngine(t)
	ws := engine.Workspace
	rule, _, err := engine.AddRule(ctx, NewRule{Rule: "Be brief."})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(ws.Root, "state", "rules", rule.ID+".toml")
	candidate, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	err = ws.Update(ctx, func(tx *workspace.Tx) error {
		_, err := tx.Journal(workspace.Event{Type: EventPromote, RuleID: rule.ID}, transition{From: workspace.Candidate, Reason: "x"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	d := Doctor{Workspace: ws, Warn: func(err error) { t.Error(err) }}
	x, err := d.examine(ctx)
	if err != nil || len(x.journal) != 1 {
		t.Fatalf("%v, %v", x.journal, err)
	}
	active := strings.Replace(string(candidate), `"candidate"`, `"active"`, 1)
	if err := os.WriteFile(file, []byte(active), 0o666); err != nil {
		t.Fatal(err)
	}
	err = ws.Update(ctx, func(tx *workspace.Tx) error {
		mended, err := d.mendJournal(tx, x)
		if len(mended) > 0 {
			t.Errorf("mended %v", mended)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
