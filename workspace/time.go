package workspace

import (
	"fmt"
	"strings"
	"time"
)

// timeLayout has six digits after the second always, so that what this program
// writes sorts as text as it does in time.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// Time is an instant in UTC. It is written as RFC 3339 with six digits after
// the second (more only when another writer gave more); any RFC 3339 text is
// read (docs/workspace.md, "Times"). Compare instants, never texts.
type Time struct{ t time.Time }

// NewTime returns t in UTC, cut to microseconds.
func NewTime(t time.Time) Time { return Time{t.UTC().Truncate(time.Microsecond)} }

// ParseTime reads an RFC 3339 instant.
func ParseTime(s string) (Time, error) {
	t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(s))
	if err != nil {
		return Time{}, fmt.Errorf("%q is not an RFC 3339 time such as 2026-01-31T09:30:00Z", s)
	}
	return inYears(t, s)
}

func inYears(t time.Time, text string) (Time, error) {
	if y := t.UTC().Year(); y < 1 || y > 9999 {
		return Time{}, fmt.Errorf("%q is not an RFC 3339 time of the years 1 to 9999", text)
	}
	return Time{t.UTC()}, nil
}

// Std returns the instant as the standard library has it.
func (t Time) Std() time.Time { return t.t }

// IsZero tells whether t was never set.
func (t Time) IsZero() bool { return t.t.IsZero() }

// Compare returns -1, 0 or +1 as t lies before, at or after u.
func (t Time) Compare(u Time) int { return t.t.Compare(u.t) }

// Equal tells whether t and u are the same instant.
func (t Time) Equal(u Time) bool { return t.t.Equal(u.t) }

func (t Time) String() string {
	if t.t.Nanosecond()%1000 != 0 {
		return t.t.Format(time.RFC3339Nano)
	}
	return t.t.Format(timeLayout)
}

// MarshalText writes the form that String gives.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads any RFC 3339 instant.
func (t *Time) UnmarshalText(b []byte) error {
	parsed, err := ParseTime(string(b))
	if err != nil {
		return err
	}
	*t = parsed
	return nil
}

// UnmarshalTOML reads a TOML offset date-time, or a text in RFC 3339. A local
// date or time of TOML is refused: it is no instant, and another one on every
// machine.
func (t *Time) UnmarshalTOML(v any) (err error) {
	switch v := v.(type) {
	case time.Time:
		if layout, local := localLayouts[v.Location().String()]; local {
			return fmt.Errorf("%s has no offset and is not an RFC 3339 time such as 2026-01-31T09:30:00Z", v.Format(layout))
		}
		*t, err = inYears(v, v.Format(time.RFC3339))
		return err
	case string:
		return t.UnmarshalText([]byte(v))
	default:
		return fmt.Errorf("%v is not an RFC 3339 time such as 2026-01-31T09:30:00Z", v)
	}
}

// localLayouts are the kinds of local times of TOML, by the name of the location
// that the decoder gives them.
var localLayouts = map[string]string{
	"datetime-local": "2006-01-02T15:04:05", "date-local": time.DateOnly, "time-local": time.TimeOnly,
}

// CompareTimeID orders two records by instant, then by id
// (docs/workspace.md, "Times").
func CompareTimeID(aTime Time, aID string, bTime Time, bID string) int {
	if c := aTime.Compare(bTime); c != 0 {
		return c
	}
	return strings.Compare(aID, bID)
}
