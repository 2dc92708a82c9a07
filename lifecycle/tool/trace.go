package tool

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func traceOperations() []operation {
	return []operation{{
		name: "harness_trace_inspect",
		about: "Read one trace from the platform: the trace with its spans, its tool calls, and its newest scores. " +
			"A part that could not be read is null and named under missing.",
		params: []param{{name: "trace_id", kind: text, required: true, about: "the trace's id; a notice names the flagged ones"}},
		returns: []param{
			{name: "trace_id", kind: text, about: "the trace's id"},
			{name: "trace", kind: anything, about: "the trace with all its spans, or null"},
			{name: "tool_spans", kind: anything, about: "its spans of kind TOOL, or null"},
			{name: "scores", kind: anything, about: "the newest score of each metric, or null"},
			{name: "missing", kind: list, about: "for each part that is null its name, code and message"},
		},
		examples: []string{`{"trace_id": "trace-1"}`},
		run:      inspectTrace,
	}}
}

type traceResult struct {
	OK        bool           `json:"ok"`
	TraceID   string         `json:"trace_id"`
	Trace     jsontext.Value `json:"trace"`
	ToolSpans jsontext.Value `json:"tool_spans"`
	Scores    jsontext.Value `json:"scores"`
	Missing   []missingPart  `json:"missing"`
}

type missingPart struct {
	Part    string         `json:"part"`
	Code    platform.Class `json:"code"`
	Message string         `json:"message"`
}

// inspectTrace fails only when no part could be read. The platform has an empty
// list of scores for every id, so that alone is no part.
func inspectTrace(ctx context.Context, s Set, a arguments) (any, error) {
	if s.Trace == nil {
		return nil, errors.New("there is no platform client to read a trace with")
	}
	id := a.text("trace_id")
	trace, err := s.Trace(ctx, id)
	if err == nil && trace.Trace == nil && trace.ToolSpans == nil && noScores(trace.Scores) && len(trace.Missing) > 0 {
		err = trace.Missing[0].Err
	}
	if err != nil {
		return nil, platformError(err)
	}
	result := traceResult{OK: true, TraceID: id, Trace: trace.Trace, ToolSpans: trace.ToolSpans, Scores: trace.Scores, Missing: []missingPart{}}
	for _, m := range trace.Missing {
		result.Missing = append(result.Missing, missingPart{m.Part, m.Err.Class, m.Err.Error()})
	}
	return result, nil
}

// platformError gives a failure of the platform the kind that callers of the
// engine know.
func platformError(err error) error {
	var failed *platform.Error
	switch {
	case platform.IsSetup(err):
		return &lifecycle.SetupError{Err: err}
	case !errors.As(err, &failed):
		return err
	case failed.Class == platform.NotFound:
		return &workspace.Error{Code: workspace.CodeNotFound, Message: err.Error(), Err: err}
	case failed.Class == platform.Invalid:
		return &workspace.Error{Code: workspace.CodeBadInput, Field: "trace_id", Message: err.Error(), Err: err}
	}
	return err
}

func noScores(list jsontext.Value) bool {
	var scores []jsontext.Value
	return list == nil || json.Unmarshal(list, &scores) == nil && len(scores) == 0
}
