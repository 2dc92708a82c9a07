package workspace

import (
	"context"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// historyIndex knows where each entry of the score history stands, and which
// live series there are, without holding any of their samples.
type historyIndex struct {
	keys     []string                 // of all entries, sorted
	entries  map[string][]historySpan // in the file; more than one when a key is given again
	sessions map[string]string        // the session of each live series, by key
}

// historySpan is where the value of a member stands in the file, with the colon
// in front.
type historySpan struct{ from, to int64 }

func (w *Workspace) indexHistory(ctx context.Context, file *historyFile) (*historyIndex, error) {
	x := &historyIndex{entries: map[string][]historySpan{}, sessions: map[string]string{}}
	if file != nil {
		if err := x.addFile(ctx, file); err != nil {
			return nil, err
		}
	}
	live, err := w.liveScores(ctx)
	if err != nil {
		return nil, err
	}
	for _, err := range live.broken {
		w.Warn(err)
	}
	live.all(func(score SessionScore) bool {
		if key, ok := historyKey(score.SessionID, score.Metric); ok {
			x.sessions[key] = score.SessionID
		} else {
			w.Warn(Errorf(CodeBadInput, "the metric %q of session %q cannot stand in %s, whose keys are split at the last ::", clip(score.Metric), clip(score.SessionID), historyPath))
		}
		return true
	})
	x.keys = slices.Sorted(maps.Keys(x.entries))
	for key := range x.sessions {
		if x.entries[key] == nil {
			x.keys = append(x.keys, key)
		}
	}
	slices.Sort(x.keys)
	return x, nil
}

func (x *historyIndex) addFile(ctx context.Context, file *historyFile) error {
	file.finite = true
	p := file.open()
	_, err := p.run(ctx, 0, func(name []byte, d *jsontext.Decoder) error {
		key := string(name)
		from := p.offset()
		if err := d.SkipValue(); err != nil {
			return err
		}
		x.entries[key] = append(x.entries[key], historySpan{from, p.offset()})
		return nil
	})
	return file.describe(p, err)
}

// historyKey joins a key, and tells whether it comes apart again as it was.
func historyKey(session, metric string) (key string, ok bool) {
	key = session + "::" + metric
	s, m, ok := cutHistoryKey([]byte(key))
	return key, ok && string(s) == session && string(m) == metric
}
