package platformtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// run is an evaluation run on the platform.
type run struct {
	id, target   string
	ids, metrics []string
	spec         RunSpec
	name, model  *string
	filters      jsontext.Value
	created      time.Time
}

func (w *world) addRun(id string, spec RunSpec) error {
	created := w.clock
	if spec.CreatedAt != "" {
		var err error
		if created, err = parseTime(spec.CreatedAt); err != nil {
			return err
		}
	}
	target := or(spec.Target, "session")
	w.runs[id] = &run{
		id: id, target: target, ids: spec.IDs, metrics: spec.Metrics, spec: spec, name: spec.Name, model: spec.Model,
		filters: filters(target, spec.IDs, nil), created: created,
	}
	return nil
}

// start makes the run of order number n, from 1, and the scores that it will show.
func (w *world) start(n int, o order) (*run, error) {
	spec := w.NewRuns.of(n)
	id := spec.ID
	if id == "" || w.runs[id] != nil {
		id = fmt.Sprintf("e7000000-0000-4000-8000-%012d", n)
	}
	started := &run{
		id: id, target: o.Target, metrics: o.Metrics, spec: spec, name: o.Name, model: o.Model,
		created: w.clock.Add(time.Duration(n) * time.Hour),
	}
	for _, target := range o.IDs {
		if !slices.Contains(started.ids, target) {
			started.ids = append(started.ids, target)
		}
	}
	started.filters = filters(o.Target, started.ids, o.Weights)
	w.runs[id] = started
	place := 0
	for _, target := range started.ids {
		for _, metric := range o.Metrics {
			place++
			if w.targets(o.Target).find(target) == nil {
				continue
			}
			result, err := w.nextResult(o.Target, target, metric)
			if err != nil {
				return nil, err
			}
			result.Name, result.EvalRunID = metric, &started.id
			result.CreatedAt = isoTime(started.created.Add(time.Duration(place) * time.Second))
			if err := w.put(o.Target, target, result, fmt.Sprintf("5c000000-0000-4000-9%03d-%012d", n, place)); err != nil {
				return nil, err
			}
		}
	}
	return started, nil
}

func filters(target string, ids []string, weights jsontext.Value) jsontext.Value {
	text, err := json.Marshal(ids)
	if err != nil {
		panic(err) // texts only
	}
	out := fmt.Sprintf(`{"%s_ids":%s`, target, text)
	if weights != nil {
		out += `,"signal_weights":` + string(weights)
	}
	return jsontext.Value(out + "}")
}

func (w *world) finished(r *run) bool {
	return r.spec.Polls == 0 || r.spec.Polls > 0 && w.state.Reads[r.id] > r.spec.Polls
}

// done is how many of the run's targets have their scores.
func (w *world) done(r *run) int {
	if w.finished(r) && or(r.spec.End, "COMPLETED") == "COMPLETED" {
		return len(r.ids)
	}
	if or(r.spec.WhileRunning, "partial") != "partial" || r.spec.Polls < 0 {
		return 0
	}
	return min(w.state.Reads[r.id], r.spec.Polls) * len(r.ids) / (r.spec.Polls + 1)
}

// answer is the run as it stands; a fresh one has just been ordered.
func (w *world) answer(r *run, fresh bool) runAnswer {
	a := runAnswer{
		ID: r.id, Name: r.name, Status: "PENDING", MetricNames: r.metrics, TotalTargets: len(r.ids), CreatedAt: isoTime(r.created),
		ProjectID: w.ProjectID, TargetType: strings.ToUpper(r.target), Filters: r.filters, SamplingRate: 1, Model: r.model,
	}
	if fresh {
		return a
	}
	if w.state.Reads[r.id] > 0 {
		a.Status = "RUNNING"
	}
	a.EvaluatedCount = w.done(r)
	for _, score := range w.rows[r.target] {
		if score.EvalRunID != nil && *score.EvalRunID == r.id && score.Status == "FAILED" &&
			slices.Contains(r.ids[:a.EvaluatedCount], score.id) {
			a.FailedCount++
		}
	}
	if w.finished(r) {
		a.Status = or(r.spec.End, "COMPLETED")
		ended := isoTime(r.created.Add(time.Duration(1+len(r.ids)*len(r.metrics)) * time.Second))
		a.CompletedAt = &ended
		if a.Status == "FAILED" {
			message := or(r.spec.ErrorMessage, "evaluation worker stopped")
			a.ErrorMessage = &message
		}
	}
	return a
}
