package workspace

import (
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// historyEntry is what the score history holds of one session and metric. What
// it has that this program does not know is kept.
type historyEntry struct {
	EWMA    jsontext.Value  `json:"ewma,omitempty"`
	Series  []historySample `json:"series"`
	Unknown jsontext.Value  `json:",embed"`
}

// historySample is a sample and the text it was read from.
type historySample struct {
	Sample
	fault string         // why it is no score; "" = it is one
	raw   jsontext.Value // nil: it was not read
}

// decodeHistoryEntry returns an entry without samples for what is none.
func decodeHistoryEntry(raw []byte) *historyEntry {
	var e historyEntry
	if json.Unmarshal(raw, &e, jsontext.AllowDuplicateNames(true)) != nil {
		return &historyEntry{}
	}
	return &e
}

// UnmarshalJSON reads a sample as far as it can be understood.
func (s *historySample) UnmarshalJSON(raw []byte) error {
	var fields struct {
		Value jsontext.Value `json:"value"`
		TS    jsontext.Value `json:"ts"`
		RunID jsontext.Value `json:"run_id"`
	}
	*s = historySample{raw: jsontext.Value(raw).Clone(), fault: LeftAbsent}
	if json.Unmarshal(raw, &fields) == nil {
		s.fault = scoreFault(fields.Value)
	}
	if s.fault != "" {
		return nil
	}
	value, _ := strconv.ParseFloat(string(fields.Value), 64) // checked by scoreFault
	s.Value = value + 0                                      // never a negative zero
	if ts, ok := jsonText(fields.TS); ok {
		s.TS, _ = ParseTime(ts)
	}
	if run, ok := jsonText(fields.RunID); ok {
		s.RunID = run
	} else if len(fields.RunID) > 0 && fields.RunID.Kind() != 'n' {
		s.RunID = string(fields.RunID)
	}
	return nil
}

// MarshalJSON writes a sample that was read as it was, and a new one with its
// keys in the order of the alphabet, as the other writers of this file do.
func (s historySample) MarshalJSON() ([]byte, error) {
	if len(s.raw) > 0 {
		return s.raw, nil
	}
	sample := struct {
		RunID Text    `json:"run_id"`
		TS    Time    `json:"ts"`
		Value float64 `json:"value"`
	}{Text(s.RunID), s.TS, s.Value}
	return json.Marshal(sample)
}

func jsonText(raw jsontext.Value) (string, bool) {
	if raw.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}

// join adds the samples of an entry whose key was given again.
func (e *historyEntry) join(again *historyEntry) *historyEntry {
	if e == nil {
		return again
	}
	again.Series = append(e.Series, again.Series...)
	return again
}

// samples returns the samples that are scores.
func (e *historyEntry) samples() (usable []Sample) {
	for _, s := range e.Series {
		if s.fault == "" {
			usable = append(usable, s.Sample)
		}
	}
	return usable
}

func (e *historyEntry) setAverages(average EWMA) error {
	raw, err := json.Marshal(average)
	e.EWMA = raw
	return err
}

// averages returns the averages of the entry when they can be used.
func (e *historyEntry) averages() *EWMA {
	var average EWMA
	if json.Unmarshal(e.EWMA, &average) != nil || average.Count < 1 || !isScore(average.Fast) || !isScore(average.Slow) {
		return nil
	}
	return &average
}

// isScore tells whether a number lies in [0, 1]; NaN does not.
func isScore(x float64) bool { return x >= 0 && x <= 1 }
