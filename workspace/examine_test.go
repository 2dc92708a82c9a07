package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"
)

// TestManyFindingsOfAKindAreCounted: a file of rubbish does not flood the answer.
func TestManyFindingsOfAKindAreCounted(t *testing.T) {
	w := newRepairTest(t)
	write(t, w, dayFile, strings.Repeat("{\n", 1000)+dayLine(1))
	x := examine(t, w)
	if len(x.Findings) != mostPerFile+1 {
		t.Fatalf("%d findings", len(x.Findings))
	}
	if more := x.Findings[0]; !strings.Contains(more.Message, "980 more") || !more.Repairable {
		t.Errorf("got %v", more)
	}
	mendAll(t, w, x)
	if got := read(t, w, dayFile); got != dayLine(1) {
		t.Errorf("all lines are mended, told or not: %q", got)
	}
}

func TestAnExaminationCanBeInterrupted(t *testing.T) {
	w := newRepairTest(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := w.Examine(ctx, ExamineOptions{}); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

// TestLongLinesAreRead: no line is too long.
func TestLongLinesAreRead(t *testing.T) {
	w := newRepairTest(t)
	long := strings.Replace(dayLine(2), `"x"`, `"x","note":"`+strings.Repeat("y", 1<<20)+`"`, 1)
	write(t, w, dayFile, dayLine(1)+long+strings.TrimSuffix(long, "}\n"))
	x := examine(t, w)
	if x.Examined.Records != 2 || len(x.Findings) != 1 || x.Findings[0].Kind != KindTornTail || x.Findings[0].Line != 3 {
		t.Errorf("%d records, %v", x.Examined.Records, x.Findings)
	}
	mendAll(t, w, x)
	if read(t, w, dayFile) != dayLine(1)+long {
		t.Error("a long line was not kept as it is")
	}
}

// TestStagedContentIsExaminedAlone: the working tree does not count, evidence
// that is not changed is not read, and nothing is compared that may be committed
// apart.
func TestStagedContentIsExaminedAlone(t *testing.T) {
	w := newRepairTest(t)
	write(t, w, dayFile, "{\n")
	tree := fstest.MapFS{
		ConfigName:                          {Data: []byte("rule_validation = 1\n")},
		".gitignore":                        {Data: []byte(ignoreLines)},
		".gitattributes":                    {Data: []byte(attrLines)},
		rulesDir + "/r-0123456789.toml":     {Data: []byte("<<<<<<< HEAD\n")},
		journalDir + "/2026-01-02.a.jsonl":  {Data: []byte("{\n")},
		journalDir + "/2026-01-03.a.jsonl":  {Data: []byte("{\n")},
		trialsDir + "/r-0000000000.a.jsonl": {Data: []byte(`{"ts":"2026-01-01T10:00:00Z","id":"1","type":"replay_attempt"}` + "\n")},
		"state/local/writer":                {Data: []byte("aaaaaa\n")},
		RenderedName:                        {Data: []byte("x")},
	}
	x, err := w.Examine(context.Background(), ExamineOptions{Staged: tree, Changed: func(rel string) bool { return !strings.Contains(rel, "01-03") }})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range x.Findings {
		got = append(got, f.Kind+" "+f.File)
		if f.Repairable {
			t.Errorf("what is staged cannot be repaired: %v", f)
		}
	}
	want := "bad_config harness.toml, local_staged harness_rules.md, torn_line state/journal/2026-01-02.a.jsonl, " +
		"local_staged state/local, conflict_markers state/rules/r-0123456789.toml"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, ", "), want)
	}
}

// FuzzRecord holds the doctor to the readers: it finds nothing in a line that
// they take, and something in a line that they pass over.
func FuzzRecord(f *testing.F) {
	for _, line := range []string{
		strings.TrimSpace(dayLine(1)), `{"type": "x", "id": "\u0061", "ts": "2026-01-01T10:00:00+01:00", "rule_id": null}`, `{"ts":1}`, `{"ts":"x"}`,
		`{}`, `{"ts":null,"ts":""}`, `[]`, `{"id":"a"}{"id":"b"}`, "{\"id\":\"\xff\"}", `{"ts":"2026-01-01T10:00:00Z","id":"1","type":5}`, `null`, ``,
		`{"ts":"2026-01-01T10:00:00Z","id":"1","\u0074ype":"x","session_id":{}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.TrimSpace(line)
		rec, err := newRecordReader().read(line)
		whole := err == nil && rec.problem.kind == "" && !rec.ts.IsZero() && len(rec.id) > 0 && len(rec.kind) > 0
		var e Event
		taken := json.Unmarshal(line, &e) == nil && !e.TS.IsZero() && e.ID != "" && e.Type != ""
		if whole != taken {
			t.Fatalf("%q: the doctor says %v (%v, %v), the readers %v", line, whole, err, rec.problem, taken)
		}
		if whole && (string(rec.id) != e.ID || string(rec.kind) != e.Type || !rec.ts.Equal(e.TS) || string(rec.session) != e.SessionID || string(rec.rule) != e.RuleID) {
			t.Fatalf("%q: %+v is not %+v", line, rec, e)
		}
	})
}

// FuzzUnglue wants no byte of a torn line to get lost, and whole records to be
// records.
func FuzzUnglue(f *testing.F) {
	one := strings.TrimSpace(dayLine(1))
	for _, line := range []string{one + one, one[:20] + one, one + one[:20], one[:30] + one + "x" + one, `{"ts":"{"ts":"{"ts":"`, "\x00" + one} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r := newRecordReader()
		whole, torn := unglue(line, r)
		length := 0
		solid := func(b []byte) int { return len(bytes.Join(bytes.Fields(b), nil)) }
		for _, part := range whole {
			length += solid(part)
			if rec, err := r.read(part); err != nil || len(rec.id) == 0 {
				t.Fatalf("%q is no record: %v", part, err)
			}
		}
		for _, part := range torn {
			length += solid(part)
			if !bytes.Contains(line, part) {
				t.Fatalf("%q is not part of %q", part, line)
			}
		}
		if length != solid(line) {
			t.Fatalf("%q: %d of %d bytes", line, length, solid(line))
		}
	})
}

// FuzzConflictSides wants a file that the two sides agree on to be that file.
func FuzzConflictSides(f *testing.F) {
	f.Add("a\n", "b\n", "c\n")
	f.Add("", "", "=======\n")
	f.Fuzz(func(t *testing.T, before, ours, theirs string) {
		for _, part := range []string{before, ours, theirs} {
			if strings.ContainsAny(part, "<>=|") || part != "" && !strings.HasSuffix(part, "\n") {
				return // nothing that stands between the markers of git
			}
		}
		text := before + "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> other\n" + before
		sides, ok := conflictSides([]byte(text))
		if !ok || string(sides[0].text) != before+ours+before || string(sides[1].text) != before+theirs+before || sides[1].name != "other" {
			t.Fatalf("%q: %q, %v", text, sides, ok)
		}
	})
}

// growingFS shows half of the last line of a file at the first look, as a
// reader beside a writer may see it.
type growingFS struct {
	fstest.MapFS
	file  string
	looks int
}

func (g *growingFS) Open(name string) (fs.File, error) {
	if name == g.file {
		if g.looks++; g.looks == 1 {
			whole := g.MapFS[name].Data
			return fstest.MapFS{name: {Data: whole[:len(whole)-20]}}.Open(name)
		}
	}
	return g.MapFS.Open(name)
}

func TestALineThatIsBeingWrittenIsNotTorn(t *testing.T) {
	x := newExaminer(newRepairTest(t), ExamineOptions{})
	tree := &growingFS{MapFS: fstest.MapFS{dayFile: {Data: []byte(dayLine(1) + dayLine(2))}}, file: dayFile}
	x.tree = tree
	x.evidence(context.Background())
	if len(x.found.Findings) > 0 || x.found.Examined.Records != 2 || tree.looks < 2 {
		t.Errorf("%d looks, %d records, %v", tree.looks, x.found.Examined.Records, x.found.Findings)
	}
}
