package workspace

import (
	"maps"
	"slices"
)

// Source says where the effective value of a setting came from.
type Source string

// The sources; each wins over those below it.
const (
	SourceFlag        Source = "flag"
	SourceEnvironment Source = "environment"
	SourceFile        Source = "file"
	SourceDefault     Source = "default"
)

// Setting is one line of what the command config prints: a knob, or one entry
// of the table [thresholds], named thresholds.METRIC.
type Setting struct {
	Name   string `json:"name"`
	Value  any    `json:"value"` // bool, int, float64, string, []string, or nil for a command that is not there
	Source Source `json:"source"`
	File   string `json:"file,omitzero"` // with SourceFile
	Line   int    `json:"line,omitzero"` // with SourceFile, from 1
}

// LoadOptions are the places where settings come from.
type LoadOptions struct {
	File  string   // name of Data for messages and settings, such as harness.toml
	Data  []byte   // content of harness.toml; nil when there is none
	Env   []string // NAME=value, as os.Environ gives it
	Flags []string // knob=value, as --set takes it; the last of a knob counts
}

// LoadConfig settles every knob: flag over environment over file over default
// (docs/workspace.md, "Configuration"). It returns the settings in the order of
// Knobs, for listing, and a warning for each unknown variable HARNESS_*.
//
// Any other mistake is an *Error with CodeConfig that names the place: the
// first in the file, else the first variable by name, else the first flag.
func LoadConfig(o LoadOptions) (Config, []Setting, []string, error) {
	l := &loader{cfg: DefaultConfig(), origins: make(map[string]origin, 8)}
	if err := l.file(o.File, o.Data); err != nil {
		return Config{}, nil, nil, err
	}
	warnings, err := l.environment(o.Env)
	if err != nil {
		return Config{}, nil, nil, err
	}
	if err := l.flags(o.Flags); err != nil {
		return Config{}, nil, nil, err
	}
	l.settleThresholds()
	return l.cfg, l.settings(), warnings, nil
}

// loader takes the layers from the weakest to the strongest.
type loader struct {
	cfg     Config
	origins map[string]origin // by setting name; absent: the default
}

type origin struct {
	source Source
	file   string
	line   int
}

// ownThresholds pairs the two threshold knobs with the metrics they are for.
var ownThresholds = [...]struct{ knob, metric string }{
	{"reliability_threshold", MetricReliability},
	{"consistency_threshold", MetricConsistency},
}

// set gives a knob a value of the present layer. A threshold knob puts an
// entry that a weaker layer made in [thresholds] out of force.
func (l *loader) set(k *knob, v any, from origin) error {
	if err := k.set(&l.cfg, v); err != nil {
		return err
	}
	l.origins[k.name] = from
	for _, own := range ownThresholds {
		entry := thresholdName(own.metric)
		if own.knob == k.name && l.origins[entry].source != from.source {
			delete(l.cfg.Thresholds, own.metric)
			delete(l.origins, entry)
		}
	}
	return nil
}

// setThreshold gives an entry of [thresholds] a value.
func (l *loader) setThreshold(metric string, v any, from origin) error {
	f, err := zeroToOne.number(v)
	if err != nil {
		return err
	}
	if l.cfg.Thresholds == nil {
		l.cfg.Thresholds = make(map[string]float64)
	}
	l.cfg.Thresholds[metric] = f
	l.origins[thresholdName(metric)] = from
	return nil
}

func thresholdName(metric string) string { return thresholdsKnob + "." + metric }

// settleThresholds lets the two knobs show what an entry in the table made of
// them, so that no two places disagree about a metric.
func (l *loader) settleThresholds() {
	for _, own := range ownThresholds {
		if f, ok := l.cfg.Thresholds[own.metric]; ok {
			k, _ := knobNamed(own.knob)
			*k.field(&l.cfg).(*float64) = f
			l.origins[own.knob] = l.origins[thresholdName(own.metric)]
		}
	}
}

func (l *loader) settings() []Setting {
	settings := make([]Setting, 0, len(knobs)+len(l.cfg.Thresholds))
	for i := range knobs {
		k := &knobs[i]
		if k.name != thresholdsKnob {
			settings = append(settings, l.setting(k.name, k.value(&l.cfg)))
			continue
		}
		for _, metric := range slices.Sorted(maps.Keys(l.cfg.Thresholds)) {
			settings = append(settings, l.setting(thresholdName(metric), l.cfg.Thresholds[metric]))
		}
	}
	return settings
}

func (l *loader) setting(name string, value any) Setting {
	from, ok := l.origins[name]
	if !ok {
		from.source = SourceDefault
	}
	return Setting{Name: name, Value: value, Source: from.source, File: from.file, Line: from.line}
}
