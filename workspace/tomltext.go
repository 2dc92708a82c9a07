package workspace

import (
	"fmt"
	"strings"
	"unicode"
)

// TOMLKey returns a key as it is written in TOML, quoted where it has to be:
// a.b, which is one metric, becomes "a.b".
func TOMLKey(key string) string {
	for i := range len(key) {
		if !isBareKeyByte(key[i]) {
			return tomlLine(key)
		}
	}
	if key == "" {
		return `""`
	}
	return key
}

// TOMLString returns text as a TOML string: one of several lines when the text
// has several, so that a change of it is a change of few lines. The decoder
// gives back the same text, with bytes that are no UTF-8 replaced. Control and
// bidirectional characters, and what git takes for conflict markers, are
// written as escapes.
func TOMLString(text string) string {
	if !strings.Contains(text, "\n") {
		return tomlLine(text)
	}
	var b strings.Builder
	b.WriteString("\"\"\"\n")
	previous := '\n'
	for i, r := range text {
		switch {
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case r == '"' && previous != '"' && i < len(text)-1:
			// Alone a quote needs no escape, and reads better without.
			b.WriteRune(r)
		case previous == '\n' && looksLikeConflict(text[i:]):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteString(tomlEscape(r))
		}
		previous = r
	}
	b.WriteString(`"""`)
	return b.String()
}

// tomlLine returns text as a string of one line, whatever is in it.
func tomlLine(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		b.WriteString(tomlEscape(r))
	}
	b.WriteByte('"')
	return b.String()
}

func tomlEscape(r rune) string {
	switch r {
	case '"', '\\':
		return `\` + string(r)
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\uFEFF' {
		return fmt.Sprintf(`\u%04X`, r)
	}
	return string(r)
}
