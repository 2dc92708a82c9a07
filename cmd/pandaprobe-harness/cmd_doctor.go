package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/gitindex"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func doctorCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "doctor",
		Category: categoryWorkspace,
		Usage:    "say what is wrong in the workspace and how to mend it",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "repair", Usage: "mend what can be mended without losing a record"},
			&cli.BoolFlag{Name: "staged", Usage: "check what git would commit, for a pre-commit hook; only errors fail"},
			&cli.BoolFlag{Name: "platform", Usage: "check the platform client instead: whether it is there, signed in, and its key accepted"},
		},
		Description: `
Checks every file of the workspace: broken and torn records, conflict markers,
misplaced files, doubles, references, times, the journal against the rules, what
crashes left behind. Without --repair it writes nothing and needs no permission
to. What a repair takes out of a file is kept in state/local/repaired.

Examples:
  pandaprobe-harness doctor
  pandaprobe-harness doctor --repair --json
  pandaprobe-harness doctor --staged

Exit codes: 0 no error and no warning (with --staged: no error), or the platform
can be asked; 1 something is left to mend; 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runDoctor(c.Context, e, doctorOptions{repair: c.Bool("repair"), staged: c.Bool("staged"), platform: c.Bool("platform")})
		},
	}
}

type doctorOptions struct{ repair, staged, platform bool }

// check wants at most one of the flags.
func (o doctorOptions) check() error {
	given := ""
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--repair", o.repair}, {"--staged", o.staged}, {"--platform", o.platform}} {
		if flag.set && given != "" {
			return &usageError{flag: flag.name, message: fmt.Sprintf("flags %s and %s exclude each other", given, flag.name)}
		}
		if flag.set {
			given = flag.name
		}
	}
	return nil
}

func runDoctor(ctx context.Context, e *env, o doctorOptions) error {
	e.signals.catch()
	if err := o.check(); err != nil {
		return err
	}
	if o.platform {
		return runDoctorPlatform(ctx, e)
	}
	ws, err := e.openWorkspace()
	if err != nil {
		return err
	}
	ws.Warn = func(error) {} // what it would say is a finding
	doctor := lifecycle.Doctor{Workspace: ws, Env: e.environ, Warn: func(err error) { e.warn(err.Error()) }}
	health, err := e.examine(ctx, doctor, o)
	if err != nil && len(health.Findings) == 0 {
		return err
	}
	if err == nil && !health.OK {
		err = &workspace.Error{Code: codeUnhealthy, Message: "the workspace is not as it should be: " + tally(health)}
	}
	if printed := e.print(newDoctorDocument(ctx, health, err), func(w io.Writer) { writeHealth(w, health, o) }); printed != nil {
		return printed
	}
	if err != nil {
		return &reportedError{err}
	}
	return nil
}

func (e *env) examine(ctx context.Context, doctor lifecycle.Doctor, o doctorOptions) (lifecycle.Health, error) {
	switch {
	case o.repair:
		return doctor.Repair(ctx)
	case o.staged:
		return e.examineStaged(ctx, doctor)
	}
	return doctor.Examine(ctx)
}

func (e *env) examineStaged(ctx context.Context, doctor lifecycle.Doctor) (lifecycle.Health, error) {
	tree, err := gitindex.Open(ctx, doctor.Workspace.Root, e.environ,
		"state", workspace.ConfigName, workspace.RenderedName, ".gitignore", ".gitattributes")
	if err != nil {
		return lifecycle.Health{}, err
	}
	defer tree.Close()
	health, err := doctor.ExamineStaged(ctx, tree, tree.Changed)
	for _, rel := range tree.Unmerged() {
		health.OK = false
		health.Findings = append(health.Findings, workspace.Finding{Kind: workspace.KindUnmerged, File: rel, Severity: workspace.SeverityError,
			Message: "is not merged yet", Mend: "choose what is to hold, and `git add` it"})
	}
	return health, err
}

// codeUnhealthy is the error code of a workspace with findings to mend.
const codeUnhealthy = "unhealthy"

// doctorDocument is the JSON of doctor; error is there when something is left
// to mend.
type doctorDocument struct {
	lifecycle.Health
	Error *detail `json:"error,omitempty"`
}

func newDoctorDocument(ctx context.Context, health lifecycle.Health, err error) doctorDocument {
	doc := doctorDocument{Health: health}
	if err != nil {
		d := diagnose(ctx, err)
		doc.OK, doc.Error = false, &d.detail
	}
	return doc
}

// writeHealth tells each thing in a line, and a summary. A hook that finds
// nothing says nothing.
func writeHealth(w io.Writer, h lifecycle.Health, o doctorOptions) {
	if o.staged && len(h.Findings) == 0 {
		return
	}
	for _, m := range h.Repaired {
		fmt.Fprintln(w, lifecycle.SafeLine("mended: "+m.String()))
	}
	for _, f := range h.Findings {
		fmt.Fprintln(w, lifecycle.SafeLine(f.String()))
	}
	summary := "nothing is wrong"
	if len(h.Findings) > 0 {
		summary = tally(h)
	}
	if n := h.Repairable(); n > 0 {
		summary += fmt.Sprintf("; `%s doctor --repair` mends %d", programName, n)
	}
	x := h.Examined
	fmt.Fprintf(w, "%s (looked at %s, %s, %s, %s, %s)\n", summary,
		count(x.Rules, "rule"), count(x.Cases, "case"), count(x.Notices, "notice"), count(x.Sessions, "session"), count(x.Records, "record"))
}

// tally counts the findings by severity.
func tally(h lifecycle.Health) string {
	var parts []string
	for _, s := range []workspace.Severity{workspace.SeverityError, workspace.SeverityWarning, workspace.SeverityNote} {
		if n := h.Count(s); n > 0 {
			parts = append(parts, count(n, string(s)))
		}
	}
	return strings.Join(parts, ", ")
}
