package calibrate

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// How far the content may lie from the start for its form to be told.
const lookAhead = 64 << 10

// ReadLabels reads labels in any form of docs/calibration.md: a JSON object
// {session: label}, a JSON list of {"session_id", "failed"}, or CSV with those
// two columns, parted by comma, semicolon or tab. The content decides which, not
// a name, and a byte-order mark in front is skipped. JSON is streamed.
//
// Content that is not understood in full is a [*LabelError] and gives no labels
// at all: an unknown or missing label, an empty session id, a session with two
// unlike labels, a broken or empty document, text that is not UTF-8.
func ReadLabels(r io.Reader) (*Labels, error) {
	text := bufio.NewReaderSize(r, lookAhead)
	head, err := text.Peek(lookAhead)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	if other := otherEncoding(head); other != "" {
		return nil, labelError(place{line: 1}, "", "", "the file is %s: save it as UTF-8", other)
	}
	if rest, marked := bytes.CutPrefix(head, []byte("\xef\xbb\xbf")); marked {
		head = rest
		text.Discard(3)
	}
	labels := NewLabels()
	if err := readForm(head, text, labels); err != nil {
		var bad *LabelError
		if errors.As(err, &bad) {
			return nil, bad
		}
		return nil, fmt.Errorf("read labels: %w", err)
	}
	if labels.Len() == 0 {
		return nil, labelError(place{line: 1}, "", "", "the file holds no labels")
	}
	return labels, nil
}

func readForm(head []byte, text *bufio.Reader, labels *Labels) error {
	switch first := bytes.TrimLeft(head, " \t\r\n"); {
	case len(first) == 0 && len(head) < lookAhead-3:
		return labelError(place{line: 1}, "", "", "the file is empty")
	case len(first) > 0 && (first[0] == '{' || first[0] == '['):
		return readJSON(text, labels)
	}
	return readCSV(text, labels)
}

// otherEncoding names the encodings that office programs write in place of
// UTF-8. Both of their marks, and a zero byte in ASCII text, cannot be UTF-8.
func otherEncoding(head []byte) string {
	start := head[:min(4, len(head))]
	switch {
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return "UTF-16"
	case bytes.IndexByte(start, 0) >= 0:
		return "UTF-16 or no text"
	}
	return ""
}
