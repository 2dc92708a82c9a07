package lifecycle

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// SessionHistory is what a session scored, metric by metric.
type SessionHistory struct {
	OK        bool            `json:"ok"`
	SessionID string          `json:"session_id"`
	Metrics   []MetricHistory `json:"metrics"` // by name
}

// MetricHistory is one series with its running averages, under the names of the
// score history (docs/workspace.md, "Score history").
type MetricHistory struct {
	Metric string          `json:"metric"`
	Series []HistorySample `json:"series"` // oldest first
	EWMA   *workspace.EWMA `json:"ewma"`   // after the last sample; null = not known
}

// HistorySample is one score, in [0, 1].
type HistorySample struct {
	Value float64         `json:"value"`
	TS    *workspace.Time `json:"ts"`     // when it was scored; null = not known
	RunID workspace.Text  `json:"run_id"` // the evaluation run that gave it; null = not known
}

// History returns the scores of a session: the union of those in its files and
// in the score history. Errors: CodeBadInput for what is no session id,
// CodeNotFound for a session of which nothing is known.
func (e *Engine) History(ctx context.Context, session string) (SessionHistory, error) {
	h := SessionHistory{OK: true, SessionID: session, Metrics: []MetricHistory{}}
	if err := workspace.CheckSessionID(session); err != nil {
		return h, err
	}
	all, err := e.Workspace.ReadSeries(ctx, session)
	if err != nil {
		return h, err
	}
	lines, err := e.Workspace.SessionLines(session)
	if err != nil {
		return h, err
	}
	if len(all) == 0 && len(lines) == 0 {
		return h, workspace.Errorf(workspace.CodeNotFound, "nothing is known of the session %q: no report of it was observed", session)
	}
	averages := e.averages(lines)
	for _, s := range all {
		h.Metrics = append(h.Metrics, metricHistory(s, averages))
	}
	return h, nil
}

func metricHistory(s workspace.Series, averages map[string]workspace.EWMA) MetricHistory {
	m := MetricHistory{Metric: s.Metric, Series: []HistorySample{}, EWMA: s.EWMA}
	// After a merge the last line does not know what the other side observed.
	if average, ok := averages[s.Metric]; ok && average.Count >= len(s.Samples) {
		m.EWMA = &average
	}
	for _, sample := range s.Samples {
		kept := HistorySample{Value: sample.Value, RunID: workspace.Text(sample.RunID)}
		if !sample.TS.IsZero() {
			kept.TS = &sample.TS
		}
		m.Series = append(m.Series, kept)
	}
	return m
}

// averages are those of each metric after the lines, which are in order.
func (e *Engine) averages(lines []workspace.SessionLine) map[string]workspace.EWMA {
	all := map[string]workspace.EWMA{}
	for metric, series := range newSessionState(lines, e.Config).series {
		all[metric] = series.average
	}
	return all
}

// AdoptHistory brings state/score_history.json into the session files, so that
// averages go on from it.
func (e *Engine) AdoptHistory(ctx context.Context) (workspace.HistoryAdoption, error) {
	return e.Workspace.AdoptHistory(ctx)
}

// SyncHistory writes every series into state/score_history.json, for tools that
// read that file.
func (e *Engine) SyncHistory(ctx context.Context) (workspace.HistorySync, error) {
	return e.Workspace.SyncHistory(ctx, e.averages)
}
