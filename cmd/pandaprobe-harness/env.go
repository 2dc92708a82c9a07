package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// env is what every command works with: the streams, the environment and the
// global flags of this call.
type env struct {
	signals interrupter
	environ []string
	stdin   io.Reader
	stdout  *quietPipe
	stderr  io.Writer

	json        bool
	root        string // --workspace
	lockTimeout time.Duration
	set         []string // --set, "knob=value"

	redact   func(string) string // by the patterns of the workspace; nil = not known yet
	told     map[string]bool     // what was warned of already
	progress *progressLine       // nil when nothing is shown
}

func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "workspace", Usage: "work on the workspace in `DIR` (else HARNESS_ROOT, else the nearest folder upward with a harness.toml)"},
		&cli.BoolFlag{Name: "json", Usage: "print one JSON document on standard output"},
		&cli.DurationFlag{Name: "lock-timeout", Value: workspace.DefaultLockTimeout, Usage: "wait at most `TIME` for the write lock"},
		&cli.StringSliceFlag{Name: "set", KeepSpace: true, Usage: "set a knob for this call, as `KNOB=VALUE`; may be repeated"},
	}
}

// readGlobals runs before every command.
func (e *env) readGlobals(c *cli.Context) error {
	e.json = c.Bool("json")
	e.root = c.String("workspace")
	e.lockTimeout = c.Duration("lock-timeout")
	e.set = c.StringSlice("set")
	return nil
}

// variable returns a variable of the environment, "" when it is not set.
func (e *env) variable(name string) string {
	for i := len(e.environ) - 1; i >= 0; i-- {
		if own, value, _ := strings.Cut(e.environ[i], "="); own == name {
			return value
		}
	}
	return ""
}

// openWorkspace finds the workspace that this call is about.
func (e *env) openWorkspace() (*workspace.Workspace, error) {
	dir, err := workingDir()
	if err != nil {
		return nil, err
	}
	ws, err := workspace.Find(e.root, e.variable("HARNESS_ROOT"), dir)
	if err != nil {
		return nil, err
	}
	ws.LockTimeout = e.lockTimeout
	ws.Writer = e.variable("HARNESS_WRITER")
	ws.Warn = func(err error) { e.warn(err.Error()) }
	ws.BeforeWrite = e.signals.catch // what is under way is not broken off
	if e.variable("HARNESS_CHECK") != "" {
		ws.ReadOnly = workspace.Errorf(workspace.CodeRefused, "inside a replay of `validate --check` nothing is written (HARNESS_CHECK is set)")
	}
	return ws, nil
}

// openEngine opens the workspace with its configuration, without the means to
// replay.
func (e *env) openEngine() (*lifecycle.Engine, error) {
	ws, err := e.openWorkspace()
	if err != nil {
		return nil, err
	}
	config, _, err := e.loadConfig(ws)
	if err != nil {
		return nil, err
	}
	engine := &lifecycle.Engine{
		Workspace: ws,
		Config:    config,
		Log:       e.tell,
		InReplay:  e.variable("HARNESS_IN_REPLAY") != "",
	}
	e.redact = engine.Redact
	return engine, nil
}

func (e *env) loadConfig(ws *workspace.Workspace) (workspace.Config, []workspace.Setting, error) {
	data, err := ws.ReadConfig()
	if err != nil {
		return workspace.Config{}, nil, err
	}
	config, settings, warnings, err := workspace.LoadConfig(workspace.LoadOptions{
		File: workspace.ConfigName, Data: data, Env: e.environ, Flags: e.set,
	})
	for _, w := range warnings {
		e.warn(w)
	}
	return config, settings, blameFlag(err)
}

// blameFlag makes a mistake in --set one of the call, not of the workspace.
func blameFlag(err error) error {
	var located *workspace.Error
	if errors.As(err, &located) && strings.HasPrefix(located.Field, "--set") {
		return &usageError{flag: "--set", message: located.Error()}
	}
	return err
}

// tell says something to people, in one line on standard error.
func (e *env) tell(message string) {
	e.progress.clear()
	fmt.Fprintf(e.stderr, "%s: %s\n", programName, oneLine(e.redacted(message)))
}

// redacted keeps what the patterns match out of messages, which end up in logs.
func (e *env) redacted(message string) string {
	if e.redact == nil {
		return message
	}
	return e.redact(message)
}

// warn tells of something that was passed over, each thing once.
func (e *env) warn(message string) {
	if !e.told[message] {
		e.told[message] = true
		e.tell("warning: " + message)
	}
}
