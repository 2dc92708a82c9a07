package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// file takes the layer of harness.toml. The keys are checked in their order,
// and the first mistake is reported.
func (l *loader) file(name string, data []byte) error {
	data = TrimBOM(data)
	if line := conflictLine(data); line > 0 {
		return &Error{Code: CodeConfig, File: name, Line: line, Message: "holds git conflict markers of an unfinished merge; resolve them"}
	}
	values, keys, err := decodeTOML(CodeConfig, name, data)
	if err != nil {
		return err
	}
	lines := tomlLines(data)
	for _, path := range keys {
		from := origin{SourceFile, name, lines[path.String()]}
		if err := l.fileKey(path, values[path[0]], from); err != nil {
			return &Error{Code: CodeConfig, File: name, Line: from.line, Field: path.String(), Message: err.Error()}
		}
	}
	return nil
}

// tomlLines maps each key, dotted and quoted as toml.Key prints it, to its line.
func tomlLines(data []byte) map[string]int {
	lines := make(map[string]int)
	for _, e := range scanTOML(data) {
		if name := toml.Key(e.path).String(); lines[name] == 0 {
			lines[name] = e.line
		}
	}
	return lines
}

// fileKey takes one key of the file; top is the value of its first part.
func (l *loader) fileKey(path []string, top any, from origin) error {
	if path[0] == thresholdsKnob {
		return l.fileThreshold(path, top, from)
	}
	if k, ok := knobNamed(path[0]); ok && !strings.Contains(path[0], ".") {
		return l.set(k, top, from)
	}
	if !isKnobTable(path[0]) {
		return unknownKey(path)
	}
	table, ok := top.(map[string]any)
	if !ok {
		return fmt.Errorf("must be a table, written [%s], not %s", path[0], shown(top))
	}
	if len(path) == 1 {
		return nil
	}
	k, ok := knobNamed(path[0] + "." + path[1])
	if !ok {
		return unknownKey(path)
	}
	return l.set(k, table[path[1]], from)
}

func (l *loader) fileThreshold(path []string, top any, from origin) error {
	table, ok := top.(map[string]any)
	if !ok {
		return fmt.Errorf("must be a table, written [%s], not %s", thresholdsKnob, shown(top))
	}
	if len(path) == 1 {
		return nil
	}
	if len(path) > 2 {
		return fmt.Errorf("must be a number, not a table; a metric name that holds a dot needs quotes: %s = 0.5",
			toml.Key{strings.Join(path[1:], ".")})
	}
	return l.setThreshold(path[1], table[path[1]], from)
}

func isKnobTable(name string) bool {
	return slices.ContainsFunc(knobs[:], func(k knob) bool { return strings.HasPrefix(k.name, name+".") })
}

// unknownKey names the nearest key that there is.
func unknownKey(path []string) error {
	if last := path[len(path)-1]; len(path) > 1 {
		if _, ok := knobNamed(last); ok {
			return fmt.Errorf("unknown key; %s belongs at the top of the file, above the first [table]", last)
		}
	}
	return errors.New("unknown key; " + nearestKnob(strings.Join(path, ".")))
}

func nearestKnob(name string) string {
	nearest, close := Nearest(name, knobNames())
	if !close {
		return "the nearest one is " + nearest
	}
	return "did you mean " + nearest + "?"
}
