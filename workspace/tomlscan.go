package workspace

import (
	"bytes"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// tomlEntry is a place in a TOML text: a table header, a pair, or a pair of an
// inline table. The decoder gives values, but not where they stand.
type tomlEntry struct {
	path    []string // from the root
	kind    tomlKind
	line    int  // from 1
	start   int  // offset of the key, or of the header's bracket
	value   int  // offset of the value; of a header: of its end
	end     int  // offset behind the value or the header
	section int  // index of the header that it stands under, -1 above the first
	inList  bool // one of several of the same path: in [[...]] or in a list
}

type tomlKind int

const (
	tomlPair tomlKind = iota
	tomlInlinePair
	tomlHeader
	tomlListHeader
)

// scanTOML finds the entries of a text that the decoder has accepted. In any
// other it stops where it no longer understands; it never fails.
func scanTOML(src []byte) []tomlEntry {
	s := &tomlScanner{src: src, line: 1, section: -1}
	for s.skipBlank(true); s.pos < len(src); s.skipBlank(true) {
		if !s.statement() {
			break
		}
	}
	return s.entries
}

type tomlScanner struct {
	src     []byte
	pos     int
	line    int // of offset counted
	counted int

	entries []tomlEntry
	section int
	prefix  []string   // path of the section or of the inline table
	lists   [][]string // paths of the [[...]] so far
	inList  bool
}

func (s *tomlScanner) statement() bool {
	if s.peek() == '[' {
		return s.header()
	}
	return s.pair(tomlPair)
}

func (s *tomlScanner) header() bool {
	start, kind := s.pos, tomlHeader
	s.pos++
	if s.peek() == '[' {
		kind = tomlListHeader
		s.pos++
	}
	path, ok := s.key()
	if !ok || s.peek() != ']' {
		return false
	}
	s.pos++
	if kind == tomlListHeader {
		s.lists = append(s.lists, path)
		s.pos++
	}
	s.section, s.prefix = len(s.entries), path
	s.inList = slices.ContainsFunc(s.lists, func(list []string) bool { return hasPrefix(path, list) })
	s.add(tomlEntry{path: path, kind: kind, start: start, value: s.pos, end: s.pos})
	return true
}

func (s *tomlScanner) pair(kind tomlKind) bool {
	start := s.pos
	key, ok := s.key()
	if !ok || s.peek() != '=' {
		return false
	}
	s.pos++
	s.skipBlank(false)
	path := slices.Concat(s.prefix, key)
	i := s.add(tomlEntry{path: path, kind: kind, start: start, value: s.pos, end: s.pos})

	outer := s.prefix
	s.prefix = path
	ok = s.skipValue()
	s.prefix = outer
	s.entries[i].end = s.pos
	return ok
}

// add records an entry; entries come in the order of their offsets.
func (s *tomlScanner) add(e tomlEntry) int {
	s.line += bytes.Count(s.src[s.counted:e.start], []byte("\n"))
	s.counted = e.start
	e.line, e.section, e.inList = s.line, s.section, s.inList
	s.entries = append(s.entries, e)
	return len(s.entries) - 1
}

// key reads a dotted key and the white space behind it.
func (s *tomlScanner) key() ([]string, bool) {
	var path []string
	for {
		s.skipBlank(false)
		part, ok := s.keyPart()
		if !ok {
			return nil, false
		}
		path = append(path, part)
		s.skipBlank(false)
		if s.peek() != '.' {
			return path, true
		}
		s.pos++
	}
}

func (s *tomlScanner) keyPart() (string, bool) {
	start := s.pos
	if c := s.peek(); c != '"' && c != '\'' {
		for s.pos < len(s.src) && isBareKeyByte(s.src[s.pos]) {
			s.pos++
		}
		return string(s.src[start:s.pos]), s.pos > start
	}
	if !s.skipString() {
		return "", false
	}
	raw := string(s.src[start:s.pos])
	if raw[0] == '\'' || !strings.Contains(raw, `\`) {
		return raw[1 : len(raw)-1], true
	}
	var decoded struct{ Key string }
	_, err := toml.Decode("Key = "+raw, &decoded)
	return decoded.Key, err == nil
}
