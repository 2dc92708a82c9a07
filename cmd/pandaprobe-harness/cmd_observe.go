package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

func observeCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "observe",
		Category: categoryTraffic,
		Usage:    "handle the report of a live session",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "file", Usage: "read the report from `FILE` instead of standard input"},
			&cli.BoolFlag{Name: "stream", Usage: "read one report a line and answer each"},
			&cli.StringFlag{Name: "evaluate", Usage: "have the platform score `SESSION` and handle that"},
			&cli.BoolFlag{Name: "no-validate", Usage: "start no background round"},
		},
		Description: `
Keeps the session's scores, lets the open trials observe it, and posts a notice
when it shows a condition that was not told yet. When there are candidates, a
round of validation starts in the background.

A report is one JSON object: session_id; scores, an object metric -> number or
a list of {name, value, reason, metadata}; optional turn_index, signatures,
flagged_traces, replay_input, run_id, ts.

Examples:
  echo '{"session_id": "s-1", "scores": {"agent_reliability": 0.31}}' |
    pandaprobe-harness observe
  tail -F reports.jsonl | pandaprobe-harness observe --stream --json
  pandaprobe-harness observe --evaluate s-1

Exit codes: 0 handled; 1 refused, or a line of the stream was; 2 called wrongly;
130, 143, 129 interrupted.`,
		Action: func(c *cli.Context) error {
			return runObserve(c.Context, e, observeOptions{
				file:       c.String("file"),
				stream:     c.Bool("stream"),
				evaluate:   c.String("evaluate"),
				evaluated:  c.IsSet("evaluate"),
				noValidate: c.Bool("no-validate"),
			})
		},
	}
}

type observeOptions struct {
	file       string
	stream     bool
	evaluate   string
	evaluated  bool // --evaluate was given
	noValidate bool
}

func (o observeOptions) check() error {
	switch {
	case o.evaluated && o.file != "":
		return &usageError{flag: "--evaluate", message: "--evaluate and --file exclude each other"}
	case o.evaluated && o.stream:
		return &usageError{flag: "--evaluate", message: "--evaluate and --stream exclude each other"}
	}
	return nil
}

func runObserve(ctx context.Context, e *env, o observeOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if o.noValidate {
		engine.Config.AutoValidate = false
	}
	if o.stream {
		return e.observeStream(ctx, engine, o)
	}
	report, err := e.readReport(ctx, engine, o)
	if err != nil {
		return err
	}
	answer, err := e.observeOne(ctx, engine, report)
	if err != nil {
		return err
	}
	return e.print(answer, func(w io.Writer) { writeObservation(w, answer) })
}

func (e *env) readReport(ctx context.Context, engine *lifecycle.Engine, o observeOptions) (lifecycle.Report, error) {
	if o.evaluated {
		return lifecycle.NewPlatformScorer(engine.Config, e.environ).Report(ctx, o.evaluate)
	}
	data, source, err := e.readInput(ctx, o.file)
	if err != nil {
		return lifecycle.Report{}, err
	}
	return lifecycle.ParseReport(source, data)
}

func (e *env) observeOne(ctx context.Context, engine *lifecycle.Engine, report lifecycle.Report) (lifecycle.Observation, error) {
	observer := e.newObserver(engine)
	answers, err := observer.Observe(ctx, []lifecycle.Report{report})
	if err != nil {
		return lifecycle.Observation{}, err
	}
	answers[0].ValidationStarted = e.startRound(ctx, engine, observer)
	return answers[0], nil
}

// newObserver returns an observer that writes nothing inside a replay of
// `validate --check`.
func (e *env) newObserver(engine *lifecycle.Engine) *lifecycle.Observer {
	observer := engine.NewObserver()
	if e.variable("HARNESS_CHECK") != "" {
		observer.WriteNothing()
	}
	return observer
}

// observeStream answers a line each. A reader that went away ends nothing: the
// reports are still handled.
func (e *env) observeStream(ctx context.Context, engine *lifecycle.Engine, o observeOptions) error {
	e.signals.catch()
	input, source, err := e.openInput(ctx, o.file)
	if err != nil {
		return err
	}
	defer input.Close()
	observer, refused := e.newObserver(engine), 0
	answer := func(batch []lifecycle.StreamAnswer) error {
		started := e.startRound(ctx, engine, observer)
		var b strings.Builder
		for _, a := range batch {
			if a.Err != nil {
				refused++
			}
			a.Observation.ValidationStarted = started
			e.writeStreamAnswer(&b, a)
		}
		_, err := io.WriteString(e.stdout, b.String())
		return err
	}
	if err := observer.Stream(ctx, source, input, answer); err != nil {
		return err
	}
	if refused > 0 {
		return &reportedError{fmt.Errorf("%s refused; see the answers", count(refused, "line"))}
	}
	return nil
}

type refusedLine struct {
	OK    bool   `json:"ok"`
	Line  int    `json:"line"`
	Error detail `json:"error"`
}

type acceptedLine struct {
	lifecycle.Observation
	Line int `json:"line"`
}

func (e *env) writeStreamAnswer(b *strings.Builder, a lifecycle.StreamAnswer) {
	if !e.json {
		if a.Err != nil {
			fmt.Fprintf(b, "line %d: refused: %s\n", a.Line, oneLine(e.redacted(a.Err.Error())))
		} else {
			writeObservation(b, a.Observation)
		}
		return
	}
	var doc any = acceptedLine{a.Observation, a.Line}
	if a.Err != nil {
		doc = refusedLine{Line: a.Line, Error: e.diagnose(context.Background(), a.Err).detail}
	}
	if line, err := json.Marshal(doc, json.Deterministic(true)); err == nil {
		b.Write(line)
		b.WriteByte('\n')
	}
}

// startRound starts a background round where one is called for. That it could
// not be started is said, and costs no observation.
func (e *env) startRound(ctx context.Context, engine *lifecycle.Engine, observer *lifecycle.Observer) bool {
	if !observer.WantsRound() {
		return false
	}
	e.warnOfBackground(engine)
	started, err := engine.WantRound(ctx, func() error { return e.startBackground(engine) })
	if err != nil && !errors.Is(err, context.Canceled) {
		e.warn(err.Error())
	}
	return started
}

func writeObservation(w io.Writer, o lifecycle.Observation) {
	parts := []string{"healthy"}
	switch {
	case !o.Resolved:
		parts = []string{"not resolved: no score and no signature counts"}
	case len(o.Signatures) > 0:
		parts = []string{strings.Join(o.Signatures, ", ")}
	}
	if o.Held {
		parts = append(parts, "its notice was held back by the circuit breaker")
	}
	if o.Recovered {
		parts = append(parts, "recovered")
	}
	if o.NoticeID != "" {
		where := ""
		if !o.Posted {
			where = ", shadow mode: in the journal only"
		}
		parts = append(parts, fmt.Sprintf("notice %s (%s%s)", o.NoticeID, o.Severity, where))
	}
	if o.CaseID != "" {
		parts = append(parts, "captured as case "+string(o.CaseID))
	}
	if o.ValidationStarted {
		parts = append(parts, "a round will follow")
	}
	fmt.Fprintf(w, "%s: %s\n", lifecycle.SafeLine(o.SessionID), lifecycle.SafeLine(strings.Join(parts, "; ")))
	for _, warning := range o.Warnings {
		fmt.Fprintf(w, "  warning: %s\n", lifecycle.SafeLine(warning))
	}
}
