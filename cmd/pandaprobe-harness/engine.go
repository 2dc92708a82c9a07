package main

import (
	"fmt"
	"io"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// replayOptions says how a command runs replays.
type replayOptions struct {
	command []string // what stands behind `--`; empty = [replay] command
	check   bool     // nothing may be written, not even a log
}

// addReplay gives the engine the means to run the user's agent again and to
// score what comes of it, where these are configured. What the commands print
// on standard error goes to log, which may be nil.
func (e *env) addReplay(engine *lifecycle.Engine, o replayOptions, log io.Writer) {
	replayer := replayexec.Replayer{
		Command: commandOf(engine.Config.Replay),
		Dir:     engine.Workspace.Root,
		Env:     e.environ,
		Root:    engine.Workspace.Root,
		Timeout: workspace.Seconds(engine.Config.ReplayTimeoutS),
		Check:   o.check,
		Stderr:  log,
	}
	engine.Scorer = newScorer(engine, replayer)
	source := "[replay] command"
	if len(o.command) > 0 {
		source = "the command behind --"
		replayer.Command = replayexec.Command{Argv: o.command}
		replayer.Dir = "" // the caller's folder
	}
	if !replayer.Command.IsZero() {
		engine.Agent = agent{lifecycle.CommandAgent{Replayer: replayer}, engine.Scorer, source}
	}
}

// newScorer returns what scores a session whose replay brought no scores: the
// score command, else the platform client.
func newScorer(engine *lifecycle.Engine, like replayexec.Replayer) lifecycle.Scorer {
	if command := commandOf(engine.Config.Score); !command.IsZero() {
		like.Command = command
		return replayexec.Scorer(like)
	}
	return lifecycle.NewPlatformScorer(engine.Config, like.Env)
}

func commandOf(spec workspace.CommandSpec) replayexec.Command {
	return replayexec.Command{Argv: spec.Argv, Shell: spec.Shell}
}

// agent is the replay command, whose set-up includes the score command: a round
// of long replays must not end at a scorer that cannot be started.
type agent struct {
	lifecycle.CommandAgent
	scorer lifecycle.Scorer
	source string // where the command stands
}

func (a agent) Preflight() error {
	if err := a.CommandAgent.Preflight(); err != nil {
		return fmt.Errorf("%s: %w; name a program that can be run", a.source, err)
	}
	if s, ok := a.scorer.(replayexec.Scorer); ok {
		if err := s.Command.Check(s.Dir, s.Env); err != nil {
			return fmt.Errorf("[score] command: %w; name a program that can be run", err)
		}
	}
	return nil
}
