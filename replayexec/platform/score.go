package platform

import (
	"regexp"
	"strconv"
	"sync"
	"time"
)

// Score is one usable score of a session: a finished numeric one in [0, 1].
type Score struct {
	ID        string
	SessionID string
	Metric    string
	Value     float64 // 0 to 1, higher is better
	CreatedAt time.Time
	RunID     string // the evaluation run that gave it; "" for none
}

// Why a score cannot be used, as Newest.LeftOut counts it.
const (
	LeftFailed     = "failed"       // status FAILED
	LeftPending    = "pending"      // status PENDING
	LeftStatus     = "status"       // a status that is none of the known ones
	LeftNotNumeric = "not_numeric"  // data type other than NUMERIC
	LeftAbsent     = "absent"       // SUCCESS without a value
	LeftNotNumber  = "not_a_number" // not a decimal number: NaN, Infinity, hexadecimal, empty
	LeftOutOfRange = "out_of_range" // below 0 or above 1
	LeftNoTime     = "no_time"      // created_at cannot be read, so it cannot be told whether it is the newest
	LeftIncomplete = "incomplete"   // without an id, a session or a metric
)

// usable gives the score, or why it cannot be used ("" when it can).
func (s sessionScore) usable() (Score, string) {
	switch {
	case s.Status == "FAILED":
		return Score{}, LeftFailed
	case s.Status == "PENDING":
		return Score{}, LeftPending
	case s.Status != "SUCCESS":
		return Score{}, LeftStatus
	case s.ID == "" || s.SessionID == "" || s.Name == "":
		return Score{}, LeftIncomplete
	case s.DataType != "NUMERIC":
		return Score{}, LeftNotNumeric
	case s.Value == nil:
		return Score{}, LeftAbsent
	}
	value, left := parseValue(*s.Value)
	if left != "" {
		return Score{}, left
	}
	created, err := time.Parse(time.RFC3339, s.CreatedAt)
	if err != nil {
		return Score{}, LeftNoTime
	}
	score := Score{ID: s.ID, SessionID: s.SessionID, Metric: s.Name, Value: value, CreatedAt: created}
	if s.EvalRunID != nil {
		score.RunID = *s.EvalRunID
	}
	return score, ""
}

// newerThan orders scores by instant, ties by id.
func (s Score) newerThan(other Score) bool {
	if order := s.CreatedAt.Compare(other.CreatedAt); order != 0 {
		return order > 0
	}
	return s.ID > other.ID
}

// decimalPattern is a number as JSON writes it, compiled at first use: most
// commands never ask the platform.
var decimalPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
})

// parseValue reads the decimal text of a score, or says why it is none.
func parseValue(text string) (value float64, left string) {
	if !decimalPattern().MatchString(text) {
		return 0, LeftNotNumber
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || value < 0 || value > 1 {
		return 0, LeftOutOfRange
	}
	return value + 0, "" // the addition turns -0 into 0
}
