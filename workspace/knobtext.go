package workspace

import (
	"strconv"
	"strings"
)

// parse turns a text from the environment or a flag into the value that the
// same setting has in harness.toml. What cannot be read stays a text, which
// set then refuses.
func (k *knob) parse(text string) any {
	switch k.field(new(Config)).(type) {
	case *bool:
		return parseBool(text)
	case *int:
		if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
			return n
		}
	case *float64:
		return parseNumber(text)
	case *string:
		return strings.TrimSpace(text)
	case *[]string:
		split := splitList
		if k.name == patternsKnob {
			split = splitPatterns
		}
		items := []any{}
		for _, item := range split(text) {
			items = append(items, item)
		}
		return items
	}
	return text
}

func parseBool(text string) any {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "1", "yes", "on":
		return true
	case "false", "0", "no", "off":
		return false
	}
	return text
}

func parseNumber(text string) any {
	if f, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
		return f
	}
	return text
}

// splitList cuts at commas and leaves empty items out.
func splitList(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// splitPatterns is splitList for regular expressions: a comma after a backslash
// or in brackets is the pattern's own. To cut \d{1,3} in two would leave two
// valid patterns that redact nothing.
func splitPatterns(text string) []string {
	var items []string
	start, depth, class := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if strings.HasPrefix(text[i+1:], "^") {
				i++
			}
			if strings.HasPrefix(text[i+1:], "]") { // a bracket that stands first is a member
				i++
			}
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case c == ',' && depth <= 0:
			items = append(items, splitOne(text[start:i])...)
			start = i + 1
		}
	}
	return append(items, splitOne(text[start:])...)
}

func splitOne(item string) []string {
	if item = strings.TrimSpace(item); item == "" {
		return nil
	}
	return []string{item}
}
