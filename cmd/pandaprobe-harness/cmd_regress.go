package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/cmd/pandaprobe-harness/internal/cireport"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

func regressCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "regress",
		Category:  categoryValidate,
		Usage:     "replay the eval set against the rules in force",
		ArgsUsage: commandArgs,
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "sample", Usage: "replay at most `N` cases, wins first, newest first; 0 = all (else the knob regression_sample)"},
			&cli.BoolFlag{Name: "check", Usage: "write nothing: no journal line, no retirement"},
			&cli.BoolFlag{Name: "blame", Usage: "find the active rule that makes a win regress, by more replays without one rule at a time"},
			&cli.IntFlag{Name: "blame-limit", Value: lifecycle.DefaultBlameLimit, Usage: fmt.Sprintf("take at most `N` replays to blame, all wins together; 0 = as many as it needs (default %d)", lifecycle.DefaultBlameLimit)},
			&cli.BoolFlag{Name: "retire", Usage: "with --blame: retire the rules that it finds"},
			&cli.DurationFlag{Name: "wait", Usage: "wait at most `TIME` for a round that is under way; without it, until that has ended"},
		}, reportFlags()...),
		Description: `
Replays the eval set with the rules in force, active ones and candidates, and
compares with the baseline scores. A case regressed when a metric fell by more
than rule_regress_margin, and improved when none did and one rose by at least
rule_promote_margin. The outcome is journaled unless --check is given.

--blame takes more replays of each win that regressed: one to see it again, one
for each active rule left out, newest first, until that restores the win, and one
to see that again. Before it begins it says how many at most.

Examples:
  pandaprobe-harness regress
  pandaprobe-harness regress --sample 10 --check -- python3 replay.py
  pandaprobe-harness regress --blame --retire --junit report.xml

Exit codes: 0 nothing regressed; 1 there were cases and none could be replayed, a
broken file, or a command that cannot be started; 2 called wrongly; 3 a case
regressed; 130, 143, 129 interrupted.`,
		Action: func(c *cli.Context) error {
			o, err := regressOptionsOf(c)
			if err != nil {
				return err
			}
			return runRegress(c.Context, e, o)
		},
	}
}

type regressOptions struct {
	lifecycle.RegressOptions
	reports reportOptions
	command []string
}

// regressOptionsOf translates the 0 of the command line, which means "all", to
// that of the engine, which means "as configured".
func regressOptionsOf(c *cli.Context) (o regressOptions, err error) {
	for _, flag := range []string{"retire", "blame-limit"} {
		if c.IsSet(flag) && !c.Bool("blame") {
			return o, &usageError{flag: "--" + flag, message: "flag --" + flag + " needs --blame"}
		}
	}
	o.RegressOptions = lifecycle.RegressOptions{
		DryRun: c.Bool("check"), Blame: c.Bool("blame"), Retire: c.Bool("retire"),
		BlameLimit: zeroIsAll(c.Int("blame-limit")),
	}
	if c.IsSet("sample") {
		o.Sample = zeroIsAll(c.Int("sample"))
	}
	if c.IsSet("wait") {
		o.Wait = max(c.Duration("wait"), time.Millisecond)
	}
	o.command = c.Args().Slice()
	o.reports, err = reportOptionsOf(c)
	return o, err
}

func zeroIsAll(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

func runRegress(ctx context.Context, e *env, o regressOptions) error {
	e.signals.catch()
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if err := o.reports.refuseState(engine.Workspace); err != nil {
		return err
	}
	log := newReplayLog(engine, e.warn)
	if o.DryRun {
		log.broken = true // nothing may be written
	}
	defer log.Close()
	e.addReplay(engine, replayOptions{command: o.command, check: o.DryRun}, log)
	run, err := e.regress(ctx, engine, o.RegressOptions, log)
	printed := e.print(e.newRegressionDocument(ctx, run, err), func(w io.Writer) { writeRegression(w, engine, run) })
	report := cireport.FromRegression(run, e.reportSource(ctx, engine, regressionSummary(run), err))
	reported := e.writeReports(o.reports, engine, report)
	return outcomeOf(printed, err, reported, run.Gate)
}

// regress runs the engine and shows its progress.
func (e *env) regress(ctx context.Context, engine *lifecycle.Engine, o lifecycle.RegressOptions, log *lineLog) (lifecycle.Regression, error) {
	e.progress = startProgress(e.stderr)
	defer e.progress.stop()
	o.Waiting = func(holder string) { e.tell("waiting for the round of " + holderText(holder)) }
	o.Planned = func(p lifecycle.BlamePlan) { e.tell(planText(p)) }
	o.Progress = func(s lifecycle.RegressStep) {
		log.heading("case %s%s", s.CaseID, withoutText(s.LeftOut))
		e.progress.show(stepText(s))
	}
	return engine.Regress(ctx, o)
}

// planText says how many replays blame may cost, before it begins.
func planText(p lifecycle.BlamePlan) string {
	text := fmt.Sprintf("blame: %s regressed, %s in force: at most %s", count(p.Wins, "win"), count(p.Rules, "active rule"), count(p.Limit, "more replay"))
	if p.Limit < p.Needed {
		text += fmt.Sprintf(" of the %d that it may need; raise --blame-limit to allow them", p.Needed)
	}
	return text
}

func stepText(s lifecycle.RegressStep) string {
	if s.Blame {
		return fmt.Sprintf("blame, replay %d of at most %d (%s%s)", s.Number, s.Of, s.CaseID, withoutText(s.LeftOut))
	}
	return fmt.Sprintf("replay %d of %d (%s)", s.Number, s.Of, s.CaseID)
}

func withoutText(leftOut []string) string {
	if len(leftOut) == 0 {
		return ""
	}
	return " without " + strings.Join(leftOut, ", ")
}

// regressionDocument is the JSON of regress; error is there when it failed.
type regressionDocument struct {
	lifecycle.Regression
	Error *detail `json:"error,omitempty"`
}

func (e *env) newRegressionDocument(ctx context.Context, run lifecycle.Regression, err error) regressionDocument {
	doc := regressionDocument{Regression: run}
	if err != nil {
		d := e.diagnose(ctx, err)
		doc.OK, doc.Error = false, &d.detail
	}
	return doc
}
