package calibrate

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

func readCSV(text *bufio.Reader, labels *Labels) error {
	header, err := readHeader(text)
	if err != nil {
		return err
	}
	rows := newRows(io.MultiReader(strings.NewReader(header.text), text), header.comma)
	if _, err := rows.Read(); err != nil {
		return rowFailure(err)
	}
	for {
		cells, err := rows.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return rowFailure(err)
		}
		line, _ := rows.FieldPos(0)
		if err := header.addRow(labels, place{line: int32(line)}, cells); err != nil {
			return err
		}
	}
}

func newRows(text io.Reader, comma rune) *csv.Reader {
	rows := csv.NewReader(text)
	rows.Comma = comma
	rows.FieldsPerRecord = -1
	rows.ReuseRecord = true
	return rows
}

// addRow takes the label of one row. White space around a cell does not count.
func (h *header) addRow(labels *Labels, at place, cells []string) error {
	joined := strings.Join(cells, "")
	if !utf8.ValidString(joined) {
		return labelError(at, "", "", "not UTF-8 text: save the file as UTF-8")
	}
	if strings.TrimSpace(joined) == "" {
		return nil // spreadsheets leave such rows below their data
	}
	if len(cells) <= h.session {
		return labelError(at, "", "", "the row has no cell for column \"session_id\"")
	}
	session := strings.Clone(strings.TrimSpace(cells[h.session]))
	if len(cells) <= h.failed {
		return labelError(at, session, "", "session %q has no label: the row has no cell for column \"failed\"", session)
	}
	// A delimiter inside an unquoted session id would shift the label.
	if len(cells) > h.columns && strings.TrimSpace(strings.Join(cells[h.columns:], "")) != "" {
		return labelError(at, session, "", "the row has %d cells, but the header %d: quote texts that hold a delimiter", len(cells), h.columns)
	}
	word := cells[h.failed]
	if strings.TrimSpace(word) == "" {
		return labelError(at, session, word, "label of session %q is blank: %s", session, knownWords)
	}
	return labels.add(at, session, word)
}

func rowFailure(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	at := place{line: int32(parse.Line)}
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		return labelError(at, "", "", "a quote stands inside an unquoted cell: quote the whole cell and double the quote")
	case errors.Is(err, csv.ErrQuote):
		at.line = int32(parse.StartLine)
		return labelError(at, "", "", "the quotes of a cell do not match: close them and double those inside")
	}
	return labelError(at, "", "", "not valid CSV: %v", parse.Err)
}
