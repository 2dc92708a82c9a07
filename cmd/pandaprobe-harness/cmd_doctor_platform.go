package main

import (
	"context"
	"io"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// runDoctorPlatform asks the platform client how it is. Outside of a workspace
// the knobs come from the environment and the defaults.
func runDoctorPlatform(ctx context.Context, e *env) error {
	config, err := e.platformConfig()
	if err != nil {
		return err
	}
	d, err := lifecycle.NewPlatformClient(config, e.environ).Diagnose(ctx)
	if err != nil {
		return err
	}
	var fault error
	if d.Fault != nil {
		fault = d.Fault
		if platform.IsSetup(fault) {
			fault = &lifecycle.SetupError{Err: fault}
		}
	}
	if printed := e.print(newPlatformDocument(ctx, d, fault), func(w io.Writer) { writeDiagnosis(w, d) }); printed != nil {
		return printed
	}
	if fault != nil {
		return &reportedError{fault}
	}
	return nil
}

func (e *env) platformConfig() (workspace.Config, error) {
	ws, err := e.openWorkspace()
	if workspace.CodeOf(err) == workspace.CodeNoWorkspace && e.root == "" && e.variable("HARNESS_ROOT") == "" {
		config, _, _, err := workspace.LoadConfig(workspace.LoadOptions{Env: e.environ, Flags: e.set})
		return config, blameFlag(err)
	}
	if err != nil {
		return workspace.Config{}, err
	}
	config, _, err := e.loadConfig(ws)
	return config, err
}

// platformDocument is the JSON of doctor --platform. Nothing of a key is in it.
type platformDocument struct {
	OK       bool              `json:"ok"`
	Platform platformDiagnosis `json:"platform"`
	Error    *detail           `json:"error,omitempty"`
}

type platformDiagnosis struct {
	Binary      string         `json:"binary"`
	Found       bool           `json:"found"`
	Version     workspace.Text `json:"version"`
	Endpoint    workspace.Text `json:"endpoint"`
	Project     workspace.Text `json:"project"`
	SignedIn    bool           `json:"signed_in"`
	KeyAccepted bool           `json:"key_accepted"`
	Class       workspace.Text `json:"class"` // of the fault (docs/platform.md, "Failures")
}

func newPlatformDocument(ctx context.Context, d platform.Diagnosis, fault error) platformDocument {
	doc := platformDocument{OK: fault == nil, Platform: platformDiagnosis{
		Binary: d.Binary, Found: d.Found, Version: workspace.Text(d.Version), Endpoint: workspace.Text(d.Endpoint),
		Project: workspace.Text(d.Project), SignedIn: d.SignedIn, KeyAccepted: d.KeyAccepted,
	}}
	if fault != nil {
		told := diagnose(ctx, fault)
		doc.Platform.Class, doc.Error = workspace.Text(d.Fault.Class), &told.detail
	}
	return doc
}

// writeDiagnosis says each step that was tried; the fault itself is told on
// standard error.
func writeDiagnosis(w io.Writer, d platform.Diagnosis) {
	rows := [][]string{{"client", d.Binary + ": not found"}}
	if d.Found {
		rows = [][]string{{"client", d.Binary + ": found"}}
	}
	if d.Version != "" {
		rows = append(rows, []string{"version", d.Version})
	}
	if d.Endpoint != "" || d.Project != "" || d.SignedIn {
		rows = append(rows,
			[]string{"endpoint", orDash(d.Endpoint)}, []string{"project", orDash(d.Project)}, []string{"signed in", yesNo(d.SignedIn)})
	}
	if d.SignedIn {
		rows = append(rows, []string{"key accepted", yesNo(d.KeyAccepted)})
	}
	fields(w, rows...)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
