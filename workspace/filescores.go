package workspace

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// fileScores gathers the scores of a part of the score history. Of a series only
// the newest sample is kept, so that the memory it takes grows with the number
// of series alone.
type fileScores struct {
	live    *liveScores
	series  newestSample
	scores  []SessionScore
	leftOut map[string]int
	metrics map[string]string // each name once in memory
	session string            // of the last member: the next is often of the same
}

func newFileScores(live *liveScores) *fileScores {
	return &fileScores{live: live, leftOut: map[string]int{}, metrics: map[string]string{}}
}

func (s *fileScores) all(yield func(SessionScore) bool) bool {
	for _, score := range s.scores {
		if !yield(score) {
			return false
		}
	}
	return true
}

func (s *fileScores) member(key []byte, d *jsontext.Decoder) error {
	s.series.reset()
	if err := s.series.readEntry(d, s.leftOut); err != nil {
		return err
	}
	session, metric, ok := cutHistoryKey(key)
	switch {
	case !ok || s.series.samples == 0:
		s.leftOut[LeftEntry]++
	case s.series.counts() && !s.live.asNew(session, metric, s.series.at):
		s.add(session, metric, s.series.score())
	}
	return nil
}

// cutHistoryKey splits a key at its last `::`.
func cutHistoryKey(key []byte) (session, metric []byte, ok bool) {
	at := bytes.LastIndex(key, []byte("::"))
	if at <= 0 || at+2 == len(key) {
		return nil, nil, false
	}
	return key[:at], key[at+2:], true
}

func (s *fileScores) add(session, metric []byte, value float64) {
	if s.session != string(session) {
		s.session = string(session)
	}
	s.scores = append(s.scores, SessionScore{s.session, intern(s.metrics, metric), value})
}

// intern returns the text as the string that is in known already.
func intern(known map[string]string, text []byte) string {
	if have, ok := known[string(text)]; ok {
		return have
	}
	fresh := string(text)
	known[fresh] = fresh
	return fresh
}
