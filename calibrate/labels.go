package calibrate

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Labels says of sessions whether they failed. Read them with [ReadLabels], or
// set them one by one. A nil pointer holds no labels and cannot be changed.
type Labels struct {
	bySession map[string]label
}

type label struct {
	at     place
	failed bool
}

// NewLabels returns labels of no session.
func NewLabels() *Labels { return &Labels{bySession: map[string]label{}} }

// LabelsFromMap takes labels as session -> failed.
func LabelsFromMap(failed map[string]bool) *Labels {
	l := NewLabels()
	for session, f := range failed {
		l.Set(session, f)
	}
	return l
}

// Set labels a session, in place of an earlier label.
func (l *Labels) Set(session string, failed bool) {
	l.bySession[session] = label{failed: failed}
}

// Get returns the label of a session, and whether it has one.
func (l *Labels) Get(session string) (failed, labeled bool) {
	if l == nil {
		return false, false
	}
	found, labeled := l.bySession[session]
	return found.failed, labeled
}

// Len returns the number of labeled sessions.
func (l *Labels) Len() int {
	if l == nil {
		return 0
	}
	return len(l.bySession)
}

// All yields every session with its label, sorted by session.
func (l *Labels) All() iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		if l == nil {
			return
		}
		for _, session := range slices.Sorted(maps.Keys(l.bySession)) {
			if !yield(session, l.bySession[session].failed) {
				return
			}
		}
	}
}

// add takes a label as it was read: its word is checked, and a second label of
// the same session must say the same.
func (l *Labels) add(at place, session, word string) error {
	failed, known := labelWord(word)
	if !known {
		return labelError(at, session, word, "label %.80q of session %q is not known: %s", word, session, knownWords)
	}
	return l.addKnown(at, session, failed)
}

func (l *Labels) addKnown(at place, session string, failed bool) error {
	if session == "" {
		return labelError(at, "", "", "the session id is empty")
	}
	first, twice := l.bySession[session]
	if twice && first.failed != failed {
		return labelError(at, session, outcome(failed), "session %q is labeled %s here but %s at %s: keep one of them",
			session, outcome(failed), outcome(first.failed), first.at)
	}
	if !twice {
		l.bySession[session] = label{at: at, failed: failed}
	}
	return nil
}

const knownWords = "write true or false (1 or 0, yes or no, fail or pass do as well)"

// labelWord reads one of the words of docs/calibration.md, in any case and with
// any white space around it.
func labelWord(word string) (failed, known bool) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "true", "1", "1.0", "yes", "y", "t", "fail", "failed":
		return true, true
	case "false", "0", "0.0", "no", "n", "f", "ok", "pass", "passed":
		return false, true
	}
	return false, false
}

func outcome(failed bool) string {
	if failed {
		return "failed"
	}
	return "ok"
}

// A place is where a label was read. The zero place is that of a label that was
// set, not read.
type place struct {
	line  int32
	entry int32 // of a JSON document, from 1; 0 in CSV
}

func (p place) String() string {
	if p.entry == 0 {
		return fmt.Sprintf("line %d", p.line)
	}
	return fmt.Sprintf("line %d, entry %d", p.line, p.entry)
}

// LabelError says what is wrong with the content of a label file, and where.
type LabelError struct {
	// Line counts from 1. In a quoted CSV text over several lines it is the
	// first one.
	Line int
	// Entry counts the labels of a JSON document from 1; it is 0 when the fault
	// lies in no entry, and in CSV.
	Entry int
	// Session is the session in question, when it is known.
	Session string
	// Value is the label as it stands in the file, when it is the fault.
	Value string
	// Reason says what is wrong and what to do.
	Reason string
}

func (e *LabelError) Error() string {
	return place{line: int32(e.Line), entry: int32(e.Entry)}.String() + ": " + e.Reason
}

func labelError(at place, session, value, format string, args ...any) error {
	return &LabelError{
		Line:    int(at.line),
		Entry:   int(at.entry),
		Session: session,
		Value:   value,
		Reason:  fmt.Sprintf(format, args...),
	}
}
