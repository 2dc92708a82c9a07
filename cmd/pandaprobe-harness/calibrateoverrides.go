package main

import (
	"fmt"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// noteOverrides finds what wins over the file, so that nobody believes that a
// threshold is in force when it is not.
func (e *env) noteOverrides(applied []appliedThreshold, content []byte) error {
	config, settings, _, err := workspace.LoadConfig(workspace.LoadOptions{
		File: workspace.ConfigName, Data: content, Env: e.environ, Flags: e.set,
	})
	if err != nil {
		return err
	}
	for i := range applied {
		a := &applied[i]
		if config.Threshold(a.Metric) == a.To {
			continue
		}
		a.OverriddenBy = overrideOf(settings, a.Metric)
		e.warn(fmt.Sprintf("%s is %s in force all the same: %s wins over harness.toml", a.Metric, number(config.Threshold(a.Metric)), a.OverriddenBy))
	}
	return nil
}

func overrideOf(settings []workspace.Setting, metric string) string {
	entry, own := "thresholds."+metric, ownKnob(metric)
	for _, name := range []string{entry, own} {
		for _, s := range settings {
			switch {
			case s.Name != name:
			case s.Source == workspace.SourceFlag:
				return "--set"
			case s.Source == workspace.SourceEnvironment && name == entry:
				return "HARNESS_THRESHOLDS"
			case s.Source == workspace.SourceEnvironment:
				return "HARNESS_" + strings.ToUpper(own)
			}
		}
	}
	return "another setting"
}

// ownKnob names the knob that a metric has beside the table, "" when it has none.
func ownKnob(metric string) string {
	switch metric {
	case workspace.MetricReliability:
		return "reliability_threshold"
	case workspace.MetricConsistency:
		return "consistency_threshold"
	}
	return ""
}
