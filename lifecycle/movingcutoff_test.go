package lifecycle_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// dyingContext ends after so many looks at it.
type dyingContext struct {
	context.Context
	looks int
}

func (d *dyingContext) Err() error {
	if d.looks--; d.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestImportGoesOnWhereItWasCutOff cuts an import off at every place where it
// looks whether to go on.
func TestImportGoesOnWhereItWasCutOff(t *testing.T) {
	whole := newEngine(t, nil)
	whole.Workspace.Writer = "w"
	importFrom(t, whole, pythonSample)
	want := committed(t, whole)
	cuts := 0
	for looks := 0; ; looks += 3 {
		e := newEngine(t, nil)
		e.Workspace.Writer = "w"
		_, err := e.Import(&dyingContext{context.Background(), looks}, pythonSample)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cuts++
		importFrom(t, e, pythonSample)
		if diff := cmp.Diff(want, committed(t, e)); diff != "" {
			t.Fatalf("cut off after %d looks (-whole +completed):\n%s", looks, diff)
		}
	}
	if cuts < 10 {
		t.Errorf("cut off %d times only", cuts)
	}
}

// TestImportAfterACrashBetweenEvidenceAndRule repeats no line of evidence.
func TestImportAfterACrashBetweenEvidenceAndRule(t *testing.T) {
	e := newEngine(t, nil)
	importFrom(t, e, pythonSample)
	want := committed(t, e)
	if err := os.Remove(filepath.Join(e.Workspace.Root, "state", "rules", "r-baf71e2558.toml")); err != nil {
		t.Fatal(err)
	}
	got := importFrom(t, e, pythonSample)
	if diff := cmp.Diff(want, committed(t, e)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Took != (lifecycle.Counts{Rules: 1}) || got.Known.Trials != 7 {
		t.Errorf("taken %+v, known %+v", got.Took, got.Known)
	}
}
