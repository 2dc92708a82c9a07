package workspace

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Baselines is what the eval set says about sessions, for calibration.
type Baselines struct {
	Scores  []SessionScore  // of several cases of a session the newest wins, metric by metric; in a fixed order
	Failed  map[string]bool // by session: its newest case is a failure, not a win
	LeftOut map[string]int  // baseline scores that cannot be used, by reason, as in HistoryScores
	Broken  []error         // files that could not be read
}

// Baselines reads every case of the eval set, also those that Cases counts once
// only, and takes baseline scores as other tools write them: one that is no
// number from 0 to 1 is left out and the others of its case are not
// (docs/calibration.md, "Where the scores come from").
func (w *Workspace) Baselines() (*Baselines, error) {
	b := &Baselines{Failed: map[string]bool{}, LeftOut: map[string]int{}}
	names, err := w.names(casesDir, jsonEnding)
	if err != nil {
		return nil, err
	}
	var cases []baselineCase
	for _, name := range names {
		c, err := w.readBaselineCase(casesDir + "/" + name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			b.Broken = append(b.Broken, err)
		default:
			cases = append(cases, c)
		}
	}
	slices.SortFunc(cases, func(a, b baselineCase) int {
		return cmp.Or(CompareTimeID(a.CreatedAt, a.ID, b.CreatedAt, b.ID), cmp.Compare(a.rel, b.rel))
	})
	b.take(cases)
	return b, nil
}

// baselineCase is what of a case concerns calibration.
type baselineCase struct {
	rel            string
	ID             string                    `json:"id"`
	CreatedAt      Time                      `json:"created_at"`
	SessionID      string                    `json:"session_id"`
	Kind           string                    `json:"kind"`
	BaselineScores map[string]jsontext.Value `json:"baseline_scores"`
}

func (w *Workspace) readBaselineCase(rel string) (c baselineCase, err error) {
	data, err := readFile(w.path(rel))
	if err != nil {
		return c, ioError("cannot read", rel, err)
	}
	if data, err = io.ReadAll(newFiniteReader(bytes.NewReader(TrimBOM(data)))); err != nil {
		return c, ioError("cannot read", rel, err)
	}
	if err := decodeDocument(rel, data, &c); err != nil {
		return c, err
	}
	if c.SessionID == "" {
		return c, &Error{Code: CodeBrokenFile, File: rel, Field: "session_id", Message: "is missing; name the session that was captured"}
	}
	c.rel = rel
	return c, nil
}

// take goes through the cases from the oldest to the newest.
func (b *Baselines) take(cases []baselineCase) {
	type place struct{ session, metric string }
	at := map[place]int{}
	for _, c := range cases {
		if c.Kind == Failure || c.Kind == Win {
			b.Failed[c.SessionID] = c.Kind == Failure
		}
		for _, metric := range slices.Sorted(maps.Keys(c.BaselineScores)) {
			raw := c.BaselineScores[metric]
			if fault := scoreFault(raw); fault != "" || metric == "" {
				b.LeftOut[cmp.Or(fault, LeftEntry)]++
				continue
			}
			value, _ := strconv.ParseFloat(string(raw), 64) // checked by scoreFault
			i, known := at[place{c.SessionID, metric}]
			if !known {
				i = len(b.Scores)
				at[place{c.SessionID, metric}] = i
				b.Scores = append(b.Scores, SessionScore{SessionID: c.SessionID, Metric: metric})
			}
			b.Scores[i].Value = value + 0 // never a negative zero
		}
	}
}
