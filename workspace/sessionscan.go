package workspace

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
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
	seen    map[string]bool   // ids of the session's lines
	metrics map[string]string // each name once in memory
}

func newSessionScanner(w *Workspace) *sessionScanner {
	return &sessionScanner{w: w, lines: newLineReader(), seen: map[string]bool{}, metrics: map[string]string{}}
}

func (s *sessionScanner) scan(names []string) (found sessionScan) {
	clear(s.seen)
	for _, name := range names {
		rel := sessionsDir + "/" + name
		if err := s.readFile(rel); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			found.broken = append(found.broken, ioError("cannot read", rel, err))
			continue
		}
		base, _, _ := splitEvidenceName(name)
		readLines(s.content, func(number int, text []byte) {
			line, ok := s.lines.read(text)
			if !ok {
				found.warnings = append(found.warnings, brokenLine(rel, number))
				return
			}
			if !s.seen[string(line.id)] && found.isOf(line, base) {
				s.seen[string(line.id)] = true
				s.take(&found, line)
			}
		})
	}
	return found
}

// readFile reads a file into the memory of the one before it.
func (s *sessionScanner) readFile(rel string) error {
	f, err := os.Open(s.w.path(rel))
	if err != nil {
		return err
	}
	defer f.Close()
	if s.content = s.content[:cap(s.content)]; len(s.content) == 0 {
		s.content = make([]byte, 16<<10)
	}
	for n := 0; ; {
		got, err := f.Read(s.content[n:])
		n += got
		if n == len(s.content) {
			s.content = append(s.content, make([]byte, n)...)
		}
		if err != nil {
			s.content = s.content[:n]
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
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

func (s *sessionScanner) take(found *sessionScan, line *scoreLine) {
	if line.replay {
		found.leave(LeftReplay)
		return
	}
	for _, score := range line.scores {
		if score.left != "" {
			found.leave(score.left)
			continue
		}
		found.session.put(liveScore{intern(s.metrics, score.metric), score.value, string(line.at()), string(line.id)})
	}
}

func (f *sessionScan) leave(reason string) {
	if f.leftOut == nil {
		f.leftOut = map[string]int{}
	}
	f.leftOut[reason]++
}

// put keeps the newest score of each metric; of two of the same instant that of
// the line with the larger id.
func (s *liveSession) put(score liveScore) {
	for i, old := range s.scores {
		if old.metric == score.metric {
			if cmp.Or(cmp.Compare(score.at, old.at), cmp.Compare(score.lineID, old.lineID)) > 0 {
				s.scores[i] = score
			}
			return
		}
	}
	s.scores = append(s.scores, score)
}
