package workspace

import (
	"bytes"
	"cmp"
)

// newestLive is the newest score of a metric so far. Its texts are overwritten by
// those of the next session.
type newestLive struct {
	metric     string
	value      float64
	at, lineID []byte
}

// put keeps the newest score of each metric; of two of the same instant that of
// the line with the larger id.
func (s *sessionScanner) put(score lineScore, line *scoreLine) {
	for i := range s.newest {
		old := &s.newest[i]
		if old.metric == string(score.metric) {
			if cmp.Or(bytes.Compare(line.at(), old.at), bytes.Compare(line.id, old.lineID)) > 0 {
				old.set(score, line)
			}
			return
		}
	}
	if len(s.newest) < cap(s.newest) {
		s.newest = s.newest[:len(s.newest)+1]
	} else {
		s.newest = append(s.newest, newestLive{})
	}
	last := &s.newest[len(s.newest)-1]
	last.metric = intern(s.metrics, score.metric)
	last.set(score, line)
}

func (n *newestLive) set(score lineScore, line *scoreLine) {
	n.value, n.at, n.lineID = score.value, append(n.at[:0], line.at()...), append(n.lineID[:0], line.id...)
}
