package workspace

import (
	"bytes"
	"strconv"
)

// quickLine takes from a line what a scoreLine needs when it begins as this
// program writes it, and says false for any other. It looks at nothing behind
// the scores, so that the caller must see to it that the line is JSON.
func quickLine(line []byte, got *scoreLine) bool {
	if bytes.Contains(line, []byte(`"replay"`)) {
		return false
	}
	c := cursor{rest: line, ok: true}
	got.ts = c.time(`{"ts":"`)
	got.id = c.text(`,"id":"`)
	got.session = c.text(`,"session_id":"`)
	if c.next(`,"score_ts":`) {
		got.scoreTS = c.time(`,"score_ts":"`)
	}
	if c.next(`,"turn_index":`) {
		c.number(`,"turn_index":`)
	}
	if c.next(`,"run_id":`) {
		c.text(`,"run_id":"`)
	}
	opening := `,"scores":{"`
	for c.ok && !(len(got.scores) > 0 && c.next("}")) {
		metric := c.text(opening)
		raw := c.number(":")
		score := lineScore{metric: metric, left: scoreFault(raw)}
		if score.left == "" {
			score.value, _ = strconv.ParseFloat(string(raw), 64) // checked by scoreFault
		}
		got.scores = append(got.scores, score)
		opening = `,"`
	}
	return c.ok
}

// cursor cuts pieces off the front of a text. Once one does not fit, ok is false
// and what it returns means nothing.
type cursor struct {
	rest []byte
	ok   bool
}

func (c *cursor) next(opening string) bool {
	return len(c.rest) >= len(opening) && string(c.rest[:len(opening)]) == opening
}

// text cuts off a text without escapes.
func (c *cursor) text(opening string) []byte {
	if !c.next(opening) {
		c.ok = false
		return nil
	}
	value := c.rest[len(opening):]
	end := bytes.IndexByte(value, '"')
	if end < 0 || bytes.IndexByte(value[:end], '\\') >= 0 {
		c.ok = false
		return nil
	}
	c.rest = value[end+1:]
	return value[:end]
}

func (c *cursor) time(opening string) []byte {
	at := sortableText(c.text(opening))
	c.ok = c.ok && at != nil
	return at
}

// number cuts off a number, or null.
func (c *cursor) number(opening string) []byte {
	if !c.next(opening) {
		c.ok = false
		return nil
	}
	value := c.rest[len(opening):]
	end := 0
	for end < len(value) && value[end] != ',' && value[end] != '}' {
		end++
	}
	if end == 0 || !isNumber(value) && string(value[:end]) != "null" {
		c.ok = false
		return nil
	}
	c.rest = value[end:]
	return value[:end]
}
