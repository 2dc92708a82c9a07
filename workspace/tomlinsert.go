package workspace

import (
	"bytes"
	"slices"
)

// tomlEdit is one edit of a text that is known to be TOML.
type tomlEdit struct {
	src        []byte
	entries    []tomlEntry
	table, key string
	literal    string
	eol        string
}

func (e *tomlEdit) apply(exists bool) ([]byte, error) {
	if exists {
		return e.replace()
	}
	if e.table == "" {
		return e.insertOnTop(), nil
	}
	if header := e.find([]string{e.table}, tomlHeader); header >= 0 {
		return e.insertInto(header), nil
	}
	if inline := e.find([]string{e.table}, tomlPair); inline >= 0 {
		return nil, Errorf(CodeRefused, "%s is an inline table; add %s = %s to it by hand in line %d",
			e.table, TOMLKey(e.key), e.literal, e.entries[inline].line)
	}
	if last := e.lastDotted(); last >= 0 {
		return e.insertBelow(last, TOMLKey(e.table)+"."), nil
	}
	return e.appendTable(), nil
}

// replace changes the value of a key that there is.
func (e *tomlEdit) replace() ([]byte, error) {
	for _, at := range e.entries {
		pair := at.kind == tomlPair || at.kind == tomlInlinePair
		if pair && !at.inList && slices.Equal(at.path, tomlPath(e.table, e.key)) {
			return slices.Concat(e.src[:at.value], []byte(e.literal), e.src[at.end:]), nil
		}
	}
	line, _ := FindTOMLKey(e.src, e.table, e.key)
	return nil, Errorf(CodeRefused, "%s is a table (line %d); change it by hand", e.name(), line)
}

// insertInto adds the key at the end of the table with a header of its own.
func (e *tomlEdit) insertInto(header int) []byte {
	last := header
	for i, at := range e.entries {
		if at.section == header && at.kind == tomlPair {
			last = i
		}
	}
	return e.insertBelow(last, "")
}

// insertOnTop adds a key above the first table, and above the comment that
// belongs to it.
func (e *tomlEdit) insertOnTop() []byte {
	last, first := -1, -1
	for i, at := range e.entries {
		switch {
		case at.section < 0 && at.kind == tomlPair:
			last = i
		case first < 0 && (at.kind == tomlHeader || at.kind == tomlListHeader):
			first = i
		}
	}
	switch {
	case last >= 0:
		return e.insertBelow(last, "")
	case first >= 0:
		return e.splice(e.commentAbove(e.entries[first].start), e.line("")+e.eol)
	}
	return e.splice(len(e.src), e.line(""))
}

// appendTable adds the table, with a blank line in front, at the end.
func (e *tomlEdit) appendTable() []byte {
	text := "[" + TOMLKey(e.table) + "]" + e.eol + e.line("")
	content := bytes.TrimRight(e.src, " \t\r\n")
	if len(content) > 0 && bytes.Count(e.src[len(content):], []byte("\n")) < 2 {
		text = e.eol + text
	}
	return e.splice(len(e.src), text)
}

// insertBelow adds the key on the line after an entry, indented like it.
func (e *tomlEdit) insertBelow(entry int, prefix string) []byte {
	at := e.entries[entry]
	lineStart := 1 + bytes.LastIndexByte(e.src[:at.start], '\n')
	next := min(lineEnd(e.src, at.end)+1, len(e.src))
	return e.splice(next, string(e.src[lineStart:at.start])+e.line(prefix))
}

// splice puts whole lines at an offset, which is the start of a line or the
// end of the text.
func (e *tomlEdit) splice(offset int, lines string) []byte {
	if offset > 0 && e.src[offset-1] != '\n' {
		lines = e.eol + lines
	}
	return slices.Concat(e.src[:offset], []byte(lines), e.src[offset:])
}

func (e *tomlEdit) line(prefix string) string {
	return prefix + TOMLKey(e.key) + " = " + e.literal + e.eol
}

// commentAbove is the start of the comment lines directly above an offset, or
// of its own line.
func (e *tomlEdit) commentAbove(offset int) int {
	start := 1 + bytes.LastIndexByte(e.src[:offset], '\n')
	for start > 0 {
		above := 1 + bytes.LastIndexByte(e.src[:start-1], '\n')
		if !bytes.HasPrefix(bytes.TrimLeft(e.src[above:start], " \t"), []byte("#")) {
			break
		}
		start = above
	}
	return start
}

// find returns the index of the entry with that path and kind, or -1.
func (e *tomlEdit) find(path []string, kind tomlKind) int {
	return slices.IndexFunc(e.entries, func(at tomlEntry) bool {
		return at.kind == kind && slices.Equal(at.path, path)
	})
}

// lastDotted returns the last pair above all tables that writes the table's
// name in its key, or -1.
func (e *tomlEdit) lastDotted() int {
	last := -1
	for i, at := range e.entries {
		if at.kind == tomlPair && at.section < 0 && at.path[0] == e.table {
			last = i
		}
	}
	return last
}

func (e *tomlEdit) name() string {
	if e.table == "" {
		return TOMLKey(e.key)
	}
	return TOMLKey(e.table) + "." + TOMLKey(e.key)
}
