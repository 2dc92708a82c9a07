package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// eventPrinter prints events as they come, since there may be millions of them:
// as rows, or as the one JSON document of journal, {"events": [...], "ok": true}.
type eventPrinter struct {
	ctx     context.Context
	env     *env
	out     *bufio.Writer
	json    *jsontext.Encoder // nil: rows
	width   int
	printed int
}

func newEventPrinter(ctx context.Context, e *env) *eventPrinter {
	p := &eventPrinter{ctx: ctx, env: e, out: bufio.NewWriterSize(e.stdout, 64<<10), width: widthOf(e.stdout.w)}
	if e.json {
		p.json = jsontext.NewEncoder(p.out, jsontext.WithIndent("  "), json.Deterministic(true))
	}
	return p
}

// errNobodyReads ends the printing; it is no failure.
var errNobodyReads = errors.New("the reader has closed the pipe")

func (p *eventPrinter) print(event workspace.Event) error {
	if p.printed == 0 {
		if err := p.begin(); err != nil {
			return err
		}
	}
	p.printed++
	switch {
	case p.ctx.Err() != nil:
		return context.Cause(p.ctx)
	case p.env.stdout.closed:
		return errNobodyReads
	case p.json != nil:
		return written(json.MarshalEncode(p.json, event))
	}
	_, err := fmt.Fprintln(p.out, cut(eventRow(event), p.width))
	return written(err)
}

func (p *eventPrinter) begin() error {
	if p.json == nil {
		_, err := fmt.Fprintln(p.out, cut(eventHeading(), p.width))
		return written(err)
	}
	return written(errors.Join(
		p.json.WriteToken(jsontext.BeginObject),
		p.json.WriteToken(jsontext.String("events")),
		p.json.WriteToken(jsontext.BeginArray),
	))
}

// end finishes what was printed; failed is what ended the events, or nil. Where
// nothing was printed yet, the failure has a document of its own.
func (p *eventPrinter) end(failed error) error {
	if errors.Is(failed, errNobodyReads) {
		return nil
	}
	if p.json == nil || failed != nil && p.printed == 0 {
		return errors.Join(failed, written(p.out.Flush()))
	}
	if p.printed == 0 {
		if err := p.begin(); err != nil {
			return err
		}
	}
	err := errors.Join(p.json.WriteToken(jsontext.EndArray), p.finish(failed), p.out.Flush())
	if failed != nil {
		return &reportedError{failed}
	}
	return written(err)
}

// finish tells how it went and closes the document.
func (p *eventPrinter) finish(failed error) error {
	err := errors.Join(p.json.WriteToken(jsontext.String("ok")), p.json.WriteToken(jsontext.Bool(failed == nil)))
	if failed != nil {
		d := p.env.diagnose(p.ctx, failed)
		err = errors.Join(err, p.json.WriteToken(jsontext.String("error")), json.MarshalEncode(p.json, d.detail))
	}
	return errors.Join(err, p.json.WriteToken(jsontext.EndObject))
}

// written tells that standard output could not be written.
func written(err error) error {
	if err == nil {
		return nil
	}
	return ioFailure("cannot write to standard output", err)
}
