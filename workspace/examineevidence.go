package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// evidenceKind is one of the folders of evidence.
type evidenceKind struct {
	dir     string
	unit    string                                 // what a file is for
	line    string                                 // what a line is
	named   func(base string) bool                 // whether a file can have the base
	belongs func(rec *record, base string) string  // the base of the file into which a record belongs; "" = cannot be told
	problem func(rec *record, line []byte) problem // what is wrong beside ts and id
}

func (x *examiner) evidenceKinds() []*evidenceKind {
	return []*evidenceKind{
		{journalDir, "day", "an event", isDate, func(rec *record, _ string) string { return rec.ts.t.Format(dateLayout) }, eventProblem},
		{trialsDir, "rule", "evidence on a rule", func(base string) bool { return CheckRuleID(base) == nil }, ruleOfBase, trialProblem},
		{sessionsDir, "session", "the report of a session", func(string) bool { return true }, func(rec *record, _ string) string { return sessionName(string(rec.session)) }, x.sessionProblem},
	}
}

// kindOf tells what kind of evidence a record is: that of the folder in which it
// lies, unless it is another for certain. Only a report has no type; of a type
// that nobody knows, another version may say more.
func (x *examiner) kindOf(rec *record, lies *evidenceKind) *evidenceKind {
	dir := lies.dir
	switch kind := string(rec.kind); {
	case kind == Observation, kind == Attempt:
		dir = trialsDir
	case slices.Contains(x.o.Known, kind):
		dir = journalDir
	case kind == "" && rec.reports && len(rec.session) > 0:
		dir = sessionsDir
	}
	return x.kinds[slices.IndexFunc(x.kinds, func(k *evidenceKind) bool { return k.dir == dir })]
}

const dateLayout = "2006-01-02"

func isDate(base string) bool {
	_, err := ParseTime(base + "T00:00:00Z")
	return err == nil
}

// ruleOfBase trusts the name of the file: a line does not say its rule.
func ruleOfBase(_ *record, base string) string {
	id, _, _ := strings.Cut(base, ".")
	if CheckRuleID(id) != nil {
		return ""
	}
	return id
}

// evidenceFileName is an evidence file and what its name says.
type evidenceFileName struct {
	kind     *evidenceKind
	rel      string
	base     string
	misnamed bool // no reader looks at it
}

// evidence reads all evidence, on every processor. Files of one base are read
// one after the other, since their records are one history.
func (x *examiner) evidence(ctx context.Context) {
	groups := make(chan []evidenceFileName)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			reader := newRecordReader()
			for group := range groups {
				if ctx.Err() == nil {
					x.evidenceGroup(group, reader)
				}
			}
		})
	}
	for _, kind := range x.kinds {
		for _, group := range x.evidenceGroups(kind) {
			groups <- group
		}
	}
	close(groups)
	workers.Wait()
}

// evidenceGroups lists the files of a folder, those of one base together.
func (x *examiner) evidenceGroups(kind *evidenceKind) (groups [][]evidenceFileName) {
	at := map[string]int{}
	for _, name := range x.folder(kind.dir, evidenceEnding) {
		rel := kind.dir + "/" + name
		if x.staged() && !x.o.Changed(rel) {
			continue
		}
		f := evidenceFileName{kind: kind, rel: rel}
		base, _, ok := splitEvidenceName(name)
		if f.base = base; !ok || !kind.named(base) {
			f.misnamed, f.base = true, strings.TrimSuffix(name, evidenceEnding)
		}
		i, known := at[f.base]
		if !known {
			i = len(groups)
			at[f.base], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], f)
		if kind.dir == trialsDir && !f.misnamed {
			x.trialOf(f)
		}
	}
	if kind.dir == sessionsDir {
		x.found.Examined.Sessions = len(groups)
	}
	return groups
}

func (x *examiner) trialOf(f evidenceFileName) {
	if x.staged() || x.found.RuleFiles[f.base] != "" {
		return
	}
	x.suspect(Finding{Kind: KindUnknownRule, File: f.rel, Severity: SeverityWarning,
		Message: "is evidence on a rule that there is not", Mend: "bring the rule's file back from git, or remove this file"},
		func() bool { _, err := x.w.Rule(f.base); return CodeOf(err) == CodeNotFound }, nil)
}

func (x *examiner) evidenceGroup(group []evidenceFileName, reader *recordReader) {
	seen := map[uint64]uint64{}
	for _, file := range group {
		var s *fileScan
		for range 3 { // a writer at work ends its line meanwhile
			s = &fileScan{examiner: x, file: file, reader: reader, seen: seen, types: map[string]FoundType{}}
			if err := s.scan(); err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					x.unreadable(file.rel, err)
				}
				break
			}
			if !s.openEnd || x.staged() || !s.grown() {
				break
			}
		}
		x.take(s)
	}
}

// take adds what a scan came to.
func (x *examiner) take(s *fileScan) {
	if s.file.misnamed && s.size > 0 {
		s.findings = append(s.findings, s.misnamed())
	}
	x.add(s.findings...)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.found.Events = append(x.found.Events, s.events...)
	x.found.Examined.Records += s.records
	if len(s.mends) > 0 && !x.staged() {
		x.found.lines[s.file.rel] = s.mends
	}
	if s.crlf {
		x.crlf = append(x.crlf, s.file.rel)
	}
	for kind, t := range s.types {
		if known, ok := x.found.EventTypes[kind]; ok {
			if known.File < t.File {
				t.File, t.Line = known.File, known.Line
			}
			t.Count += known.Count
		}
		x.found.EventTypes[kind] = t
	}
}

func (s *fileScan) misnamed() Finding {
	f := Finding{Kind: KindMisnamedFile, File: s.file.rel, Severity: SeverityError,
		Message: fmt.Sprintf("is not read: evidence on a %s lies in %s/<%s>.<writer>%s", s.file.kind.unit, s.file.kind.dir, s.file.kind.unit, evidenceEnding),
		Mend:    "give it such a name"}
	if len(s.mends) > 0 {
		f.Mend = "move its records to the files where they belong"
		return s.repairable(f)
	}
	return f
}
