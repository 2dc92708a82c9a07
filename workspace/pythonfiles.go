package workspace

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// AdoptHistoryOf brings the samples of another workspace's
// state/score_history.json into this one's state/sessions/, as AdoptHistory does
// with its own (docs/import.md, "What is taken"). Only this workspace is written to.
func (w *Workspace) AdoptHistoryOf(ctx context.Context, dir string) (HistoryAdoption, error) {
	return w.adoptFrom(ctx, newWorkspace(dir))
}

// FiniteJSON returns a JSON text with null in place of NaN and Infinity, which
// Python writes although JSON has none of them (docs/import.md, "What is
// taken"). Any other text that is not JSON may be returned as it is.
func FiniteJSON(text []byte) (jsontext.Value, error) { return withoutNonFinite(text) }
