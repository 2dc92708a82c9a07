package platformtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func (r *request) tracesGet() (any, error) {
	trace, err := r.trace()
	if err == nil && r.line.texts["spans-only"] != "" {
		return r.matching(trace.Spans), nil
	}
	return trace, err
}

func (r *request) tracesSpans() (any, error) {
	trace, err := r.trace()
	return r.matching(trace.Spans), err
}

// matching keeps the spans that --kind and --status name.
func (r *request) matching(spans []spanAnswer) []spanAnswer {
	kind, status := r.line.texts["kind"], r.line.texts["status"]
	kept := []spanAnswer{}
	for _, s := range spans {
		if or(kind, s.Kind) == s.Kind && or(status, s.Status) == s.Status {
			kept = append(kept, s)
		}
	}
	return kept
}

func (r *request) trace() (traceAnswer, error) {
	if err := r.oneOf("kind", "AGENT", "TOOL", "LLM", "RETRIEVER", "CHAIN", "EMBEDDING", "OTHER"); err != nil {
		return traceAnswer{}, err
	}
	if err := r.oneOf("status", "UNSET", "OK", "ERROR"); err != nil {
		return traceAnswer{}, err
	}
	id := r.line.words[0]
	return ask(r, call{method: "GET", endpoint: "traces.get", target: "trace", id: id}, func(w *world) (traceAnswer, error) {
		entry := w.Traces.find(id)
		if entry == nil || r.otherProject(w) {
			return traceAnswer{}, refused(404, `{"detail":`+strconv.Quote("Trace "+id+" not found.")+`}`)
		}
		return w.traceOf(entry)
	})
}

// traceOf fills what the scenario leaves out of a trace.
func (w *world) traceOf(entry *Target) (traceAnswer, error) {
	trace := traceAnswer{
		TraceID: entry.ID, ProjectID: w.ProjectID, Name: "trace", Status: "COMPLETED", Metadata: jsontext.Value("{}"),
		StartedAt: isoTime(w.clock), Tags: []string{},
	}
	var given struct {
		Spans []jsontext.Value `json:"spans"`
	}
	if entry.Trace != nil {
		if err := json.Unmarshal(entry.Trace, &trace); err != nil {
			return traceAnswer{}, cannotf("scenario: trace %q: %v", entry.ID, err)
		}
		_ = json.Unmarshal(entry.Trace, &given) // it was readable just now
	}
	trace.Spans = []spanAnswer{}
	for i, part := range given.Spans {
		span := spanAnswer{
			SpanID: fmt.Sprintf("5a000000-0000-4000-8000-%012d", i+1), TraceID: entry.ID, Name: "span", Kind: "OTHER",
			Status: "UNSET", Metadata: jsontext.Value("{}"), StartedAt: trace.StartedAt,
		}
		if err := json.Unmarshal(part, &span); err != nil {
			return traceAnswer{}, cannotf("scenario: span of %q: %v", entry.ID, err)
		}
		trace.Spans = append(trace.Spans, span)
	}
	slices.SortStableFunc(trace.Spans, bySpanTime)
	return trace, nil
}

func bySpanTime(a, b spanAnswer) int {
	from, errA := parseTime(a.StartedAt)
	to, errB := parseTime(b.StartedAt)
	if order := from.Compare(to); errA == nil && errB == nil && order != 0 {
		return order
	}
	return strings.Compare(a.SpanID, b.SpanID)
}
