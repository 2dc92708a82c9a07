package workspace

import (
	"bufio"
	"bytes"
	"hash/maphash"
	"io"
	"io/fs"

	"github.com/go-json-experiment/json"
)

// fileScan is what one look at an evidence file came to.
type fileScan struct {
	*examiner
	file     evidenceFileName
	reader   *recordReader
	seen     map[uint64]uint64 // digests of records by those of their ids
	findings []Finding
	mends    []lineMend
	events   []FoundEvent
	types    map[string]FoundType
	records  int
	size     int64
	openEnd  bool // the last line has no line end
	crlf     bool
}

// digestSeed serves all examinations of a process; what is mended later is
// compared with what was seen.
var digestSeed = maphash.MakeSeed()

func digest(b []byte) uint64 { return maphash.Bytes(digestSeed, b) }

// rawLine is a line as it stands in its file.
type rawLine struct {
	number int
	offset int64
	text   []byte // with its line end
}

func (l rawLine) ended() bool { return bytes.HasSuffix(l.text, []byte{'\n'}) }

// content is what readers see of the line.
func (l rawLine) content() []byte {
	text := l.text
	if l.number == 1 {
		text = TrimBOM(text)
	}
	return bytes.TrimSpace(text)
}

// eachLine calls each with every line, whose text is valid during the call.
func eachLine(buffer *bufio.Reader, each func(rawLine)) error {
	var long []byte
	l := rawLine{number: 1}
	for {
		part, err := buffer.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, part...)
			continue
		}
		if l.text = part; len(long) > 0 {
			l.text = append(long, part...)
			long = l.text[:0]
		}
		if len(l.text) > 0 {
			each(l)
		}
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		l.number, l.offset = l.number+1, l.offset+int64(len(l.text))
	}
}

// scan reads the file once.
func (s *fileScan) scan() error {
	f, err := s.tree.Open(s.file.rel)
	if err != nil {
		return err
	}
	defer f.Close()
	s.reader.buffer.Reset(f)
	return eachLine(s.reader.buffer, s.line)
}

func (s *fileScan) line(l rawLine) {
	s.size = l.offset + int64(len(l.text))
	s.openEnd = !l.ended()
	s.crlf = s.crlf || bytes.HasSuffix(l.text, []byte("\r\n"))
	content := l.content()
	if len(content) == 0 {
		return
	}
	rec, err := s.reader.read(content)
	if err != nil {
		s.unreadable(l, content, err)
		return
	}
	s.records++
	kind := s.kindOf(&rec, s.file.kind)
	if p := problemOf(kind, content, &rec); p.kind != "" {
		f := Finding{Kind: p.kind, File: s.file.rel, Line: l.number, Severity: SeverityError, Message: p.message, Mend: p.mend}
		switch f.Kind { // it is read all the same
		case KindFutureTime:
			f.Severity = SeverityWarning
		case KindUnknownEvent:
			f.Severity = SeverityNote
		}
		s.findings = append(s.findings, f)
		if f.Severity == SeverityError {
			return
		}
	}
	if kind != s.file.kind {
		s.foreign(l, kind, kind.belongs(&rec, s.file.base))
		return
	}
	s.whole(l, content, &rec)
}

// foreign tells of a record that does not belong into this folder. Evidence on a
// rule does not say on which; the name of its file may.
func (s *fileScan) foreign(l rawLine, kind *evidenceKind, base string) {
	f := Finding{Kind: KindMisplacedRecord, File: s.file.rel, Line: l.number, Severity: SeverityError,
		Message: "is " + kind.line + ", which is not looked for in " + s.file.kind.dir}
	switch {
	case base != "":
		f.Mend = "move it to " + kind.dir + "/" + base
		s.mend(l, f, kind.dir+"/"+base)
	case !s.file.misnamed: // else the file is told of
		f.Mend = "move it to the file of its " + kind.unit + " in " + kind.dir
		s.findings = append(s.findings, f)
	}
}

// unreadable tells of a line that is no JSON object.
func (s *fileScan) unreadable(l rawLine, content []byte, err error) {
	f := Finding{Kind: KindTornLine, File: s.file.rel, Line: l.number, Severity: SeverityWarning,
		Message: "is no whole record, torn by a crash or a merge; readers pass over it", Mend: "set it aside in " + repairedDir}
	switch {
	case isMarker(content):
		f.Kind, f.Message = KindConflict, "is a conflict marker of git; the records around it are read"
	case !isTorn(content):
		f.Kind, f.Severity, f.Message, f.Mend = KindBadRecord, SeverityError, "is no record: "+shorten(err), "correct the line, or move it away"
		s.findings = append(s.findings, f)
		return
	case !l.ended():
		f.Kind, f.Message = KindTornTail, "is the torn end of the file, as a crash leaves it; readers pass over it"
		fallthrough
	default:
		switch whole, torn := unglue(content, s.reader); {
		case len(torn) == 0:
			f.Severity, f.Message, f.Mend = SeverityError, "holds more than one record, and none of them is read", "give each a line of its own"
		case len(whole) > 0:
			f.Severity, f.Message = SeverityError, "is torn, with whole records glued to it, which are not read"
			f.Mend = "give the records lines of their own and set the rest aside in " + repairedDir
		}
	}
	s.mend(l, f, "")
}

// whole looks at a record that readers take.
func (s *fileScan) whole(l rawLine, content []byte, rec *record) {
	s.findings = append(s.findings, s.future(s.file.rel, l.number, "ts", rec.ts)...)
	if id, sum := digest(rec.id), digest(content); s.seen[id] == 0 {
		s.seen[id] = sum
	} else if s.seen[id] != sum {
		s.findings = append(s.findings, Finding{Kind: KindRepeatedID, File: s.file.rel, Line: l.number, Severity: SeverityWarning,
			Message: "has the id of another record that says something else; only one of the two is read",
			Mend:    "give one of them a fresh id of 16 hex digits, or remove the one that is wrong"})
	}
	base, to := s.file.kind.belongs(rec, s.file.base), ""
	if base != "" {
		to = s.file.kind.dir + "/" + base
	}
	if s.file.misnamed || base != s.file.base {
		f := Finding{Kind: KindMisplacedRecord, File: s.file.rel, Line: l.number, Severity: SeverityError,
			Message: "lies in the file of another " + s.file.kind.unit + ", where it is not looked for", Mend: "move it to " + to}
		s.mend(l, f, to)
	} else if !l.ended() {
		s.mend(l, Finding{Kind: KindTornTail, File: s.file.rel, Line: l.number, Severity: SeverityWarning,
			Message: "has no line end; the record itself is whole", Mend: "end the line"}, to)
	}
	if s.file.kind.dir == journalDir {
		s.event(l, content, rec)
	}
}

// mend tells of a line that a repair mends; to is the file into which the record
// belongs, up to the writer.
func (s *fileScan) mend(l rawLine, f Finding, to string) {
	if s.file.misnamed && f.Kind == KindMisplacedRecord {
		if to == "" {
			return // for a person, who is told of the file
		}
	} else {
		s.findings = append(s.findings, s.repairable(f))
	}
	s.mends = append(s.mends, lineMend{kind: f.Kind, number: l.number, offset: l.offset, length: int64(len(l.text)), sum: digest(l.text), to: to})
}

func (s *fileScan) event(l rawLine, content []byte, rec *record) {
	seen, known := s.types[string(rec.kind)]
	if !known {
		seen.File, seen.Line = s.file.rel, l.number
	}
	seen.Count++
	s.types[string(rec.kind)] = seen
	for _, wanted := range s.o.Types {
		if wanted == string(rec.kind) {
			e := FoundEvent{File: s.file.rel, Line: l.number}
			if json.Unmarshal(content, &e.Event) == nil {
				s.events = append(s.events, e)
			}
		}
	}
}

// grown tells that a writer appended since the file was read.
func (s *fileScan) grown() bool {
	st, err := fs.Stat(s.tree, s.file.rel)
	return err == nil && st.Size() != s.size
}
