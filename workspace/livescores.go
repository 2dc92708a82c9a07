package workspace

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// liveScores are the scores of the session files: of each session and metric the
// newest.
type liveScores struct {
	sessions []*liveSession // in the order of their files
	byID     map[string]*liveSession
	leftOut  map[string]int
	broken   []error // files that could not be read
}

type liveSession struct {
	id     string
	scores []liveScore
}

type liveScore struct {
	metric string
	value  float64
	at     string // sortable
}

func (l *liveScores) all(yield func(SessionScore) bool) bool {
	for _, session := range l.sessions {
		for _, s := range session.scores {
			if !yield(SessionScore{session.id, s.metric, s.value}) {
				return false
			}
		}
	}
	return true
}

// asNew tells whether there is a live score at least as new.
func (l *liveScores) asNew(session, metric, at []byte) bool {
	if s := l.byID[string(session)]; s != nil {
		for i := range s.scores {
			if s.scores[i].metric == string(metric) {
				return s.scores[i].at >= string(at)
			}
		}
	}
	return false
}

// liveScores reads the newest scores of all session files, several sessions at
// the same time.
func (w *Workspace) liveScores(ctx context.Context) (*liveScores, error) {
	names, err := w.names(sessionsDir, evidenceEnding)
	all := &liveScores{byID: map[string]*liveSession{}, leftOut: map[string]int{}}
	if err != nil {
		all.broken = []error{err}
		return all, nil
	}
	groups := groupBySession(names)
	found := make([]sessionScan, len(groups))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		workers.Go(func() {
			scanner := newSessionScanner(w)
			for i := next.Add(1) - 1; i < int64(len(groups)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				found[i] = scanner.scan(groups[i])
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for _, scan := range found {
		all.take(w, scan)
	}
	return all, nil
}

func (l *liveScores) take(w *Workspace, scan sessionScan) {
	for _, warning := range scan.warnings {
		w.Warn(warning)
	}
	l.broken = append(l.broken, scan.broken...)
	for reason, n := range scan.leftOut {
		l.leftOut[reason] += n
	}
	if len(scan.session.scores) > 0 {
		session := &scan.session
		l.sessions = append(l.sessions, session)
		l.byID[session.id] = session
	}
}
