package tool_test

import (
	"context"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func traceOf(trace platform.Trace, err error) func(context.Context, string) (platform.Trace, error) {
	return func(context.Context, string) (platform.Trace, error) { return trace, err }
}

func missing(class platform.Class, parts ...string) (all []platform.MissingPart) {
	for _, part := range parts {
		all = append(all, platform.MissingPart{Part: part, Err: &platform.Error{Class: class, Message: "x"}})
	}
	return all
}

func TestATracesPartsAreMissingOnTheirOwn(t *testing.T) {
	s := newSet(t)
	s.Trace = traceOf(platform.Trace{
		Trace:   jsontext.Value(`{"trace_id": "t"}`),
		Missing: missing(platform.Timeout, platform.PartToolSpans, platform.PartScores),
	}, nil)
	got := call(t, s, "harness_trace_inspect", `{"trace_id": "t"}`)
	for _, m := range got["missing"].([]any) {
		delete(m.(map[string]any), "message")
	}
	want := map[string]any{
		"ok": true, "trace_id": "t", "trace": map[string]any{"trace_id": "t"}, "tool_spans": nil, "scores": nil,
		"missing": []any{map[string]any{"part": "tool_spans", "code": "timeout"}, map[string]any{"part": "scores", "code": "timeout"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestATraceWithoutAnyPartIsAFailure(t *testing.T) {
	all := []string{platform.PartTrace, platform.PartToolSpans, platform.PartScores}
	inspect := func(trace platform.Trace, failure error) error {
		s := newSet(t)
		s.Trace = traceOf(trace, failure)
		_, err := s.Call(context.Background(), "harness_trace_inspect", jsontext.Value(`{"trace_id": "t"}`))
		return err
	}
	if err := inspect(platform.Trace{Missing: missing(platform.NotFound, all...)}, nil); workspace.CodeOf(err) != workspace.CodeNotFound {
		t.Errorf("not found: got %v", err)
	}
	var setup *lifecycle.SetupError
	if err := inspect(platform.Trace{Missing: missing(platform.Auth, all...)}, nil); !errors.As(err, &setup) {
		t.Errorf("no key: got %v", err)
	}
	if err := inspect(platform.Trace{Missing: missing(platform.Network, all...)}, nil); err == nil {
		t.Error("no network: got no error")
	}
	if err := inspect(platform.Trace{}, &platform.Error{Class: platform.Invalid}); workspace.CodeOf(err) != workspace.CodeBadInput {
		t.Errorf("a bad id: got %v", err)
	}
	if err := inspect(platform.Trace{}, context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: got %v", err)
	}
	s := newSet(t)
	s.Trace = nil
	if _, err := s.Call(context.Background(), "harness_trace_inspect", jsontext.Value(`{"trace_id": "t"}`)); err == nil {
		t.Error("without a client: got no error")
	}
}
