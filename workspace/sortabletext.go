package workspace

import "bytes"

// sortableText turns the text of an instant into what sortable makes of it,
// without reading it when it stands there as this program and the usual
// libraries write it: six digits after the second, in UTC. It returns nil, which
// sorts below every instant, for a text that is none.
func sortableText(text []byte) []byte {
	const layout = "0000-00-00T00:00:00.000000"
	if len(text) > len(layout) && isUTC(text[len(layout):]) && isShaped(text, layout) {
		return text[:len(layout)]
	}
	t, err := ParseTime(string(text))
	if err != nil {
		return nil
	}
	return sortable(t)
}

func isUTC(zone []byte) bool { return string(zone) == "Z" || string(zone) == "+00:00" }

// isShaped tells whether b has a digit wherever the layout has a 0, and
// otherwise the same characters.
func isShaped(b []byte, layout string) bool {
	for i := range len(layout) {
		if layout[i] == '0' && b[i]-'0' > 9 || layout[i] != '0' && b[i] != layout[i] {
			return false
		}
	}
	return true
}

// newerText tells whether the first of two sortable texts is of a later instant.
func newerText(a, b []byte) bool { return bytes.Compare(a, b) > 0 }
