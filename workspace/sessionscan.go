package workspace

import (
	"errors"
	"io/fs"
)

// groupBySession puts the files of one session, from all writers, together.
func groupBySession(names []string) [][]string {
	var groups [][]string
	last := ""
	for _, name := range names {
		base, _, ok := splitEvidenceName(name)
		switch {
		case !ok:
			continue
		case len(groups) > 0 && base == last:
			groups[len(groups)-1] = append(groups[len(groups)-1], name)
		default:
			groups = append(groups, []string{name})
		}
		last = base
	}
	return groups
}

// sessionScan is what the files of one session hold for calibration.
type sessionScan struct {
	session  liveSession
	leftOut  map[string]int
	warnings []error // lines that were passed over
	broken   []error // files that could not be read
}

// sessionScanner scans one session after the other. It is for one goroutine.
type sessionScanner struct {
	w       *Workspace
	lines   *lineReader
	content []byte
	metrics map[string]string // each name once in memory
	newest  []newestLive      // of the session under the hand
	seen    map[string]bool   // ids of its lines that are counted
}

func newSessionScanner(w *Workspace) *sessionScanner {
	return &sessionScanner{w: w, lines: newLineReader(), metrics: map[string]string{}, seen: map[string]bool{}}
}

func (s *sessionScanner) scan(names []string) (found sessionScan) {
	s.newest = s.newest[:0]
	clear(s.seen)
	for _, name := range names {
		rel := sessionsDir + "/" + name
		var err error
		if s.content, err = readWhole(s.w.path(rel), s.content); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			found.broken = append(found.broken, ioError("cannot read", rel, err))
			continue
		}
		base, _, _ := splitEvidenceName(name)
		readLines(s.content, func(number int, text []byte) {
			line, ok := s.lines.read(text)
			switch {
			case !ok:
				found.warnings = append(found.warnings, brokenLine(rel, number))
			case found.isOf(line, base):
				s.take(&found, line)
			}
		})
	}
	found.session.scores = s.scores()
	return found
}

// scores are the newest ones of the session that was scanned.
func (s *sessionScanner) scores() []liveScore {
	if len(s.newest) == 0 {
		return nil
	}
	scores := make([]liveScore, len(s.newest))
	for i, n := range s.newest {
		scores[i] = liveScore{metric: n.metric, value: n.value}
		if i > 0 && string(n.at) == scores[i-1].at {
			scores[i].at = scores[i-1].at // most are of one line
		} else {
			scores[i].at = string(n.at)
		}
	}
	return scores
}

// isOf tells whether the line belongs to the session that the file is named
// after.
func (f *sessionScan) isOf(line *scoreLine, base string) bool {
	if f.session.id != "" {
		return string(line.session) == f.session.id
	}
	id := string(line.session)
	if sessionName(id) != base {
		return false
	}
	f.session.id = id
	return true
}

// take takes a line in. One that is there twice changes nothing the second time.
func (s *sessionScanner) take(found *sessionScan, line *scoreLine) {
	if line.replay {
		if s.firstSight(line) {
			found.leave(LeftReplay)
		}
		return
	}
	counted := false
	for _, score := range line.scores {
		if score.left == "" {
			s.put(score, line)
		} else if counted = counted || s.firstSight(line); counted {
			found.leave(score.left)
		}
	}
}

func (s *sessionScanner) firstSight(line *scoreLine) bool {
	if s.seen[string(line.id)] {
		return false
	}
	s.seen[string(line.id)] = true
	return true
}

func (f *sessionScan) leave(reason string) {
	if f.leftOut == nil {
		f.leftOut = map[string]int{}
	}
	f.leftOut[reason]++
}
