package workspace

import (
	"context"
	"errors"
	"iter"
)

// SessionScore is the score that counts for a session and metric, in [0, 1].
type SessionScore struct {
	SessionID string
	Metric    string
	Value     float64
}

// Why something in the local history gives no score, as HistoryScores.LeftOut
// counts it (docs/calibration.md, "What is left out").
const (
	LeftAbsent     = "absent"         // a sample of the file without a value, or with null
	LeftNotNumber  = "not_a_number"   // NaN, Infinity, a text
	LeftOutOfRange = "out_of_range"   // below 0 or above 1
	LeftEntry      = "unusable_entry" // an entry of the file without `::` in its key, or without a series
	LeftReplay     = "replay"         // a line of a session file that a replay wrote
)

// HistoryScores is what the local history comes to for calibration: of each
// session and metric the newest score, by its own time.
type HistoryScores struct {
	LeftOut map[string]int // samples and lines that give no score, by reason
	Broken  []error        // files that could not be read; their scores are not there
	live    *liveScores
	file    []*fileScores
}

// All yields the scores. One of a session and metric that comes again takes the
// place of the earlier one.
func (h *HistoryScores) All() iter.Seq[SessionScore] {
	return func(yield func(SessionScore) bool) {
		if !h.live.all(yield) {
			return
		}
		for _, part := range h.file {
			if !part.all(yield) {
				return
			}
		}
	}
}

// HistoryScores reads state/score_history.json and every session file. A series
// is the union of its samples there; the newest usable one counts, whichever
// file holds it (docs/calibration.md, "Where the scores come from"). A score
// history that is not JSON gives nothing and is in Broken. Lines of session files
// that are no whole records are told to Warn and passed over. The error is that
// of ctx.
func (w *Workspace) HistoryScores(ctx context.Context) (*HistoryScores, error) {
	live, err := w.liveScores(ctx)
	if err != nil {
		return nil, err
	}
	h := &HistoryScores{LeftOut: live.leftOut, Broken: live.broken, live: live}
	h.file, err = w.fileScores(ctx, live)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		h.file, h.Broken = nil, append(h.Broken, err)
	}
	for _, part := range h.file {
		for reason, n := range part.leftOut {
			h.LeftOut[reason] += n
		}
	}
	return h, nil
}

// fileScores returns the scores of the score history that are newer than the
// live ones, in the order of the file.
func (w *Workspace) fileScores(ctx context.Context, live *liveScores) ([]*fileScores, error) {
	file, err := w.openHistory()
	if file == nil || err != nil {
		return nil, err
	}
	defer file.close()
	for {
		parts, err := file.scores(ctx, live)
		if !errors.Is(err, errNotFinite) {
			return parts, err
		}
		file.finite = true // read it all again: few files need this
	}
}

// scores reads the file in blocks, or as a whole where that does not go.
func (h *historyFile) scores(ctx context.Context, live *liveScores) (parts []*fileScores, err error) {
	err = h.scan(ctx, func() memberFunc {
		part := newFileScores(live)
		parts = append(parts, part)
		return part.member
	})
	if err == nil {
		return parts, nil
	}
	whole := newFileScores(live)
	return []*fileScores{whole}, h.walk(ctx, whole.member)
}
