package platform

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Names of the parts of a Trace.
const (
	PartTrace     = "trace"
	PartToolSpans = "tool_spans"
	PartScores    = "scores"
)

// Trace is what the platform knows of one trace, as the program printed it. A part that is missing is nil.
type Trace struct {
	Trace     jsontext.Value // an object, with all spans
	ToolSpans jsontext.Value // a list of the spans of kind TOOL
	Scores    jsontext.Value // a list of the newest score of each metric, whatever its status
	Missing   []MissingPart  // in the order of the fields above
}

// MissingPart says why a part of a Trace is missing.
type MissingPart struct {
	Part string // PartTrace, PartToolSpans or PartScores
	Err  *Error
}

// Trace reads a trace, its TOOL spans and its scores, each missing on its own. After a fault of the set-up the other parts are
// missing for the same reason and are not asked for. It takes at most three times CallBound.
//
// Errors: ctx's, or *Error of class Invalid for an id that cannot be passed on. A trace of which every part is missing is no
// error. The rules stand in docs/platform.md.
func (c *Client) Trace(ctx context.Context, traceID string) (Trace, error) {
	if traceID == "" || strings.Contains(traceID, "/") || strings.ContainsFunc(traceID, unicode.IsControl) {
		return Trace{}, &Error{Class: Invalid, Message: fmt.Sprintf(
			"trace id %q: it may not be empty nor hold a slash or control characters", traceID)}
	}
	var t Trace
	var setup *Error
	for _, part := range []struct {
		name, command string
		flags         []string
		parse         func([]byte) (jsontext.Value, error)
		into          *jsontext.Value
	}{
		{PartTrace, "traces get", nil, parseTrace, &t.Trace},
		{PartToolSpans, "traces spans", []string{"--kind", "TOOL"}, parseList, &t.ToolSpans},
		{PartScores, "evals scores get", []string{"--target", "trace"}, parseList, &t.Scores},
	} {
		failed := setup
		if setup == nil {
			q := question{command: part.command, args: append(part.flags, "--", traceID), repeat: transient}
			value, err := ask(ctx, c, q, part.parse)
			if err != nil && !errors.As(err, &failed) {
				return Trace{}, err
			}
			*part.into = value
		}
		if failed != nil {
			t.Missing = append(t.Missing, MissingPart{Part: part.name, Err: failed})
		}
		if failed != nil && IsSetup(failed) {
			setup = failed
		}
	}
	return t, nil
}
