package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/urfave/cli/v2"
)

// run is the whole program: it executes the command line in args (the first of
// which is the program's name) and returns the exit code.
func run(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	args = withCalibrate(args)
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	e := &env{
		signals: interrupter{end: end},
		environ: environ,
		stdin:   stdin,
		stdout:  &quietPipe{w: surviving(stdout)},
		stderr:  surviving(stderr),
		json:    asksForJSON(args),
		told:    map[string]bool{},
	}
	return e.report(ctx, e.execute(ctx, args))
}

// execute understands the command line and runs its command. urfave/cli sees
// only the canonical form, so that none of its own usage texts is ever printed.
func (e *env) execute(ctx context.Context, args []string) error {
	app := newApp(e, args[1:])
	call, err := parse(app, args[1:])
	e.json = e.json || speaksJSON(call.path)
	if call.help {
		return e.printHelp(app, call.path)
	}
	if err != nil {
		return err
	}
	return app.RunContext(ctx, call.canonical(app.Name))
}

// report tells how the command ended, once, and turns it into the exit code.
func (e *env) report(ctx context.Context, err error) int {
	if err == nil {
		return exitDone
	}
	d := e.diagnose(ctx, err)
	if d.exit == exitGate {
		return d.exit // the document or the text of the round has said it
	}
	e.tell(d.Message)
	var usage *usageError
	if errors.As(err, &usage) && usage.help != nil && !e.json {
		writeHelp(e.stderr, usage.help)
	}
	var reported *reportedError
	if e.json && !errors.As(err, &reported) {
		if err := e.print(errorDocument{Error: d.detail}, nil); err != nil {
			e.tell(diagnose(ctx, err).Message)
		}
	}
	return d.exit
}

// newApp makes the program for one command line.
func newApp(e *env, line []string) *cli.App {
	return &cli.App{
		Name:                      programName,
		Usage:                     "evidence before trust for rules that agents write",
		HideHelp:                  true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {}, // exit codes are decided in diagnose
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return usagef("%v", err) },
		Writer:                    e.stderr,
		ErrWriter:                 e.stderr,
		Reader:                    e.stdin,
		Compiled:                  noTime, // else the library asks the file system for it
		Flags:                     globalFlags(),
		Before:                    e.readGlobals,
		Commands:                  commandsFor(e, line),
	}
}

const programName = "pandaprobe-harness"

// workingDir is where relative paths start and the search for a workspace
// begins.
func workingDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", ioFailure("cannot tell the current folder", err)
	}
	return dir, nil
}
