package workspace

import (
	"bytes"
	"slices"
	"strings"
)

func (s *tomlScanner) skipValue() bool {
	switch s.peek() {
	case '"', '\'':
		return s.skipString()
	case '[':
		outer := s.inList
		s.inList = true
		ok := s.skipItems(']', s.skipValue)
		s.inList = outer
		return ok
	case '{':
		return s.skipItems('}', func() bool { return s.pair(tomlInlinePair) })
	}
	start := s.pos
	for s.pos < len(s.src) && !strings.ContainsRune(",]}#\r\n", rune(s.src[s.pos])) {
		s.pos++
	}
	s.pos = start + len(bytes.TrimRight(s.src[start:s.pos], " \t"))
	return s.pos > start
}

// skipItems passes over a list or an inline table.
func (s *tomlScanner) skipItems(closing byte, item func() bool) bool {
	s.pos++
	for {
		s.skipBlank(true)
		if s.peek() == closing {
			s.pos++
			return true
		}
		if !item() {
			return false
		}
		s.skipBlank(true)
		if s.peek() == ',' {
			s.pos++
		}
	}
}

func (s *tomlScanner) skipString() bool {
	quote := s.src[s.pos : s.pos+1]
	if triple := bytes.Repeat(quote, 3); bytes.HasPrefix(s.src[s.pos:], triple) {
		quote = triple
	}
	for s.pos += len(quote); s.pos < len(s.src); s.pos++ {
		switch {
		case quote[0] == '"' && s.src[s.pos] == '\\':
			s.pos++
		case bytes.HasPrefix(s.src[s.pos:], quote):
			s.pos += len(quote)
			// Up to two quotes may stand directly in front of the closing three.
			for n := 0; n < 2 && len(quote) == 3 && s.peek() == quote[0]; n++ {
				s.pos++
			}
			return true
		}
	}
	return false
}

// skipBlank passes over white space, and over comments and line ends too when
// lines is set.
func (s *tomlScanner) skipBlank(lines bool) {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == ' ' || c == '\t' || lines && (c == '\n' || c == '\r'):
			s.pos++
		case c == '#' && lines:
			s.pos = lineEnd(s.src, s.pos)
		default:
			return
		}
	}
}

func (s *tomlScanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func isBareKeyByte(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// lineEnd is the offset of the line end at or behind pos, the end of the text
// at last.
func lineEnd(b []byte, pos int) int {
	if i := bytes.IndexByte(b[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(b)
}
