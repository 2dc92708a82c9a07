package main

import (
	"context"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/cmd/pandaprobe-harness/internal/cireport"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

func validateCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Category:  categoryValidate,
		Usage:     "judge the candidates now, in one round",
		ArgsUsage: commandArgs,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "check", Usage: "judge and write nothing; exit 3 when a candidate would be retired"},
			&cli.StringFlag{Name: "fail-on", Usage: "exit 3 on these gates instead, as `LIST` with commas: retired, inconclusive, pending"},
			&cli.DurationFlag{Name: "wait", Usage: "wait at most `TIME` for a round that is under way; without it, until that has ended"},
		}, reportFlags()...),
		Description: `
Runs one round over all candidates, oldest first. With a replay command (behind
--, else [replay] command) a candidate is replayed on its failures and on wins;
without one, or without a matching case, its forward trial judges. Verdicts are
applied unless --check is given. A command behind -- runs in the current folder,
[replay] command in the workspace's.

Examples:
  pandaprobe-harness validate
  pandaprobe-harness validate --check --fail-on retired,inconclusive
  pandaprobe-harness validate -- python3 replay.py

Exit codes: 0 the round ended; 1 a broken rule file, or a command that cannot be
started; 2 called wrongly; 3 a gate tripped; 130, 143, 129 interrupted.`,
		Action: func(c *cli.Context) error {
			reports, err := reportOptionsOf(c)
			if err != nil {
				return err
			}
			return runValidate(c.Context, e, validateOptions{
				reports: reports,
				check:   c.Bool("check"),
				failOn:  c.String("fail-on"),
				gated:   c.IsSet("fail-on"),
				wait:    c.Duration("wait"),
				bounded: c.IsSet("wait"),
				command: c.Args().Slice(),
			})
		},
	}
}

type validateOptions struct {
	check   bool
	failOn  string
	gated   bool // --fail-on was given
	wait    time.Duration
	bounded bool // --wait was given
	command []string
	reports reportOptions
}

func (o validateOptions) gates() (lifecycle.Gates, error) {
	switch {
	case o.gated:
		gates, err := lifecycle.ParseGates(o.failOn)
		if err != nil {
			return nil, &usageError{flag: "--fail-on", message: "flag --fail-on: " + err.Error()}
		}
		return gates, nil
	case o.check:
		return lifecycle.Gates{lifecycle.GateRetired}, nil
	}
	return nil, nil
}

func runValidate(ctx context.Context, e *env, o validateOptions) error {
	e.signals.catch()
	gates, err := o.gates()
	if err != nil {
		return err
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if err := o.reports.refuseState(engine.Workspace); err != nil {
		return err
	}
	if e.isBackground() {
		return e.runBackground(ctx, engine)
	}
	log := newReplayLog(engine, e.warn)
	if o.check {
		log.broken = true // nothing may be written
	}
	defer log.Close()
	e.addReplay(engine, replayOptions{command: o.command, check: o.check}, log)
	round, err := e.validate(ctx, engine, o, gates, log)
	printed := e.print(e.newRoundDocument(ctx, round, err), func(w io.Writer) { writeRound(w, engine, round, err != nil) })
	source := e.reportSource(ctx, engine, summary(round), err)
	source.Verdict = func(v lifecycle.Verdict) string { return outcomeText(v, round.DryRun) }
	reported := e.writeReports(o.reports, engine, cireport.FromRound(round, source))
	return outcomeOf(printed, err, reported, round.Gate)
}

// validate runs the round and shows its progress.
func (e *env) validate(ctx context.Context, engine *lifecycle.Engine, o validateOptions, gates lifecycle.Gates, log *lineLog) (lifecycle.Round, error) {
	e.progress = startProgress(e.stderr)
	defer e.progress.stop()
	options := lifecycle.RoundOptions{
		DryRun:  o.check,
		Gates:   gates,
		Waiting: func(holder string) { e.tell("waiting for the round of " + holderText(holder)) },
		Progress: func(p lifecycle.Progress) {
			log.heading("rule %s, case %s", p.RuleID, p.CaseID)
			e.progress.show(describe(p))
		},
	}
	if o.bounded {
		options.Wait = max(o.wait, time.Millisecond) // the engine takes 0 as no bound
	}
	return engine.Validate(ctx, options)
}

func holderText(holder string) string {
	if holder == "" {
		return "another process"
	}
	return holder
}

// roundDocument is the JSON of validate; error is there when the round failed.
type roundDocument struct {
	lifecycle.Round
	Error *detail `json:"error,omitempty"`
}

func (e *env) newRoundDocument(ctx context.Context, round lifecycle.Round, err error) roundDocument {
	doc := roundDocument{Round: round}
	if err != nil {
		d := e.diagnose(ctx, err)
		doc.OK, doc.Error = false, &d.detail
	}
	return doc
}
