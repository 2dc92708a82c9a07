package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// LeftNoTime counts samples without a readable time, which cannot be put in
// order with others.
const LeftNoTime = "no_time"

// HistoryAdoption tells what AdoptHistory did.
type HistoryAdoption struct {
	Sessions int            // sessions that got samples
	Samples  int            // samples that were brought in
	Known    int            // samples that were there already
	LeftOut  map[string]int // samples and entries that cannot be brought in, by reason
}

// AdoptHistory brings the samples of state/score_history.json into
// state/sessions/, so that conditions and averages go on from them
// (docs/workspace.md, "Score history"). A sample becomes a line of its own that
// stands at the sample's time, before what was reported since; that of the last
// sample of a series carries the file's averages. The id of a line comes from
// what it holds: doing it again, or in two clones, brings in nothing twice.
//
// The write lock is taken for some sessions at a time. A file that is not JSON is
// an *Error, and then nothing was brought in: it is read to its end first.
func (w *Workspace) AdoptHistory(ctx context.Context) (HistoryAdoption, error) {
	skip := func(_ []byte, d *jsontext.Decoder) error { return d.SkipValue() }
	if err := w.walkHistory(ctx, skip); err != nil {
		return HistoryAdoption{LeftOut: map[string]int{}}, err
	}
	return w.adoptFrom(ctx, w)
}

// adoptFrom brings in what stands in front of a fault, if there is one.
func (w *Workspace) adoptFrom(ctx context.Context, from *Workspace) (HistoryAdoption, error) {
	a := adoption{w: w, HistoryAdoption: HistoryAdoption{LeftOut: map[string]int{}}, sessions: map[string]bool{}}
	err := from.walkHistory(ctx, func(key []byte, d *jsontext.Decoder) error {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		return a.take(ctx, key, raw)
	})
	if ctx.Err() == nil {
		err = errors.Join(err, a.flush(ctx))
	}
	a.Sessions = len(a.sessions)
	return a.HistoryAdoption, err
}

// adoptedAtOnce bounds the series of one Update, which keeps their files open.
const adoptedAtOnce = 64

type adoption struct {
	HistoryAdoption
	w        *Workspace
	sessions map[string]bool
	waiting  []waitingSeries
}

type waitingSeries struct {
	session, metric string
	entry           *historyEntry
}

func (a *adoption) take(ctx context.Context, key, raw []byte) error {
	session, metric, ok := cutHistoryKey(key)
	entry := decodeHistoryEntry(raw)
	if !ok || CheckSessionID(string(session)) != nil || CheckScore(string(metric), 0) != nil || len(entry.Series) == 0 {
		a.LeftOut[LeftEntry]++
		return nil
	}
	a.waiting = append(a.waiting, waitingSeries{string(session), string(metric), entry})
	if len(a.waiting) < adoptedAtOnce {
		return nil
	}
	return a.flush(ctx)
}

func (a *adoption) flush(ctx context.Context) error {
	if len(a.waiting) == 0 {
		return nil
	}
	waiting := a.waiting
	a.waiting = nil
	return a.w.Update(ctx, func(tx *Tx) error {
		for _, s := range waiting {
			if err := a.adopt(tx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *adoption) adopt(tx *Tx, s waitingSeries) error {
	lines, err := tx.SessionLines(s.session)
	if err != nil {
		return err
	}
	known := map[sampleKey]bool{}
	for _, sample := range missingSamples(s.metric, nil, lines) {
		known[sample.key()] = true
	}
	for _, line := range a.linesOf(s) {
		if sample := (Sample{*line.Scores[s.metric], line.TS, line.RunID}); known[sample.key()] {
			a.Known++
			continue
		}
		if _, _, err := tx.AppendSession(line); err != nil {
			return err
		}
		a.Samples++
		a.sessions[s.session] = true
	}
	return nil
}

// linesOf turns a series into lines, in their order as lines.
func (a *adoption) linesOf(s waitingSeries) (lines []SessionLine) {
	for _, sample := range s.entry.Series {
		switch {
		case sample.fault != "":
			a.LeftOut[sample.fault]++
			continue
		case sample.TS.IsZero():
			a.LeftOut[LeftNoTime]++
			continue
		}
		lines = append(lines, SessionLine{
			TS: sample.TS, ID: adoptedID(s.session, s.metric, sample.Sample), SessionID: s.session,
			RunID: sample.RunID, Scores: map[string]*float64{s.metric: &sample.Value}, Adopted: true,
		})
	}
	sortByTimeID(lines, sessionKey)
	lines = slices.CompactFunc(lines, func(a, b SessionLine) bool { return a.ID == b.ID })
	if average := s.entry.averages(); average != nil && len(lines) > 0 {
		lines[len(lines)-1].EWMA = map[string]EWMA{s.metric: *average}
	}
	return lines
}

// adoptedID is the same wherever and whenever the sample is brought in.
func adoptedID(session, metric string, s Sample) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "adopted\x00%s\x00%s\x00%s\x00%v\x00%s", session, metric, s.TS, s.Value, s.RunID))
	return hex.EncodeToString(sum[:8])
}
