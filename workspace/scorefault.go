package workspace

import "strconv"

// scoreFault says why a JSON value is no score, "" when it is one.
func scoreFault(raw []byte) string {
	switch {
	case len(raw) == 0 || raw[0] == 'n':
		return LeftAbsent
	case !isNumber(raw):
		return LeftNotNumber
	case raw[0] == '0' && !hasExponent(raw):
		return "" // 0 or 0.something
	}
	value, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case isOutOfRange(string(raw)):
		return LeftNotNumber // was NaN or Infinity
	case err != nil || value < 0 || value > 1:
		return LeftOutOfRange
	}
	return ""
}

// isNumber tells a number among JSON values.
func isNumber(raw []byte) bool { return len(raw) > 0 && (raw[0] == '-' || raw[0]-'0' <= 9) }

func hasExponent(number []byte) bool {
	for _, c := range number {
		if c|0x20 == 'e' {
			return true
		}
	}
	return false
}
