package workspace

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// limit is the range of a number.
type limit int

const (
	anyNumber limit = iota
	fromZero
	fromOne
	aboveZero
	zeroToOne
)

func (l limit) holds(v float64) bool {
	switch l {
	case fromZero:
		return v >= 0
	case fromOne:
		return v >= 1
	case aboveZero:
		return v > 0
	case zeroToOne:
		return v >= 0 && v <= 1
	}
	return true
}

func (l limit) String() string {
	return [...]string{"", "0 or more", "1 or more", "above 0", "0 to 1"}[l]
}

// number checks a value of a number knob, or of an entry of [thresholds].
func (l limit) number(v any) (float64, error) {
	var f float64
	switch n := v.(type) {
	case int64:
		f = float64(n)
	case float64:
		f = n
	default:
		return 0, l.refuse("number", v)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) || !l.holds(f) {
		return 0, l.refuse("number", v)
	}
	return f, nil
}

func (l limit) refuse(kind string, v any) error {
	if kind != "true or false" {
		kind = "a " + kind
	}
	switch l {
	case anyNumber:
	case aboveZero:
		kind += " " + l.String()
	default:
		kind += " of " + l.String()
	}
	return fmt.Errorf("must be %s, not %s", kind, shown(v))
}

// shown prints a value the way its writer would recognize it.
func shown(v any) string {
	switch v := v.(type) {
	case bool, int64:
		return fmt.Sprint(v)
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if v == math.Trunc(v) && !strings.ContainsAny(s, "eIN") {
			s += ".0"
		}
		return strings.ToLower(s)
	case string:
		if short := []rune(v); len(short) > 60 {
			v = string(short[:60]) + "..."
		}
		return "the text " + strconv.Quote(v)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	}
	return "a date or time"
}
