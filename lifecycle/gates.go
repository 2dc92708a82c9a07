package lifecycle

import (
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Names of gates (docs/cli.md, "Gates").
const (
	GateRetired      = "retired"      // a candidate was, or would be, retired
	GateInconclusive = "inconclusive" // a replay round was inconclusive
	GatePending      = "pending"      // a forward trial has not ended
)

// Gates is the set of gates that a round watches.
type Gates []string

// ParseGates reads a comma-separated list of gate names. An empty list or an
// unknown name is an error.
func ParseGates(list string) (Gates, error) {
	known := []string{GateRetired, GateInconclusive, GatePending}
	var gates Gates
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return nil, workspace.Errorf(workspace.CodeBadInput, "%q is no gate; name one or more of %s, separated by commas", name, strings.Join(known, ", "))
		}
		gates = append(gates, name)
	}
	return gates, nil
}

// tripped names the watched gates that the verdicts trip, each once.
func (g Gates) tripped(verdicts []Verdict) []string {
	names := []string{}
	for _, v := range verdicts {
		if name := v.gate(); slices.Contains(g, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (v Verdict) gate() string {
	switch {
	case v.Outcome == Retire:
		return GateRetired
	case v.Outcome == Pending && v.Validator == ValidatorReplay && v.ReasonCode != CodeChanged:
		return GateInconclusive
	case v.Outcome == Pending && v.Validator == ValidatorTrial:
		return GatePending
	}
	return ""
}
