package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// calibrateName is another name of the program, under which it is the command
// calibrate alone.
const calibrateName = programName + "-calibrate"

// withCalibrate puts the command into a line of the program's other name.
func withCalibrate(args []string) []string {
	if strings.TrimSuffix(filepath.Base(args[0]), ".exe") != calibrateName {
		return args
	}
	return slices.Insert(slices.Clone(args), 1, "calibrate")
}

func calibrateCommand(e *env) *cli.Command {
	apply := new(applyMode)
	return &cli.Command{
		Name:     "calibrate",
		Category: categoryTraffic,
		Usage:    "measure whether a breach means a failure, and which threshold would serve better",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "labels", Usage: "compare with the labels in `FILE`, JSON or CSV; - reads standard input"},
			&cli.BoolFlag{Name: "from-evalset", Usage: "take the captured cases as labels: failure = failed, win = ok"},
			&cli.Float64Flag{Name: "target-precision", Value: calibrate.DefaultTargetPrecision, Usage: fmt.Sprintf("look for the lowest threshold whose precision reaches `P`, 0 to 1 (default %v)", calibrate.DefaultTargetPrecision)},
			&cli.StringSliceFlag{Name: "threshold", KeepSpace: true, Usage: "judge by another threshold than the configured one, as `METRIC=VALUE`; may be repeated"},
			&cli.StringFlag{Name: "source", Usage: "take scores only from the sources in `LIST`, with commas: cli, history, evalset"},
			&cli.GenericFlag{Name: "apply", Value: apply, Usage: "write the thresholds of the best F1 into harness.toml; --apply=precision those of the target precision"},
			&cli.StringFlag{Name: "plot", Usage: "draw the report into `FILE`, .svg or .png"},
		},
		Description: `
Reads the scores of all sessions (the platform over the local history over the
eval set) and reports their distribution and how many would breach at each
threshold. With labels it also tells how well breaches meet failures, with
intervals, and recommends thresholds. It changes nothing unless --apply is given.

Examples:
  pandaprobe-harness calibrate
  pandaprobe-harness calibrate --labels labels.csv --plot report.svg
  pandaprobe-harness calibrate --labels labels.csv --threshold agent_reliability=0.6
  pandaprobe-harness calibrate --from-evalset --apply

Exit codes: 0 reported; 1 no scores, no label that matches, content that cannot be
used, or nothing to apply; 2 called wrongly; 130, 143, 129 interrupted.`,
		Action: func(c *cli.Context) error {
			o, err := calibrateOptionsOf(c, *apply)
			if err != nil {
				return err
			}
			return runCalibrate(c.Context, e, o)
		},
	}
}

type calibrateOptions struct {
	labels      string // file; "" = none, "-" = standard input
	fromEvalSet bool
	target      float64
	thresholds  map[string]float64 // that stand in for the configured ones
	sources     []string           // empty = all
	apply       applyMode
	plot        string // file; "" = none
}

func calibrateOptionsOf(c *cli.Context, apply applyMode) (o calibrateOptions, err error) {
	o = calibrateOptions{
		labels: c.String("labels"), fromEvalSet: c.Bool("from-evalset"), target: c.Float64("target-precision"),
		apply: apply, plot: c.String("plot"),
	}
	wrong := func(flag, format string, args ...any) error {
		return &usageError{flag: "--" + flag, message: "flag --" + flag + ": " + fmt.Sprintf(format, args...)}
	}
	switch {
	case c.IsSet("labels") && o.labels == "":
		return o, wrong("labels", "there is no file name; - reads standard input")
	case o.labels != "" && o.fromEvalSet:
		return o, wrong("from-evalset", "the labels come from --labels already; give one of the two")
	case !(o.target >= 0 && o.target <= 1):
		return o, wrong("target-precision", "%v lies outside 0 to 1", o.target)
	case !o.apply.isKnown():
		return o, wrong("apply", "%q is no recommendation; write --apply or --apply=precision", o.apply)
	case o.apply != "" && o.labels == "" && !o.fromEvalSet:
		return o, wrong("apply", "nothing is recommended without labels; give --labels or --from-evalset")
	case c.IsSet("plot") && plotFormat(o.plot) == "":
		return o, wrong("plot", "%q ends neither in .svg nor in .png", o.plot)
	}
	if o.thresholds, err = parseThresholds(c.StringSlice("threshold")); err != nil {
		return o, err
	}
	if c.IsSet("source") {
		o.sources, err = parseSources(c.String("source"))
	}
	return o, err
}

// parseThresholds reads METRIC=VALUE, cut at the last "=".
func parseThresholds(assignments []string) (map[string]float64, error) {
	thresholds := map[string]float64{}
	for _, text := range assignments {
		wrong := func(what string) error {
			return &usageError{flag: "--threshold", message: fmt.Sprintf("flag --threshold: %q %s", text, what)}
		}
		at := strings.LastIndexByte(text, '=')
		if at < 1 {
			return nil, wrong("is not METRIC=VALUE")
		}
		metric := text[:at]
		value, err := strconv.ParseFloat(text[at+1:], 64)
		if err != nil || !(value >= 0 && value <= 1) {
			return nil, wrong("has no number from 0 to 1 behind the =")
		}
		if _, twice := thresholds[metric]; twice {
			return nil, wrong("gives a metric a second threshold")
		}
		thresholds[metric] = value
	}
	return thresholds, nil
}

func parseSources(list string) (sources []string, err error) {
	known := lifecycle.ScoreSources()
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return nil, &usageError{flag: "--source", message: fmt.Sprintf("flag --source: %q is no source; the sources are cli, history, evalset", name)}
		}
		sources = append(sources, name)
	}
	return sources, nil
}

func runCalibrate(ctx context.Context, e *env, o calibrateOptions) error {
	e.signals.catch() // the platform client may be running
	// Scores and labels are built up and then stay: the usual half of garbage on
	// top of them would be memory for nothing.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	engine, err := e.openForCalibration()
	if err != nil {
		return err
	}
	report, err := e.calibrate(ctx, engine, o)
	if err != nil {
		return err
	}
	if err := e.plotReport(report, o.plot); err != nil {
		return err
	}
	applied, err := e.applyThresholds(ctx, engine, report, o.apply)
	if err != nil {
		return err
	}
	return e.printCalibration(report, applied)
}

func (e *env) printCalibration(report *calibrate.Report, applied []appliedThreshold) error {
	if applied == nil {
		return e.print(report, func(w io.Writer) { report.WriteText(w) })
	}
	doc, err := withApplied(report, applied)
	if err != nil {
		return err
	}
	return e.print(doc, func(w io.Writer) {
		report.WriteText(w)
		writeApplied(w, applied)
	})
}
