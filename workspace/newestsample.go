package workspace

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// newestSample reads the entry of one series and remembers its newest usable
// sample. Times and numbers stay texts as long as it lasts.
type newestSample struct {
	samples int    // how many there are; 0 also for what is no series at all
	usable  bool   // there is a sample with a score
	last    bool   // the last sample holds a number, be it a score or not
	at      []byte // sortable; empty when unknown
	value   []byte
	next    rawSample // the one under the hand
}

func (n *newestSample) reset() { *n = newestSample{at: n.at[:0], value: n.value[:0], next: n.next} }

// counts tells whether the series gives a score (docs/calibration.md, "Where
// the scores come from").
func (n *newestSample) counts() bool { return n.usable && n.last }

func (n *newestSample) score() float64 {
	value, _ := strconv.ParseFloat(string(n.value), 64) // checked by scoreFault
	return value + 0                                    // never a negative zero
}

func (n *newestSample) readEntry(d *jsontext.Decoder, leftOut map[string]int) error {
	if d.PeekKind() != '{' {
		return pass(d)
	}
	return eachMember(d, func(name []byte) error {
		if string(name) != "series" {
			return pass(d)
		}
		n.reset()
		return n.readSeries(d, leftOut)
	})
}

func (n *newestSample) readSeries(d *jsontext.Decoder, leftOut map[string]int) error {
	if d.PeekKind() != '[' {
		return pass(d)
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != ']' {
		if err := n.next.read(d); err != nil {
			return err
		}
		n.take(&n.next, leftOut)
	}
	_, err := d.ReadToken()
	return err
}

// take compares the next sample with those before. Of two of the same instant
// the later one counts; one without a readable time is older than all others.
func (n *newestSample) take(s *rawSample, leftOut map[string]int) {
	n.samples++
	fault := scoreFault(s.value)
	n.last = isNumber(s.value)
	if fault != "" {
		leftOut[fault]++
		return
	}
	at := sortableText(s.ts)
	if !n.usable || !newerText(n.at, at) {
		n.usable, n.at, n.value = true, append(n.at[:0], at...), append(n.value[:0], s.value...)
	}
}

// rawSample is a sample as it stands in the file; what is missing is empty.
type rawSample struct {
	ts    []byte // without its quotes
	value []byte
}

func (s *rawSample) read(d *jsontext.Decoder) error {
	s.ts, s.value = s.ts[:0], s.value[:0]
	if d.PeekKind() != '{' {
		return pass(d)
	}
	return eachMember(d, func(name []byte) error {
		isTS, isValue := string(name) == "ts", string(name) == "value"
		if !isTS && !isValue {
			return pass(d)
		}
		raw, err := d.ReadValue()
		switch {
		case isValue:
			s.value = append(s.value[:0], raw...)
		case raw.Kind() == '"':
			s.ts = append(s.ts[:0], raw[1:len(raw)-1]...)
		}
		return err
	})
}
