package workspace

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// FindTOMLKey returns the line, from 1, on which a key of a table is set; the
// table "" is the top of the file. It finds dotted keys and inline tables too,
// and for a key that is a table its header.
func FindTOMLKey(src []byte, table, key string) (line int, ok bool) {
	path := tomlPath(table, key)
	for _, e := range scanTOML(TrimBOM(src)) {
		if slices.Equal(e.path, path) {
			return e.line, true
		}
	}
	return 0, false
}

// SetTOML returns src with one key set to a literal: a value in TOML, such as
// 0.5 or what TOMLString returns. The value of an existing key is replaced
// where it stands; a new key goes to the end of its table, a new table to the
// end of the file. Nothing else changes by a byte: order, comments, spacing,
// CRLF and a byte order mark stay. A key that has that value already is left
// as it is written.
//
// The result is read again, and it is an error when anything but that one
// value would have changed. Errors have CodeBrokenFile when src is not TOML,
// CodeBadInput when the literal is no value, and CodeRefused, naming the line,
// when the edit is one for a person.
func SetTOML(src []byte, table, key, literal string) ([]byte, error) {
	body := TrimBOM(src)
	bom := src[:len(src)-len(body)]
	before, _, err := decodeTOML(CodeBrokenFile, "", body)
	if err != nil {
		return nil, err
	}
	want, err := decodeLiteral(literal)
	if err != nil {
		return nil, err
	}
	e := tomlEdit{src: body, entries: scanTOML(body), table: table, key: key, literal: literal}
	if bytes.Contains(body, []byte("\r\n")) {
		e.eol, e.literal = "\r\n", crlfLiteral(literal, want)
	} else {
		e.eol = "\n"
	}

	owner, holds := tomlTable(before, table)
	if !holds {
		return nil, Errorf(CodeRefused, "%q is not a table; change it by hand", table)
	}
	old, exists := owner[key]
	if exists && sameTOML(old, want) {
		return src, nil
	}
	edited, err := e.apply(exists)
	if err != nil {
		return nil, err
	}
	after, _, err := decodeTOML(CodeBrokenFile, "", edited)
	if err != nil || !sameTOML(after, withTOML(before, table, key, want)) {
		return nil, Errorf(CodeRefused, "cannot set %s without changing more; change it by hand", e.name())
	}
	return slices.Concat(bom, edited), nil
}

// decodeLiteral reads one value, around which nothing may stand.
func decodeLiteral(literal string) (any, error) {
	s := &tomlScanner{src: []byte(literal)}
	var v map[string]any
	if _, err := toml.Decode("v = "+literal, &v); err != nil || !s.skipValue() || s.pos != len(literal) {
		return nil, Errorf(CodeBadInput, "%q is not one TOML value", literal)
	}
	return v["v"], nil
}

// crlfLiteral fits a literal of several lines to a file with CRLF. In a string
// the line ends are part of the text, so it goes on one line there.
func crlfLiteral(literal string, want any) string {
	if !strings.Contains(literal, "\n") {
		return literal
	}
	crlf := strings.ReplaceAll(strings.ReplaceAll(literal, "\r\n", "\n"), "\n", "\r\n")
	if got, err := decodeLiteral(crlf); err == nil && sameTOML(got, want) {
		return crlf
	}
	if text, ok := want.(string); ok {
		return tomlLine(text)
	}
	return literal
}

// tomlTable returns the table of a decoded file, empty when it is not there;
// false when the name is that of something else.
func tomlTable(file map[string]any, table string) (map[string]any, bool) {
	if table == "" {
		return file, true
	}
	v, exists := file[table]
	if !exists {
		return nil, true
	}
	owner, ok := v.(map[string]any)
	return owner, ok
}

// withTOML returns the decoded file as it ought to be after the edit.
func withTOML(file map[string]any, table, key string, v any) map[string]any {
	changed := maps.Clone(file)
	if changed == nil {
		changed = map[string]any{}
	}
	if table == "" {
		changed[key] = v
		return changed
	}
	owner, _ := tomlTable(file, table)
	changed[table] = withTOML(owner, "", key, v)
	return changed
}

func tomlPath(table, key string) []string {
	if table == "" {
		return []string{key}
	}
	return []string{table, key}
}
