package workspace

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// envPrefix begins the name of every environment variable of this program.
const envPrefix = "HARNESS_"

// ownVariables are those that are no knobs: this program reads them, or sets
// them for the commands that it runs (docs/replay.md, "Environment").
var ownVariables = [...]string{
	"HARNESS_ROOT", "HARNESS_WRITER",
	"HARNESS_CASE_FILE", "HARNESS_CONTEXT_FILE", "HARNESS_CASE_ID", "HARNESS_CASE_KIND", "HARNESS_RULE_ID",
	"HARNESS_IN_REPLAY", "HARNESS_CHECK", "HARNESS_SESSION_ID", "HARNESS_RUN",
}

// environment takes the layer of the variables. An empty one counts as not
// set, which is how a shell script takes a variable back for one command.
func (l *loader) environment(env []string) (warnings []string, err error) {
	set := harnessVariables(env)
	for _, name := range slices.Sorted(maps.Keys(set)) {
		k, ok := knobOfVariable(name)
		if !ok {
			warnings = append(warnings, unknownVariable(name))
			continue
		}
		if err := l.setText(k, set[name], origin{source: SourceEnvironment}); err != nil {
			return nil, &Error{Code: CodeConfig, Field: name, Message: err.Error()}
		}
	}
	return warnings, nil
}

// harnessVariables picks the variables that may be knobs and are not empty.
func harnessVariables(env []string) map[string]string {
	set := make(map[string]string)
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name) // names have no case there
		}
		if strings.HasPrefix(name, envPrefix) && !slices.Contains(ownVariables[:], name) {
			set[name] = value
		}
	}
	maps.DeleteFunc(set, func(_, value string) bool { return strings.TrimSpace(value) == "" })
	return set
}

func knobOfVariable(name string) (*knob, bool) {
	for i := range knobs {
		if knobs[i].env() == name {
			return &knobs[i], true
		}
	}
	return nil, false
}

func unknownVariable(name string) string {
	// Compared without the prefix, which would make any two names alike.
	known := make([]string, 0, len(knobs)+len(ownVariables))
	for i := range knobs {
		known = append(known, strings.TrimPrefix(knobs[i].env(), envPrefix))
	}
	for _, own := range ownVariables {
		known = append(known, strings.TrimPrefix(own, envPrefix))
	}
	nearest, close := Nearest(strings.TrimPrefix(name, envPrefix), known)
	if !close {
		return fmt.Sprintf("ignored the unknown environment variable %s", name)
	}
	return fmt.Sprintf("ignored the unknown environment variable %s; did you mean %s%s?", name, envPrefix, nearest)
}

// flags takes the layer of knob=value.
func (l *loader) flags(flags []string) error {
	for _, flag := range flags {
		name, text, ok := strings.Cut(flag, "=")
		if !ok {
			return &Error{Code: CodeConfig, Field: "--set", Message: fmt.Sprintf("%q is not knob=value", flag)}
		}
		var err error
		if strings.HasPrefix(name, thresholdsKnob+".") {
			err = l.setThresholdText(strings.TrimPrefix(flag, thresholdsKnob+"."), origin{source: SourceFlag})
		} else if k, known := knobNamed(name); known {
			err = l.setText(k, text, origin{source: SourceFlag})
		} else {
			err = errors.New("unknown knob; " + nearestKnob(name))
		}
		if err != nil {
			return &Error{Code: CodeConfig, Field: "--set " + name, Message: err.Error()}
		}
	}
	return nil
}

// setText gives a knob the value that a text from the environment or a flag
// stands for.
func (l *loader) setText(k *knob, text string, from origin) error {
	if k.name != thresholdsKnob {
		return l.set(k, k.parse(text), from)
	}
	for _, pair := range splitList(text) {
		if err := l.setThresholdText(pair, from); err != nil {
			return err
		}
	}
	return nil
}

// setThresholdText takes METRIC=NUMBER, cut at the last "=".
func (l *loader) setThresholdText(pair string, from origin) error {
	at := strings.LastIndexByte(pair, '=')
	if at < 1 {
		return errors.New("must be METRIC=NUMBER, or several with commas between them")
	}
	return l.setThreshold(strings.TrimSpace(pair[:at]), parseNumber(pair[at+1:]), from)
}
