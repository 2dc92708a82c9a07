package workspace

import (
	"maps"
	"math"
	"slices"
	"time"
)

// sameTOML compares two decoded values: their types too, and NaN equals NaN.
func sameTOML(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, sameTOML)
	case []map[string]any:
		b, ok := b.([]map[string]any)
		return ok && slices.EqualFunc(a, b, func(x, y map[string]any) bool { return sameTOML(x, y) })
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameTOML)
	case float64:
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b) && a.Location().String() == b.Location().String()
	}
	return a == b
}
