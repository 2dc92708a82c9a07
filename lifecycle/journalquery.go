package lifecycle

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// JournalQuery chooses journal events. Zero values choose all.
type JournalQuery struct {
	Types     []string
	SessionID string
	RuleID    string
	Since     string // as ParseSince reads it
	Last      int    // at most so many, the newest ones; 0 = all
}

// Journal returns the chosen events, oldest first. Errors: CodeBadInput for
// what is no rule id or no Since.
func (e *Engine) Journal(q JournalQuery) ([]workspace.Event, error) {
	f, err := e.journalFilter(q)
	if err != nil {
		return nil, err
	}
	return e.Workspace.Events(f)
}

// WalkJournal hands the events of Journal out one after the other, for journals
// of any size, and stops at visit's first error.
func (e *Engine) WalkJournal(q JournalQuery, visit func(workspace.Event) error) error {
	f, err := e.journalFilter(q)
	if err != nil {
		return err
	}
	return e.Workspace.WalkEvents(f, visit)
}

func (e *Engine) journalFilter(q JournalQuery) (workspace.JournalFilter, error) {
	f := workspace.JournalFilter{Types: q.Types, SessionID: q.SessionID, RuleID: q.RuleID, Last: q.Last}
	if q.RuleID != "" {
		if err := workspace.CheckRuleID(q.RuleID); err != nil {
			return f, err
		}
	}
	if q.Since != "" {
		since, err := ParseSince(q.Since, e.Workspace.Now())
		if err != nil {
			return f, &workspace.Error{Code: workspace.CodeBadInput, Field: "since", Message: err.Error()}
		}
		f.Since = since
	}
	return f, nil
}

// ParseSince reads the beginning of a span that ends now: an RFC 3339 time, a
// day (2026-01-31, from midnight in UTC on), or how long ago (90m, 1h30m, 7d,
// 2w).
func ParseSince(text string, now time.Time) (workspace.Time, error) {
	if t, err := workspace.ParseTime(text); err == nil {
		return t, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return workspace.NewTime(day), nil
	}
	if ago, ok := parseAgo(text); ok {
		return workspace.NewTime(now.Add(-ago)), nil
	}
	return workspace.Time{}, fmt.Errorf("%q is no time; give one such as 2026-01-31T09:30:00Z, a day such as 2026-01-31, or how long ago such as 90m, 12h or 7d", text)
}

// parseAgo reads a length of time of at most some 200 years; beside Go's units
// it knows d and w.
func parseAgo(text string) (time.Duration, bool) {
	for unit, hours := range map[string]float64{"d": 24, "w": 7 * 24} {
		if digits, ok := strings.CutSuffix(text, unit); ok {
			n, err := strconv.ParseFloat(digits, 64)
			length := n * hours * float64(time.Hour)
			return time.Duration(length), err == nil && length >= 0 && length < float64(1<<62)
		}
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// EventTypes names the types of events that this program writes.
func EventTypes() []string {
	return []string{
		EventNotice, EventRecovery, EventAck, EventRuleAdd, EventPromote, EventRetire, EventValidation,
		EventCapture, EventEvict, EventRemove, EventRegression,
	}
}
