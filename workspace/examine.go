package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// ExamineOptions says what is examined. The zero value is the working tree with
// all of its evidence.
type ExamineOptions struct {
	Env   []string // the environment, whose knobs are checked too
	Types []string // events of these types are kept in Examination.Events
	Known []string // the types of events that there are; a line of one is an event wherever it lies

	// Staged is the content that git would commit, examined in place of the
	// working tree; of its evidence only the files that Changed names. What lies
	// in more than one folder, such as a transition and its journal line, may be
	// staged apart and is not compared.
	Staged  fs.FS
	Changed func(rel string) bool
}

// Examination is what Examine found.
type Examination struct {
	Findings   []Finding // in order of their place
	Examined   Examined
	Rules      map[string]Rule   // by id, without those that are broken or two different things
	RuleFiles  map[string]string // by id, of all
	NoFiles    map[string]bool   // by id, of those whose file is a folder, a pipe or a device
	Notices    map[string]Notice // by id; of one in both folders the one that counts
	Events     []FoundEvent      // of the wanted types, in no order
	EventTypes map[string]FoundType

	mends []mend
	lines map[string][]lineMend // by file
}

// Examined counts what was looked at.
type Examined struct {
	Rules    int `json:"rules"`
	Cases    int `json:"cases"`
	Notices  int `json:"notices"`
	Sessions int `json:"sessions"`
	Records  int `json:"records"` // lines of evidence
}

// FoundEvent is an event with its place.
type FoundEvent struct {
	Event
	File string
	Line int
}

// FoundType is a type of events with the first place where it was found.
type FoundType struct {
	File  string
	Line  int
	Count int
}

// futureTolerance is how far clocks of different machines may stand apart
// before a time counts as one of the future.
const futureTolerance = time.Hour

// Examine looks at everything in the workspace and changes nothing: it needs no
// lock and no permission to write (docs/doctor.md). Writers may be at work
// meanwhile; what they are half-way through is no finding. It reads evidence as
// streams. The error is that of ctx, or that of a root that cannot be read.
func (w *Workspace) Examine(ctx context.Context, o ExamineOptions) (*Examination, error) {
	x := newExaminer(w, o)
	if _, err := fs.ReadDir(x.tree, "."); err != nil {
		return nil, ioError("cannot list", w.Root, err)
	}
	x.config()
	x.surroundings()
	x.rules()
	x.cases()
	x.notices()
	x.evidence(ctx)
	x.history(ctx)
	x.references()
	x.settle(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	x.sumUp()
	return &x.found, nil
}

// examiner is one examination under way. Its methods that add to what was found
// may be called by several goroutines.
type examiner struct {
	w    *Workspace
	o    ExamineOptions
	tree fs.FS
	late Time // what is later lies in the future

	kinds []*evidenceKind

	mu       sync.Mutex
	found    Examination
	perKind  map[fileKind]int
	crlf     []string // evidence files with CRLF
	suspects []suspect
}

type fileKind struct{ file, kind string }

func newExaminer(w *Workspace, o ExamineOptions) *examiner {
	x := &examiner{w: w, o: o, tree: o.Staged, late: NewTime(w.Now().Add(futureTolerance)), perKind: map[fileKind]int{}}
	if x.tree == nil {
		x.tree = regularTree{os.DirFS(w.Root)}
	}
	x.kinds = x.evidenceKinds()
	x.found = Examination{
		Findings: []Finding{}, Rules: map[string]Rule{}, RuleFiles: map[string]string{}, NoFiles: map[string]bool{}, Notices: map[string]Notice{},
		EventTypes: map[string]FoundType{}, lines: map[string][]lineMend{},
	}
	return x
}

func (x *examiner) staged() bool { return x.o.Staged != nil }

// mostPerFile is how many findings of a kind a file gets before the rest is
// only counted.
const mostPerFile = 20

func (x *examiner) add(findings ...Finding) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, f := range findings {
		of := fileKind{f.File, f.Kind}
		if x.perKind[of]++; x.perKind[of] <= mostPerFile {
			x.found.Findings = append(x.found.Findings, f)
		}
	}
}

// addRepairable adds a finding that a repair mends.
func (x *examiner) addRepairable(f Finding, do func(*Tx) (done string, err error)) {
	f = x.repairable(f)
	if f.Repairable {
		x.mu.Lock()
		x.found.mends = append(x.found.mends, mend{f.Kind, f.File, do})
		x.mu.Unlock()
	}
	x.add(f)
}

// repairable marks a finding of the working tree: what is staged is for the
// caller to stage anew.
func (x *examiner) repairable(f Finding) Finding {
	f.Repairable = !x.staged()
	return f
}

// sumUp tells what was only counted, and puts all in order.
func (x *examiner) sumUp() {
	found := &x.found
	for of, n := range x.perKind {
		if n > mostPerFile {
			i := slices.IndexFunc(found.Findings, func(f Finding) bool { return fileKind{f.File, f.Kind} == of })
			more := found.Findings[i]
			more.Line, more.Message, more.Mend = 0, fmt.Sprintf("there are %d more findings of the kind %s", n-mostPerFile, of.kind), ""
			found.Findings = append(found.Findings, more)
		}
	}
	if len(x.crlf) > 0 {
		slices.Sort(x.crlf)
		found.Findings = append(found.Findings, Finding{Kind: KindCRLF, File: x.crlf[0], Severity: SeverityNote,
			Message: fmt.Sprintf("has lines that end in CRLF, which are read alike (evidence files with them: %d)", len(x.crlf)),
			Mend:    "to keep git from changing line ends, `git config core.autocrlf false`"})
	}
	found.Examined.Rules = len(found.RuleFiles)
	SortFindings(found.Findings)
}
