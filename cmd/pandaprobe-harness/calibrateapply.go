package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// applyMode says which recommendation --apply writes; "" = none. It is the value
// of a flag that may stand alone.
type applyMode string

const (
	applyBestF1    applyMode = "f1"
	applyPrecision applyMode = "precision"
)

// Set takes any word; isKnown tells whether it is one.
func (m *applyMode) Set(text string) error {
	switch *m = applyMode(text); text {
	case "true":
		*m = applyBestF1
	case "false":
		*m = ""
	}
	return nil
}

func (m applyMode) isKnown() bool { return m == "" || m == applyBestF1 || m == applyPrecision }

func (m *applyMode) String() string { return string(*m) }

// IsBoolFlag lets the flag stand without a value.
func (m *applyMode) IsBoolFlag() bool { return true }

// appliedThreshold is what --apply did about one metric. Its fields stand in the
// order of their names, as in the whole document.
type appliedThreshold struct {
	Changed      bool    `json:"changed"` // false: the file had it already
	From         float64 `json:"from"`    // in force before
	Knob         string  `json:"knob"`    // where it stands in harness.toml
	Metric       string  `json:"metric"`
	OverriddenBy string  `json:"overridden_by"` // what wins over the file; "" = nothing
	To           float64 `json:"to"`            // recommended
}

// applyThresholds writes the recommended thresholds into harness.toml, whose
// comments and order stay. It returns nil when it was not asked to, and fails
// without writing when nothing is recommended.
func (e *env) applyThresholds(ctx context.Context, engine *lifecycle.Engine, report *calibrate.Report, mode applyMode) ([]appliedThreshold, error) {
	if mode == "" {
		return nil, nil
	}
	recommended, without := recommendations(report, mode)
	if len(recommended) == 0 {
		return nil, workspace.Errorf(workspace.CodeRefused, "nothing to apply, harness.toml stays as it is: %s", strings.Join(without, "; "))
	}
	for _, why := range without {
		e.warn("not applied: " + why)
	}
	ws := engine.Workspace
	if st, err := os.Lstat(filepath.Join(ws.Root, workspace.ConfigName)); err == nil && st.Mode()&os.ModeSymlink != 0 {
		return nil, &workspace.Error{Code: workspace.CodeRefused, File: workspace.ConfigName, Message: "is a symbolic link; it is read but never written through: change its target by hand"}
	}
	var content []byte
	err := ws.Update(ctx, func(tx *workspace.Tx) (err error) {
		if content, err = ws.ReadConfig(); err != nil {
			return err
		}
		for i := range recommended {
			r := &recommended[i]
			r.From = engine.Config.Threshold(r.Metric)
			if content, err = r.writeInto(content); err != nil {
				return placedInConfig(err)
			}
		}
		return tx.PutConfig(content)
	})
	if err != nil {
		return nil, err
	}
	return recommended, e.noteOverrides(recommended, content)
}

// recommendations picks the threshold of each metric that has one, and says why
// the others have none.
func recommendations(report *calibrate.Report, mode applyMode) (found []appliedThreshold, without []string) {
	for _, m := range report.Metrics {
		l := m.Labeled
		switch {
		case l == nil:
			without = append(without, fmt.Sprintf("no label is about a score of %s", m.Metric))
		case mode == applyPrecision && l.TargetPrecisionThreshold == nil:
			without = append(without, fmt.Sprintf("no threshold of %s reaches a precision of %v", m.Metric, l.TargetPrecision))
		case mode == applyPrecision:
			found = append(found, appliedThreshold{Metric: m.Metric, To: *l.TargetPrecisionThreshold})
		case l.BestF1 == 0:
			without = append(without, fmt.Sprintf("no threshold of %s finds a failure", m.Metric))
		default:
			found = append(found, appliedThreshold{Metric: m.Metric, To: l.BestF1Threshold})
		}
	}
	return found, without
}

// writeInto sets the knob in the text of harness.toml: an entry in [thresholds]
// where there is one or must be one, else the metric's own knob.
func (a *appliedThreshold) writeInto(content []byte) ([]byte, error) {
	table, key := "thresholds", a.Metric
	a.Knob = table + "." + workspace.TOMLKey(key)
	if _, entry := workspace.FindTOMLKey(content, table, key); !entry && ownKnob(a.Metric) != "" {
		table, key = "", ownKnob(a.Metric)
		a.Knob = key
	}
	after, err := workspace.SetTOML(content, table, key, strconv.FormatFloat(a.To, 'f', -1, 64))
	a.Changed = err == nil && string(after) != string(content)
	return after, err
}

func placedInConfig(err error) error {
	var located *workspace.Error
	if errors.As(err, &located) && located.File == "" {
		located.File = workspace.ConfigName
	}
	return err
}

// withApplied adds what was applied to the report's document, with its keys in
// order.
func withApplied(report *calibrate.Report, applied []appliedThreshold) (map[string]jsontext.Value, error) {
	text, err := report.JSON()
	if err != nil {
		return nil, err
	}
	doc := map[string]jsontext.Value{}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	doc["applied"], err = json.Marshal(applied)
	return doc, err
}

func writeApplied(w io.Writer, applied []appliedThreshold) {
	fmt.Fprintf(w, "\nharness.toml:\n")
	for _, a := range applied {
		what := fmt.Sprintf("%s -> %s", number(a.From), number(a.To))
		if !a.Changed {
			what = number(a.To) + " already"
		}
		if a.OverriddenBy != "" {
			what += " (" + a.OverriddenBy + " wins over it)"
		}
		fmt.Fprintf(w, "  %s  %s\n", lifecycle.SafeLine(a.Knob), what)
	}
}
