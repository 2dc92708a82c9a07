package workspace

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Sample is one score of a series, in [0, 1].
type Sample struct {
	Value float64 `json:"value"`
	TS    Time    `json:"ts"`     // when it was scored; zero when its writer did not say
	RunID string  `json:"run_id"` // the evaluation run that gave it; "" = unknown
}

// sampleKey is equal for samples that count once in a union.
type sampleKey struct {
	second     int64
	nanosecond int
	value      float64
	run        string
}

func (s Sample) key() sampleKey {
	return sampleKey{s.TS.t.Unix(), s.TS.t.Nanosecond(), s.Value, s.RunID}
}

// Series is the scores of one session and metric, oldest first
// (docs/workspace.md, "Score history").
type Series struct {
	Metric  string   `json:"metric"`
	Samples []Sample `json:"samples"`
	EWMA    *EWMA    `json:"ewma"` // the averages after the last sample, as its writer left them; nil = unknown
}

// ReadSeries returns the series of a session, by metric: each is the union of
// its samples in state/score_history.json and in the session's files, by time,
// value and run. A score history that cannot be read is told to Warn, and the
// session's files stand alone.
func (w *Workspace) ReadSeries(ctx context.Context, session string) ([]Series, error) {
	lines, err := w.SessionLines(session)
	if err != nil {
		return nil, err
	}
	entries, err := w.historyOf(ctx, session)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		w.Warn(err)
		entries = nil
	}
	for _, metric := range metricsOf(lines) {
		if entries[metric] == nil {
			if entries == nil {
				entries = map[string]*historyEntry{}
			}
			entries[metric] = &historyEntry{}
		}
	}
	var all []Series
	for metric, entry := range entries {
		if s := unionOf(metric, entry, lines); len(s.Samples) > 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Series) int { return cmp.Compare(a.Metric, b.Metric) })
	return all, nil
}

// historyOf reads the entries of one session from the score history, by metric.
func (w *Workspace) historyOf(ctx context.Context, session string) (map[string]*historyEntry, error) {
	entries := map[string]*historyEntry{}
	err := w.walkHistory(ctx, func(key []byte, d *jsontext.Decoder) error {
		of, metric, ok := cutHistoryKey(key)
		if !ok || string(of) != session {
			return d.SkipValue()
		}
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		name := string(metric)
		entries[name] = entries[name].join(decodeHistoryEntry(raw))
		return nil
	})
	return entries, err
}

// walkHistory hands out every member of the score history; it does nothing when
// there is none.
func (w *Workspace) walkHistory(ctx context.Context, member memberFunc) error {
	file, err := w.openHistory()
	if file == nil || err != nil {
		return err
	}
	defer file.close()
	file.finite = true
	return file.walk(ctx, member)
}

// unionOf joins the samples of the file and of the session's lines.
func unionOf(metric string, entry *historyEntry, lines []SessionLine) Series {
	s := Series{Metric: metric, Samples: entry.samples(), EWMA: entry.averages()}
	newest := lastOf(s.Samples)
	for _, sample := range missingSamples(metric, s.Samples, lines) {
		s.Samples = append(s.Samples, sample.Sample)
		if newest == nil || sample.TS.Compare(newest.TS) >= 0 {
			newest, s.EWMA = &sample.Sample, sample.averages(metric)
		}
	}
	slices.SortStableFunc(s.Samples, func(a, b Sample) int { return a.TS.Compare(b.TS) })
	return s
}

// lastOf returns the newest sample, of two of the same instant the later one.
func lastOf(samples []Sample) (newest *Sample) {
	for i := range samples {
		if newest == nil || samples[i].TS.Compare(newest.TS) >= 0 {
			newest = &samples[i]
		}
	}
	return newest
}
