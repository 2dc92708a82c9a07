package main

import (
	"path/filepath"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/cmd/pandaprobe-harness/internal/plot"
)

// plotReport draws the report into a file; "" = nowhere.
func (e *env) plotReport(report *calibrate.Report, file string) error {
	if file == "" {
		return nil
	}
	picture, err := plot.Render(report, plotFormat(file))
	if err != nil {
		return &usageError{flag: "--plot", message: "flag --plot: " + err.Error()}
	}
	if err := replaceReport(file, picture); err != nil {
		return ioFailure("cannot write the picture", err)
	}
	return nil
}

// plotFormat is told by the ending of the file's name; "" is none of the formats.
func plotFormat(file string) string {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".svg":
		return plot.SVG
	case ".png":
		return plot.PNG
	}
	return ""
}
