package lifecycle

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// failedMark keeps why the last background round of this clone failed, until a
// round has come to its end.
const failedMark = "round_failed"

// BackgroundFailure says why the last background round of this clone failed, in
// one line; "" when it did not, or when a round has come to its end since
// (docs/closed-loop.md, "Background rounds").
func (e *Engine) BackgroundFailure() string { return backgroundFailure(e.Workspace) }

func backgroundFailure(ws *workspace.Workspace) string { return SafeLine(ws.Mark(failedMark)) }

// keepFailure notes how a round ended. That the note could not be written is no
// failure of the round.
func (e *Engine) keepFailure(ctx context.Context, o RoundOptions, err error) {
	switch {
	case o.DryRun || ctx.Err() != nil:
	case err == nil:
		e.Workspace.Untouch(failedMark)
	case o.Background:
		e.Workspace.Update(ctx, func(tx *workspace.Tx) error {
			return tx.PutMark(failedMark, SafeLine(e.Redact(err.Error())))
		})
	}
}

// roundFailure is what the doctor says of it.
func (d Doctor) roundFailure() []workspace.Finding {
	reason := backgroundFailure(d.Workspace)
	if reason == "" {
		return nil
	}
	return []workspace.Finding{{Kind: workspace.KindRoundFailed, File: "state/local/logs/" + BackgroundLog, Severity: workspace.SeverityWarning,
		Message: "the last background round failed: " + reason, Mend: "mend that and run `pandaprobe-harness validate`"}}
}
