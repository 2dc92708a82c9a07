package calibrate

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// header is the first row of a CSV file: it tells the delimiter and where the
// two columns stand.
type header struct {
	text            string // with all lines before it, so that lines count on
	comma           rune
	stated          bool // by a line "sep=;"
	columns         int
	session, failed int
}

const maxHeader = 1 << 20

func readHeader(text *bufio.Reader) (*header, error) {
	lines, err := headerLines(text)
	if err != nil {
		return nil, err
	}
	h := &header{text: lines}
	commas := []rune{',', ';', '\t'}
	if comma, stated := statedDelimiter(lines); stated {
		rest, err := headerLines(text)
		if err != nil {
			return nil, err
		}
		// Empty lines in its place keep the line numbers right.
		h.text = strings.Repeat("\n", strings.Count(lines, "\n")) + rest
		h.stated, commas = true, []rune{comma}
	}
	if !utf8.ValidString(h.text) {
		return nil, h.failure("not UTF-8 text: save the file as UTF-8")
	}
	return h, h.findColumns(commas)
}

// headerLines reads up to and with the first line that is not blank, and on to
// the end of a text that is quoted over several lines.
func headerLines(text *bufio.Reader) (string, error) {
	var lines strings.Builder
	begun, quotes := false, 0
	for lines.Len() < maxHeader {
		part, err := text.ReadSlice('\n')
		lines.Write(part)
		begun = begun || len(bytes.TrimSpace(part)) > 0
		quotes += bytes.Count(part, []byte{'"'})
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			return "", err
		case err == io.EOF, begun && quotes%2 == 0:
			return lines.String(), nil
		}
	}
	return "", labelError(place{line: 1}, "", "", "no header with columns session_id and failed at the start of the file")
}

// statedDelimiter reads the line "sep=;" that spreadsheets put above the header.
func statedDelimiter(line string) (rune, bool) {
	line = strings.Trim(line, "\r\n\"")
	if len(line) < 4 || !strings.EqualFold(line[:4], "sep=") {
		return 0, false
	}
	comma, size := utf8.DecodeRuneInString(line[4:])
	rest := strings.TrimRight(line[4+size:], ",;\t")
	return comma, rest == "" && comma != '"' && comma != utf8.RuneError && (comma == '\t' || unicode.IsPrint(comma))
}

// findColumns takes the delimiter under which both columns are there. Cells are
// parsed under each, so that quoted text decides nothing.
func (h *header) findColumns(commas []rune) error {
	var most []string
	var broken error
	for _, comma := range commas {
		cells, err := newRows(strings.NewReader(h.text), comma).Read()
		if err != nil {
			broken = cmp.Or(broken, err)
			continue
		}
		if len(cells) > len(most) {
			most, h.comma = cells, comma
		}
		h.columns = len(cells)
		h.session, h.failed = columnOf(cells, "session_id"), columnOf(cells, "failed")
		if h.session >= 0 && h.failed >= 0 {
			h.comma = comma
			return h.unique(cells)
		}
	}
	if most == nil && broken != nil && broken != io.EOF {
		return rowFailure(broken)
	}
	return h.failure("wanted the columns session_id and failed, found %s (%s)", quoteAll(most), h.delimiter(len(most)))
}

func (h *header) unique(cells []string) error {
	for i, cell := range cells {
		if i != h.session && i != h.failed && (isColumn(cell, "session_id") || isColumn(cell, "failed")) {
			return h.failure("column %q is there twice: keep one of them", strings.TrimSpace(cell))
		}
	}
	return nil
}

func (h *header) failure(format string, args ...any) error {
	before := h.text[:len(h.text)-len(strings.TrimLeft(h.text, " \t\r\n"))]
	at := place{line: int32(strings.Count(before, "\n") + 1)}
	return labelError(at, "", "", format, args...)
}

func columnOf(cells []string, name string) int {
	return slices.IndexFunc(cells, func(cell string) bool { return isColumn(cell, name) })
}

func isColumn(cell, name string) bool {
	return strings.EqualFold(strings.TrimSpace(cell), name)
}

func quoteAll(cells []string) string {
	const most = 12
	var quoted []string
	for i, cell := range cells {
		if i == most {
			quoted = append(quoted, fmt.Sprintf("and %d more", len(cells)-most))
			break
		}
		quoted = append(quoted, fmt.Sprintf("%.40q", strings.TrimSpace(cell)))
	}
	if quoted == nil {
		return "none"
	}
	return strings.Join(quoted, ", ")
}

func (h *header) delimiter(columns int) string {
	switch {
	case columns < 2 && !h.stated:
		return "no comma, semicolon or tab between columns"
	case h.comma == '\t':
		return "delimiter tab"
	}
	return "delimiter " + strconv.Quote(string(h.comma))
}
