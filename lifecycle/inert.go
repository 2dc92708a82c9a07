package lifecycle

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var (
	// What opens an HTML tag or comment, or a token of a chat format.
	tagOpening = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<([A-Za-z/!?|])`)
	})
	hashRun = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`#{2,}`)
	})
	provisionalPhrase = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(provisional)[\p{Z}]+(rules)`)
	})
)

// inertLines splits a stored text into lines of which none can open a heading,
// an HTML block or a code fence, or pass for something that the harness says
// itself. Invisible characters are shown.
func inertLines(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = inert(line)
	}
	return lines
}

// inert does the same for one line.
func inert(line string) string {
	line = SafeLine(strings.TrimRightFunc(strings.ReplaceAll(line, "\t", "    "), unicode.IsSpace))
	line = breakMarkers(line)
	if strings.Contains(fold(line), "provisional") {
		line = provisionalPhrase().ReplaceAllString(line, "${1}\u00b7${2}")
	}
	if strings.Contains(line, "<") {
		line = tagOpening().ReplaceAllString(line, "&lt;${1}")
	}
	if strings.Contains(line, "##") {
		line = hashRun().ReplaceAllStringFunc(line, func(run string) string { return strings.Repeat(`\#`, len(run)) })
	}
	return escapeStart(line)
}

// escapeStart puts a backslash in front of what would open a block at the start
// of a line, also behind blanks and list markers.
func escapeStart(line string) string {
	at := 0
	for {
		at = len(line) - len(strings.TrimLeftFunc(line[at:], unicode.IsSpace))
		marker := listMarker(line[at:])
		if marker == 0 {
			break
		}
		at += marker
	}
	if opensBlock(line[at:]) {
		return line[:at] + `\` + line[at:]
	}
	return line
}

// listMarker is the length of the list marker at the start of the text with
// the blank behind it; 0 without one, or when nothing comes after it, for a dash
// alone underlines a heading.
func listMarker(text string) int {
	n := len(text) - len(strings.TrimLeft(text, "0123456789"))
	switch {
	case n == 0 && strings.IndexAny(text, "-*+") == 0:
		n = 1
	case 0 < n && n < len(text) && (text[n] == '.' || text[n] == ')'):
		n++
	default:
		return 0
	}
	if rest := strings.TrimLeft(text[n:], " "); rest == text[n:] || rest == "" {
		return 0
	}
	return n + 1
}

func opensBlock(text string) bool {
	if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
		return true
	}
	first, size := utf8.DecodeRuneInString(text)
	switch first {
	case '#', '>', '=', '[', '|':
		return true
	case '-', '*', '+', '_', ':':
		next, _ := utf8.DecodeRuneInString(text[size:])
		return !isWordRune(next)
	}
	return false
}
