package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// version and commit are set when a release is built (docs/releasing.md):
// -ldflags "-X main.version=v1.2.3 -X main.commit=...".
var version, commit string

func versionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "version",
		Category: categoryOther,
		Usage:    "print the version of this program",
		Description: `
Prints the version, the commit it was built from where that is known, and the
platform.

Example:
  pandaprobe-harness version

Exit codes: 0 printed, 2 called wrongly.`,
		Action: func(c *cli.Context) error { return runVersion(c.Context, e) },
	}
}

func runVersion(_ context.Context, e *env) error {
	doc := versionDocument{OK: true, Version: version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		doc.fill(info)
	}
	return e.print(doc, func(w io.Writer) { writeVersion(w, doc) })
}

type versionDocument struct {
	OK       bool   `json:"ok"`
	Version  string `json:"version"`
	Commit   string `json:"commit"` // "" when it is not known
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// fill takes what the release did not set from what the compiler knows.
func (d *versionDocument) fill(info *debug.BuildInfo) {
	if d.Version == "" {
		d.Version = info.Main.Version
	}
	if d.Version == "" {
		d.Version = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && d.Commit == "" {
			d.Commit = s.Value
		}
	}
}

func writeVersion(w io.Writer, d versionDocument) {
	from := ""
	if d.Commit != "" {
		from = ", commit " + d.Commit
	}
	fmt.Fprintf(w, "%s %s (%s, %s%s)\n", programName, d.Version, d.Platform, d.Go, from)
}
