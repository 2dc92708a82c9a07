package workspace

import (
	"bytes"
	"strings"
)

// TrimBOM returns text from outside without the byte order mark that some
// editors put in front of UTF-8 (docs/workspace.md, "Texts").
func TrimBOM(b []byte) []byte {
	return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
}

// What git puts at the start of a line around the two sides of a merge that it
// could not do. The middle marker alone also underlines headings in Markdown.
var conflictMarkers = [...]string{"<<<<<<< ", ">>>>>>> "}

// conflictLine returns the line of the first conflict marker, 0 when there is
// none.
func conflictLine(b []byte) int {
	first := -1
	for _, marker := range conflictMarkers {
		if at := lineStart(b, marker); at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	if first < 0 {
		return 0
	}
	return lineAt(b, first)
}

func looksLikeConflict(line string) bool {
	return strings.HasPrefix(line, conflictMarkers[0]) || strings.HasPrefix(line, conflictMarkers[1])
}

// lineStart is the offset of the first line that begins with prefix, or -1.
func lineStart(b []byte, prefix string) int {
	if bytes.HasPrefix(b, []byte(prefix)) {
		return 0
	}
	if i := bytes.Index(b, []byte("\n"+prefix)); i >= 0 {
		return i + 1
	}
	return -1
}

// lineAt is the number, from 1, of the line in which the offset lies.
func lineAt(b []byte, offset int) int {
	return 1 + bytes.Count(b[:offset], []byte("\n"))
}
