package platformtest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

func (r *request) runsBatch() (any, error) {
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	o := order{Target: target, IDs: r.line.lists[target+"-ids"], Metrics: r.line.lists["metrics"]}
	if len(o.Metrics) == 0 {
		return nil, failf(exitValidation, "at least one --metrics value is required")
	}
	if len(o.IDs) == 0 {
		return nil, failf(exitValidation, "--%s-ids is required for --target %s", target, target)
	}
	for flag, field := range map[string]**string{"name": &o.Name, "model": &o.Model} {
		if value, ok := r.line.texts[flag]; ok {
			*field = &value
		}
	}
	if weights := r.line.texts["signal-weights"]; weights != "" && target == "session" {
		if o.Weights = jsontext.Value(weights); !o.Weights.IsValid() {
			return nil, cannotf("bad --signal-weights")
		}
	}
	c := call{method: "POST", endpoint: "runs.batch", target: target, ids: o.IDs}
	return ask(r, c, func(w *world) (runAnswer, error) { return r.order(w, o) })
}

// order starts a run.
func (r *request) order(w *world, o order) (runAnswer, error) {
	var unknown []string
	for _, metric := range o.Metrics {
		if known, ok := w.Metrics[o.Target]; ok && !slices.Contains(known, metric) {
			unknown = append(unknown, metric)
		}
	}
	if unknown != nil {
		kind := map[string]string{"session": "session metrics", "trace": "metrics"}[o.Target]
		return runAnswer{}, refused(422, `{"detail":`+strconv.Quote("Unknown "+kind+": "+strings.Join(unknown, ", "))+`}`)
	}
	if r.folder == "" {
		return runAnswer{}, cannotf("`evals runs batch` needs %s", EnvState)
	}
	w.state.Orders = append(w.state.Orders, o)
	started, err := w.start(len(w.state.Orders), o)
	if err != nil {
		return runAnswer{}, err
	}
	return w.answer(started, true), nil
}

func (r *request) runsGet() (any, error) {
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	id := r.line.words[0]
	return ask(r, call{method: "GET", endpoint: "runs.get", target: target, id: id}, func(w *world) (runAnswer, error) {
		found := w.runs[id]
		if found == nil || r.otherProject(w) {
			return runAnswer{}, refused(404, `{"detail":`+strconv.Quote("Eval run "+id+" not found.")+`}`)
		}
		w.state.Reads[id]++
		return w.answer(found, false), nil
	})
}

func (r *request) runsScores() (any, error) {
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	id := r.line.words[0]
	return r.scores(call{method: "GET", endpoint: "runs.scores", target: target, id: id}, func(w *world) []row {
		if found := w.runs[id]; found != nil && found.target == target {
			w.state.Reads[id]++
		}
		return only(w.visible(target), func(s row) bool { return s.EvalRunID != nil && *s.EvalRunID == id })
	})
}
