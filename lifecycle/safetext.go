package lifecycle

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// SafeLine shows a stored text on one line of a terminal: line breaks, tabs,
// control characters, bidirectional controls and other invisible characters
// stand there as \n, \t or \u202e and are not obeyed. Invalid UTF-8 shows as
// U+FFFD (docs/closed-loop.md, "The context"). A "##[", by which a CI log takes
// commands anywhere in a line, is broken.
func SafeLine(text string) string {
	text = strings.ReplaceAll(text, "##[", `##\[`)
	if isPlain(text) {
		return text
	}
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		if (unicode.IsControl(r) || isInvisible(r)) && !isKept(runes, i) {
			b.WriteString(escapeOf(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPlain tells a text of printable ASCII, which most are.
func isPlain(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// isInvisible leaves out the format characters that do have a shape, such as the
// Arabic number sign.
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

const (
	nonJoiner     = '\u200c'
	joiner        = '\u200d'
	textStyle     = '\ufe0e'
	emojiStyle    = '\ufe0f'
	enclosingKey  = '\u20e3'
	beyondEscaped = 0xffff
)

// isKept spares a single joiner or style selector right behind a visible
// character beyond ASCII, where emoji and scripts need it; a row of them, which
// can only hide something, is shown.
func isKept(runes []rune, i int) bool {
	before := i - 1
	switch runes[i] {
	case joiner:
		if before > 0 && runes[before] == emojiStyle {
			before--
		}
	case nonJoiner, textStyle:
	case emojiStyle:
		if i+1 < len(runes) && runes[i+1] == enclosingKey {
			return true
		}
	default:
		return false
	}
	return before >= 0 && runes[before] > unicode.MaxASCII && !isInvisible(runes[before]) && !unicode.IsControl(runes[before])
}

func escapeOf(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r > beyondEscaped:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// markdownLink finds what a forge makes a link, a mention or a reference of
// without any markup.
var markdownLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)://|www\.|[@#][\pL\pN_]`)
})

// SafeMarkdown shows a stored text inside one line of Markdown, a table cell
// too: as SafeLine does, and with everything escaped that Markdown, HTML or a
// forge would make something of (docs/closed-loop.md, "The context").
func SafeMarkdown(text string) string {
	text = escapeStart(escapeMarkdown(SafeLine(text)))
	// Backslashes do not stop a forge: it looks for these in what was rendered.
	return markdownLink().ReplaceAllStringFunc(text, func(found string) string {
		return found[:1] + "&#8203;" + found[1:]
	})
}

func escapeMarkdown(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case strings.ContainsRune("\\`*[]{}|~#$", r), r == '_' && !insideWord(text, i):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// insideWord spares the underscores of names, which Markdown leaves alone too.
func insideWord(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+1:])
	return isWordRune(before) && isWordRune(after)
}

func isWordRune(r rune) bool { return unicode.In(r, unicode.L, unicode.N) }
