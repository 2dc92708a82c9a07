package workspace

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// writersCache remembers which writers have evidence, so that finding the files
// of one session or rule does not list those of all. It holds for the folders as
// they were at ModTimes, and for a minute, since a clock's grain can hide a
// change.
type writersCache struct {
	ModTimes map[string]int64 `json:"mod_times"` // of the folders, Unix nanoseconds
	ListedAt int64            `json:"listed_at"` // Unix seconds
	Writers  []string         `json:"writers"`
}

const (
	writersFile     = "state/local/writers.json"
	writersCacheFor = time.Minute
)

// manyFiles are the folders that grow with the traffic or with the rules that
// were ever tried.
var manyFiles = [...]string{sessionsDir, trialsDir}

// writers names the writers of evidence on sessions and rules.
func (w *Workspace) writers() ([]string, error) {
	if c, ok := w.cachedWriters(); ok {
		return c.Writers, nil
	}
	c := writersCache{ModTimes: w.modTimes(), ListedAt: time.Now().Unix()}
	var err error
	if c.Writers, err = w.listWriters(); err == nil {
		w.listed.Store(&c)
	}
	return c.Writers, err
}

// cachedWriters is what this process, or another one, listed a short while ago.
func (w *Workspace) cachedWriters() (writersCache, bool) {
	times := w.modTimes()
	if c := w.listed.Load(); c != nil && c.holds(times) {
		return *c, true
	}
	var c writersCache
	data, err := w.readOptional(writersFile)
	if err != nil || data == nil || json.Unmarshal(data, &c) != nil || !c.holds(times) {
		return writersCache{}, false
	}
	w.listed.Store(&c)
	return c, true
}

func (c writersCache) holds(times map[string]int64) bool {
	age := time.Now().Unix() - c.ListedAt
	leadsOut := slices.ContainsFunc(c.Writers, func(writer string) bool { return strings.ContainsAny(writer, `/\`) })
	return !leadsOut && c.isOf(times) && age >= 0 && age < int64(writersCacheFor/time.Second)
}

func (c writersCache) isOf(times map[string]int64) bool {
	for dir, at := range times {
		if c.ModTimes[dir] != at {
			return false
		}
	}
	return true
}

func (w *Workspace) modTimes() map[string]int64 {
	times := map[string]int64{}
	for _, dir := range manyFiles {
		if st, err := os.Stat(w.path(dir)); err == nil {
			times[dir] = st.ModTime().UnixNano()
		}
	}
	return times
}

func (w *Workspace) listWriters() ([]string, error) {
	found := map[string]bool{}
	var writers []string
	for _, dir := range manyFiles {
		names, err := w.names(dir, evidenceEnding)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if _, writer, ok := splitEvidenceName(name); ok && !found[writer] {
				found[writer] = true
				writers = append(writers, strings.Clone(writer))
			}
		}
	}
	slices.Sort(writers)
	return writers, nil
}

// ofWriters names the files among those that the writers may have.
func (w *Workspace) ofWriters(writers []string, name func(writer string) string) []string {
	var files []string
	for _, writer := range writers {
		if rel := name(writer); exists(w.path(rel)) {
			files = append(files, rel)
		}
	}
	return files
}

// knownWriters is what a Tx knows of the writers. While it has the write lock
// no other process of this clone makes evidence files.
type knownWriters struct {
	cache  writersCache
	loaded bool
	stale  bool // the cache on disk has to be written anew
}

func (tx *Tx) knownWriters() ([]string, error) {
	k := &tx.known
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
	c.Writers = slices.Clone(c.Writers) // readers have the other
	*k = knownWriters{cache: c, loaded: true, stale: !ok}
	return c.Writers, nil
}

// appendKnown appends to an evidence file of a folder with many, and keeps the
// cache true when that makes a new file.
func (tx *Tx) appendKnown(rel string, at Time, record any) (size int64, err error) {
	if err := tx.knowWriter(rel); err != nil {
		return 0, err
	}
	m, err := tx.append(rel, at, record)
	return m.grown, err
}

// knowWriter notes this writer before the file is made.
func (tx *Tx) knowWriter(rel string) error {
	if exists(tx.w.path(rel)) {
		return nil
	}
	if _, err := tx.knownWriters(); err != nil {
		return err
	}
	k := &tx.known
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
	if !tx.known.stale {
		return
	}
	tx.known.cache.ModTimes = tx.w.modTimes()
	if data, err := json.Marshal(tx.known.cache, json.Deterministic(true)); err == nil {
		tx.w.writeHint(writersFile, data)
	}
}
