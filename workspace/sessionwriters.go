package workspace

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// writersCache remembers which writers have session files, so that finding the
// files of one session does not list those of all. It holds for the folder as
// it was at ModTime, and for a minute, since a clock's grain can hide a change.
type writersCache struct {
	ModTime  int64    `json:"mod_time"`  // of the folder, Unix nanoseconds
	ListedAt int64    `json:"listed_at"` // Unix seconds
	Writers  []string `json:"writers"`
}

const (
	writersFile     = "state/local/session_writers.json"
	writersCacheFor = time.Minute
)

// sessionWriters names the writers of session files.
func (w *Workspace) sessionWriters() ([]string, error) {
	if c, ok := w.cachedWriters(); ok {
		return c.Writers, nil
	}
	return w.listWriters()
}

func (w *Workspace) cachedWriters() (writersCache, bool) {
	var c writersCache
	data, err := w.readOptional(writersFile)
	if err != nil || data == nil || json.Unmarshal(data, &c) != nil {
		return c, false
	}
	age := time.Now().Unix() - c.ListedAt
	return c, c.ModTime == w.modTime(sessionsDir) && age >= 0 && age < int64(writersCacheFor/time.Second)
}

func (w *Workspace) listWriters() ([]string, error) {
	names, err := w.names(sessionsDir, evidenceEnding)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	var writers []string
	for _, name := range names {
		if _, writer, ok := splitEvidenceName(name); ok && !found[writer] {
			found[writer] = true
			writers = append(writers, strings.Clone(writer))
		}
	}
	slices.Sort(writers)
	return writers, nil
}

func (w *Workspace) modTime(rel string) int64 {
	st, err := os.Stat(w.path(rel))
	if err != nil {
		return 0
	}
	return st.ModTime().UnixNano()
}

// knownWriters is what a Tx knows of the writers. While it has the write lock
// no other process of this clone makes session files.
type knownWriters struct {
	cache  writersCache
	loaded bool
	stale  bool // the cache on disk has to be written anew
}

func (tx *Tx) sessionWriters() ([]string, error) {
	k := &tx.writers
	if k.loaded {
		return k.cache.Writers, nil
	}
	c, ok := tx.w.cachedWriters()
	if !ok {
		writers, err := tx.w.listWriters()
		if err != nil {
			return nil, err
		}
		c = writersCache{ListedAt: time.Now().Unix(), Writers: writers}
	}
	*k = knownWriters{cache: c, loaded: true, stale: !ok}
	return c.Writers, nil
}

// madeSessionFile notes that this writer has made a new file.
func (tx *Tx) madeSessionFile() error {
	if _, err := tx.sessionWriters(); err != nil {
		return err
	}
	k := &tx.writers
	k.stale = true
	if !slices.Contains(k.cache.Writers, tx.writer) {
		k.cache.Writers = append(k.cache.Writers, tx.writer)
		slices.Sort(k.cache.Writers)
	}
	return nil
}

// storeWriters writes what changed into the cache. A torn or missing cache
// costs the next reader a listing, nothing else.
func (tx *Tx) storeWriters() {
	if !tx.writers.stale {
		return
	}
	tx.writers.cache.ModTime = tx.w.modTime(sessionsDir)
	if data, err := json.Marshal(tx.writers.cache); err == nil {
		os.WriteFile(tx.w.path(writersFile), data, 0o666)
	}
}
