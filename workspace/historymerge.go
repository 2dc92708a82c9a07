package workspace

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// historySync builds the new score history.
type historySync struct {
	w        *Workspace
	averages Averages
	old      *historyFile // nil: there is none
	index    *historyIndex
	writers  []string // of session files
	done     HistorySync

	last struct { // the keys of a session are mostly neighbours
		session string
		lines   []SessionLine
	}
}

// write writes the whole document, entry by entry.
func (s *historySync) write(ctx context.Context, to *os.File) error {
	if err := faultAt("write", s.w.path(historyPath)); err != nil {
		return err
	}
	out := bufio.NewWriterSize(to, 64<<10)
	// The check for double keys would hold every key in memory.
	e := jsontext.NewEncoder(out, jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true))
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for n, key := range s.index.keys {
		if n%256 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		entry, err := s.entry(key)
		if err != nil {
			return err
		}
		if err := e.WriteToken(jsontext.String(key)); err != nil {
			return err
		}
		if err := e.WriteValue(entry); err != nil {
			return err
		}
	}
	if err := e.WriteToken(jsontext.EndObject); err != nil {
		return err
	}
	return out.Flush()
}

// entry returns the new entry of a key; one that gets no samples stays as it
// stands in the file.
func (s *historySync) entry(key string) (jsontext.Value, error) {
	entry, raw, err := s.readOld(key)
	if err != nil {
		return nil, err
	}
	session, isLive := s.index.sessions[key]
	if !isLive {
		return raw, nil
	}
	lines, err := s.linesOf(session)
	if err != nil {
		return nil, err
	}
	_, metric, _ := cutHistoryKey([]byte(key))
	added, err := s.merge(string(metric), entry, lines)
	if err != nil || added == 0 && raw != nil {
		return raw, err
	}
	s.done.Added += added
	return json.Marshal(entry)
}

// merge adds the samples that the entry has not, and returns how many stay.
func (s *historySync) merge(metric string, entry *historyEntry, lines []SessionLine) (added int, err error) {
	missing := missingSamples(metric, entry.samples(), lines)
	if len(missing) == 0 {
		return 0, nil
	}
	if err := entry.setAverages(s.averagesOf(metric, entry, missing, lines)); err != nil {
		return 0, err
	}
	fresh := map[sampleKey]bool{}
	for _, m := range missing {
		fresh[m.key()] = true
		entry.Series = append(entry.Series, historySample{Sample: m.Sample})
	}
	slices.SortStableFunc(entry.Series, func(a, b historySample) int { return a.TS.Compare(b.TS) })
	entry.Series = entry.Series[max(0, len(entry.Series)-mostSamples):]
	for _, sample := range entry.Series {
		if sample.raw == nil && fresh[sample.key()] {
			added++
		}
	}
	return added, nil
}

// averagesOf are the averages after all samples of an entry and of the lines.
// Where the lines have every sample of the entry, theirs count; else those of
// the entry go on.
func (s *historySync) averagesOf(metric string, entry *historyEntry, missing []lineSample, lines []SessionLine) EWMA {
	if len(entry.samples()) == 0 || s.coveredBy(metric, entry, lines) {
		return s.averages(lines)[metric]
	}
	known := entry.samples()
	newest := lastOf(known)
	from := []SessionLine{{Scores: map[string]*float64{metric: &newest.Value}, Adopted: true}}
	if average := entry.averages(); average != nil {
		from[0].EWMA = map[string]EWMA{metric: *average}
	}
	for _, m := range missing {
		from = append(from, SessionLine{Scores: map[string]*float64{metric: &m.Value}})
	}
	return s.averages(from)[metric]
}

func (s *historySync) coveredBy(metric string, entry *historyEntry, lines []SessionLine) bool {
	have := map[sampleKey]bool{}
	for _, sample := range missingSamples(metric, nil, lines) {
		have[sample.key()] = true
	}
	return !slices.ContainsFunc(entry.samples(), func(known Sample) bool { return !have[known.key()] })
}

// readOld returns the entry of the old file and its text; nil when there is
// none.
func (s *historySync) readOld(key string) (*historyEntry, jsontext.Value, error) {
	entry, raw := &historyEntry{}, jsontext.Value(nil)
	for i, span := range s.index.entries[key] {
		text := make([]byte, span.to-span.from)
		if _, err := s.old.f.ReadAt(text, span.from); err != nil && err != io.EOF {
			return nil, nil, ioError("cannot read", historyPath, err)
		}
		text, err := withoutNonFinite(bytes.TrimLeft(text, " \t\r\n:"))
		if err != nil {
			return nil, nil, err
		}
		again := decodeHistoryEntry(text)
		if raw = text; i > 0 {
			again = entry.join(again)
			if raw, err = json.Marshal(again); err != nil {
				return nil, nil, err
			}
		}
		entry = again
	}
	return entry, raw, nil
}

func (s *historySync) linesOf(session string) (lines []SessionLine, err error) {
	if s.last.session != session {
		if lines, err = s.w.sessionLinesOf(session, s.writers); err != nil {
			return nil, err
		}
		s.last.session, s.last.lines = session, lines
	}
	return s.last.lines, nil
}
