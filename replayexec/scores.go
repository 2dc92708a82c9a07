package replayexec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// What a null among scores means: in an answer that gives scores it is a fault,
// from a scorer it is a metric without a score.
const (
	nullIsFault  = false
	nullIsAbsent = true
)

// parseScores reads an object metric -> score. Anything but a number in [0, 1]
// makes all of it a fault: a wrong score must not decide, nor its lack. The
// error is an *Inconclusive with code and detail.
func parseScores(value jsontext.Value, skipNull bool) (map[string]float64, error) {
	var raw map[string]jsontext.Value
	if kindOf(value) != '{' {
		return nil, badScores("scores must be an object of metric and number, not %s", nameOfKind(value))
	}
	if err := json.Unmarshal(value, &raw); err != nil {
		return nil, badScores("scores: %v", err)
	}
	scores := make(map[string]float64, len(raw))
	for _, metric := range slices.Sorted(maps.Keys(raw)) {
		if skipNull && kindOf(raw[metric]) == 'n' {
			continue
		}
		score, fault := parseScore(raw[metric])
		switch {
		case strings.TrimSpace(metric) == "":
			return nil, badScores("a score has no metric name")
		case fault != "":
			return nil, badScores("score %q %s", metric, fault)
		}
		scores[metric] = score
	}
	return scores, nil
}

func parseScore(value jsontext.Value) (score float64, fault string) {
	if kindOf(value) != '0' {
		return 0, "must be a number, not " + nameOfKind(value)
	}
	score, err := strconv.ParseFloat(string(value), 64)
	switch {
	case err != nil:
		return 0, "is not finite"
	case score < 0 || score > 1:
		return 0, fmt.Sprintf("is %g, outside [0, 1]", score)
	}
	return score + 0, "" // -0 becomes 0
}

func badScores(format string, args ...any) error {
	return &Inconclusive{Code: BadScores, Detail: fmt.Sprintf(format, args...)}
}

// withoutNonFinite writes the tokens NaN, Infinity and -Infinity, which are no
// JSON but come from other writers, as a number that is too large. So they are
// told as what they are, and do no harm where nobody looks.
func withoutNonFinite(text []byte) []byte {
	result, inString := make([]byte, 0, len(text)), false
	for i := 0; i < len(text); i++ {
		switch token := nonFiniteAt(text[i:]); {
		case inString && text[i] == '\\' && i+1 < len(text):
			result = append(result, text[i])
			i++
		case text[i] == '"':
			inString = !inString
		case !inString && token > 0:
			result = append(result, "1e999"...)
			i += token - 1
			continue
		}
		result = append(result, text[i])
	}
	return result
}

// nonFiniteAt is the length of the token at the start of text, 0 for none.
func nonFiniteAt(text []byte) int {
	for _, token := range []string{"NaN", "Infinity", "-Infinity"} {
		if len(text) >= len(token) && string(text[:len(token)]) == token {
			return len(token)
		}
	}
	return 0
}
