package workspace

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// redacted stands for what a pattern matched.
const redacted = "[redacted]"

// Redactor takes out what the patterns of [redact] match (docs/workspace.md,
// "Redaction"). The zero value takes out nothing. It may be used by several
// goroutines at once.
type Redactor struct {
	patterns func() []*regexp.Regexp // nil: none
}

// Redactor returns the redactor of the configured patterns. They are compiled
// at its first use, so keep one for the whole command. A pattern that
// LoadConfig would have refused panics then.
func (c Config) Redactor() Redactor {
	if len(c.RedactPatterns) == 0 {
		return Redactor{}
	}
	sources := slices.Clone(c.RedactPatterns)
	return Redactor{sync.OnceValue(func() []*regexp.Regexp {
		compiled := make([]*regexp.Regexp, len(sources))
		for i, source := range sources {
			compiled[i] = regexp.MustCompile(source)
		}
		return compiled
	})}
}

// Text replaces each match of a pattern by "[redacted]". Every pattern is
// matched against the text as it was given, and matches that overlap are
// replaced together, so the order of the patterns does not matter. Empty
// matches, and matches inside a "[redacted]" that is there already, count for
// nothing.
func (r Redactor) Text(text string) string {
	if r.patterns == nil {
		return text
	}
	spans := r.matches(text)
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	done := 0
	for _, s := range spans {
		b.WriteString(text[done:s.from])
		b.WriteString(redacted)
		done = s.to
	}
	b.WriteString(text[done:])
	return b.String()
}

type span struct{ from, to int }

// matches returns the places to replace, in order and apart from each other.
func (r Redactor) matches(text string) []span {
	var found []span
	markers := markersIn(text)
	for _, pattern := range r.patterns() {
		for _, m := range pattern.FindAllStringIndex(text, -1) {
			s := span{m[0], m[1]}
			if s.from < s.to && !s.insideOne(markers) {
				found = append(found, s)
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var merged []span
	for _, s := range found {
		if n := len(merged); n > 0 && s.from < merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, s.to)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// insideOne reports whether one of the markers, which are in order, holds s.
func (s span) insideOne(markers []span) bool {
	i, _ := slices.BinarySearchFunc(markers, s.to, func(m span, to int) int { return cmp.Compare(m.to, to) })
	return i < len(markers) && markers[i].from <= s.from
}

func markersIn(text string) []span {
	var markers []span
	for at := 0; ; {
		i := strings.Index(text[at:], redacted)
		if i < 0 {
			return markers
		}
		markers = append(markers, span{at + i, at + i + len(redacted)})
		at += i + len(redacted)
	}
}
