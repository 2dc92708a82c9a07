package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
)

func drainCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "drain",
		Category: categoryTraffic,
		Usage:    "wait until no background round is wanted or running",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "timeout", Value: time.Minute, Usage: "wait at most `TIME`"},
		},
		Description: `
Example:
  pandaprobe-harness drain --timeout 5m

Exit codes: 0 nothing is wanted or running; 1 the time passed; 2 called wrongly;
130, 143, 129 interrupted.`,
		Action: func(c *cli.Context) error { return runDrain(c.Context, e, c.Duration("timeout")) },
	}
}

type drainDocument struct {
	OK bool `json:"ok"`
}

func runDrain(ctx context.Context, e *env, timeout time.Duration) error {
	e.signals.catch()
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	err = engine.Drain(ctx, timeout, func() error { return e.startBackground(engine) })
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("a background round is still wanted or running after %s; its log is state/local/logs/%s", timeout, lifecycle.BackgroundLog)
	}
	if err != nil {
		return err
	}
	e.warnOfBackground(engine)
	return e.print(drainDocument{OK: true}, func(io.Writer) {})
}

// The background round is this program itself, with a variable that says so: it
// is no command for users.
const backgroundVariable = "PANDAPROBE_HARNESS_BACKGROUND"

// startBackground starts the process that runs background rounds. It shares
// nothing with this one but the log, so that the caller and its shell may end.
func (e *env) startBackground(engine *lifecycle.Engine) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := lifecycle.OpenLog(engine.Workspace, lifecycle.BackgroundLog)
	if err != nil {
		return err
	}
	defer log.Close()
	root := engine.Workspace.Root
	argv := []string{program, "validate", "--workspace", root}
	for _, knob := range e.set {
		argv = append(argv, "--set", knob)
	}
	return replayexec.StartDetached(argv, root, append(e.environ[:len(e.environ):len(e.environ)], backgroundVariable+"=1"), log)
}

// warnOfBackground says that the rounds of this workspace fail.
func (e *env) warnOfBackground(engine *lifecycle.Engine) {
	if reason := engine.BackgroundFailure(); reason != "" {
		e.warn("the last background round failed: " + reason)
	}
}

// isBackground tells that this process was started by startBackground.
func (e *env) isBackground() bool { return e.variable(backgroundVariable) != "" }

// runBackground runs rounds until none is wanted and notes each in its log,
// which is this process's standard error.
func (e *env) runBackground(ctx context.Context, engine *lifecycle.Engine) error {
	e.environ = without(e.environ, backgroundVariable)
	replays := newReplayLog(engine, e.warn)
	defer replays.Close()
	e.addReplay(engine, replayOptions{}, replays)
	options := lifecycle.RoundOptions{Progress: func(p lifecycle.Progress) { replays.heading("rule %s, case %s", p.RuleID, p.CaseID) }}
	return engine.RunBackground(ctx, options, func(round lifecycle.Round, err error) {
		e.noteRound(round, err)
	})
}

func (e *env) noteRound(round lifecycle.Round, err error) {
	at := time.Now().UTC().Format(time.RFC3339)
	for _, v := range round.Verdicts {
		fmt.Fprintf(e.stderr, "%s rule %s: %s: %s\n", at, v.RuleID, v.Outcome, lifecycle.SafeLine(e.redacted(v.Reason)))
	}
	if err != nil {
		fmt.Fprintf(e.stderr, "%s round failed: %s\n", at, lifecycle.SafeLine(e.redacted(err.Error())))
	}
}

func without(environ []string, name string) []string {
	kept := make([]string, 0, len(environ))
	for _, entry := range environ {
		if len(entry) <= len(name) || entry[:len(name)+1] != name+"=" {
			kept = append(kept, entry)
		}
	}
	return kept
}
