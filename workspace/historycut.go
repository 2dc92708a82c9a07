package workspace

import "bytes"

// historyCut is a place between two members of the document.
type historyCut struct {
	end  int64 // behind the first of them
	next int64 // where the key of the second begins
}

const (
	smallHistory = 64 << 10  // not worth cutting, in bytes
	cutWindow    = 256 << 10 // how far from the middle a cut is looked for
)

// findCut looks near the middle of the file for what looks like the end of one
// entry and the key of the next. It is only a guess: whoever reads the first
// part finds out whether a member ends there.
func (h *historyFile) findCut() (historyCut, bool) {
	if h.size < smallHistory {
		return historyCut{}, false
	}
	window := make([]byte, cutWindow)
	middle := h.start + (h.size-h.start)/2
	n, _ := h.f.ReadAt(window, middle)
	end, next, ok := cutIn(window[:n])
	return historyCut{middle + int64(end), middle + int64(next)}, ok
}

// cutIn finds `]},"` or `}},"` with any white space between: a series or its
// averages end, and with them the entry.
func cutIn(b []byte) (end, next int, ok bool) {
	const space = " \t\r\n"
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '}')
		if i < 0 {
			return 0, 0, false
		}
		i += at
		at = i + 1
		before := bytes.TrimRight(b[:i], space)
		behind, comma := bytes.CutPrefix(bytes.TrimLeft(b[at:], space), []byte{','})
		key := bytes.TrimLeft(behind, space)
		if len(before) == 0 || !comma || len(key) == 0 {
			continue
		}
		if last := before[len(before)-1]; (last == ']' || last == '}') && key[0] == '"' {
			return at, len(b) - len(key), true
		}
	}
}
