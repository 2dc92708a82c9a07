package lifecycle

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	bannerMost     = 7 // characters that are left of a longer run
	truncationMark = "\u2026[truncated]"
)

// The patterns are compiled at their first use: most commands clean no text.
var (
	// A CSI or OSC sequence, begun by the escape character or by a C1 control.
	escapeSequence = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:\x1b\[|\x{9b})[0-?]*[A-Za-z]|(?:\x1b\]|\x{9d})[^\x07\x1b\x{9c}]*(?:\x07|\x1b\\|\x{9c})`)
	})
	// Two patterns, for the phrases may share a letter: "harnessystem".
	markerName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(pandaprobe)[\t\n\p{Z}]+(harness)`)
	})
	markerAlert = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(system)[\t\n\p{Z}]+(alert)`)
	})
	markerLabel = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(harness):`)
	})
)

// sanitize makes a text from outside fit to be kept: no terminal sequences, no
// control characters but tab and newline, no banner, nothing that reads as a
// marker of the harness, at most maxLen code points (0 = no limit), no white
// space around it (docs/closed-loop.md, "Adding a rule"). Invalid UTF-8 becomes
// U+FFFD. A sanitized text passes unchanged.
func sanitize(text string, maxLen int) string {
	text = shortenBanners(stripControls(text))
	text = truncate(breakMarkers(text), maxLen)
	return strings.TrimSpace(text)
}

// stripControls takes out terminal sequences and every control character but
// tab and newline.
func stripControls(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.ContainsAny(text, "\x1b\u009b\u009d") {
		text = escapeSequence().ReplaceAllString(text, "")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' {
			return -1
		}
		return r
	}, text)
}

func shortenBanners(text string) string {
	last, run := rune(0), 0
	return strings.Map(func(r rune) rune {
		if r != last {
			last, run = r, 0
		}
		if run++; run > bannerMost && (r == '=' || r == '-' || r == '#') {
			return -1
		}
		return r
	}, text)
}

// breakMarkers puts a middle dot into phrases with which the harness marks what
// it says itself. A word is looked for first, which costs far less than a
// pattern.
func breakMarkers(text string) string {
	folded := fold(text)
	if strings.Contains(folded, "harness") {
		text = markerName().ReplaceAllString(text, "${1}\u00b7${2}")
		text = markerLabel().ReplaceAllString(text, "${1}\u00b7:")
	}
	if strings.Contains(folded, "alert") {
		text = markerAlert().ReplaceAllString(text, "${1}\u00b7${2}")
	}
	return text
}

// truncate leaves maxLen code points, the mark included. A limit that does not
// even hold the mark cuts without one.
func truncate(text string, maxLen int) string {
	if maxLen <= 0 || utf8.RuneCountInString(text) <= maxLen {
		return text
	}
	mark := truncationMark
	if utf8.RuneCountInString(mark) > maxLen {
		mark = ""
	}
	kept := []rune(text)[:maxLen-utf8.RuneCountInString(mark)]
	return string(kept) + mark
}
