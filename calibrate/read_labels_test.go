package calibrate

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

const mark = "\xef\xbb\xbf"

func TestReadLabelsForms(t *testing.T) {
	s1s2 := map[string]bool{"s1": true, "s2": false}
	for _, c := range []struct {
		name, text string
		want       map[string]bool
	}{
		{"object", `{"s1": true, "s2": false}`, s1s2},
		{"list", `[{"session_id": "s1", "failed": true}, {"session_id": "s2", "failed": false}]`, s1s2},
		{"list, other names and order", `[{"failed": "FAIL", "note": {"failed": [1]}, "session_id": "s1"}, {"session_id": "s2", "failed": 0}]`, s1s2},
		{"list, escaped names", `[{"\u0073ession_id": "s1", "fail\u0065d": "t"}, {"session_id": "s2", "failed": "f"}]`, s1s2},
		{"object, words and numbers", `{"a": 1, "b": "1.0", "c": 0.0, "d": " No ", "e": 1.0, "f": 0}`,
			map[string]bool{"a": true, "b": true, "c": false, "d": false, "e": true, "f": false}},
		{"object, name twice alike", `{"s1": true, "s2": false, "s1": "yes"}`, s1s2},
		{"object, ids kept as they are", `{" s1 ": true, "a,b": false, "\ud83d\udc3c": 1}`, map[string]bool{" s1 ": true, "a,b": false, "\U0001f43c": true}},
		{"object after white space", "\r\n\t {\"s1\": true,\n\"s2\": false}\n\n", s1s2},
		{"csv", "session_id,failed\ns1,true\ns2,false\n", s1s2},
		{"csv, no newline at the end", "session_id,failed\ns1,true\ns2,false", s1s2},
		{"csv, CRLF", "session_id,failed\r\ns1,true\r\ns2,false\r\n", s1s2},
		{"csv, other columns and order", "note,failed,score,session_id\nx,1,0.3,s1\n,0,,s2\n", s1s2},
		{"csv, same label twice", "session_id,failed\ns1,true\ns2,false\ns1,FAIL\n", s1s2},
		{"csv, semicolon and decimal comma (R-03)", "session_id;failed;score\r\ns1;true;0,85\r\ns2;false;0,9\r\n", s1s2},
		{"csv, tab", "session_id\tfailed\ns1\ttrue\ns2\tfalse\n", s1s2},
		{"csv, tab, first column unnamed", "\tsession_id\tfailed\n0\ts1\ttrue\n1\ts2\tfalse\n", s1s2},
		{"csv, quoted semicolons in the header", "session_id,\"a;b;c;d;e\",failed\ns1,\";;;;\",true\ns2,;;;;,false\n", s1s2},
		{"csv, semicolon with commas in ids", "session_id;failed\na,b,c;true\nd,e;false\n", map[string]bool{"a,b,c": true, "d,e": false}},
		{"csv, quoted id", "session_id,failed\n\"a,\"\"b\"\"\",true\n", map[string]bool{`a,"b"`: true}},
		{"csv, header quoted", "\"session_id\",\"failed\"\ns1,true\ns2,false\n", s1s2},
		{"csv, header over two lines", "session_id,\"my\nnote\",failed\ns1,,true\ns2,,false\n", s1s2},
		{"csv, sep=;", "sep=;\r\nsession_id;failed\r\ns1;true\r\ns2;false\r\n", s1s2},
		{"csv, sep in quotes", "\"SEP=;\"\nsession_id;failed\ns1;true\ns2;false\n", s1s2},
		{"csv, sep is a tab", "sep=\t\nsession_id\tfailed\ns1\ttrue\ns2\tfalse\n", s1s2},
		{"csv, sep is a bar", "sep=|\nsession_id|failed\ns1|true\ns2|false\n", s1s2},
		{"csv, padded", " Session_ID ; Failed \n s1 ; TRUE \n s2 ; f \n", s1s2},
		{"csv, blank lines and rows", "\n\nsession_id,failed\n\ns1,true\n,\ns2,false\n , \n\n", s1s2},
		{"csv, empty cells beyond the header", "session_id,failed\ns1,true,,\ns2,false,\n", s1s2},
		{"csv, gaps in the pandas way (R-02)", "session_id,failed\ns1,1.0\ns2,0.0\n", s1s2},
	} {
		for prefix, form := range map[string]string{"": "plain", mark: "with a byte-order mark (R-01)"} {
			labels, err := ReadLabels(strings.NewReader(prefix + c.text))
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, form, err)
			} else if diff := cmp.Diff(c.want, maps.Collect(labels.All())); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", c.name, form, diff)
			}
		}
	}
}

func TestLabelWords(t *testing.T) {
	for _, word := range []string{"true", "1", "1.0", "yes", "y", "t", "fail", "failed", "TRUE", "True", " Failed\t"} {
		if failed, known := labelWord(word); !known || !failed {
			t.Errorf("%q: failed %v, known %v", word, failed, known)
		}
	}
	for _, word := range []string{"false", "0", "0.0", "no", "n", "f", "ok", "pass", "passed", "FALSE", "Ok", " no"} {
		if failed, known := labelWord(word); !known || failed {
			t.Errorf("%q: failed %v, known %v", word, failed, known)
		}
	}
	for _, word := range []string{"", " ", "2", "-1", "0.5", "1,0", "null", "none", "nan", "maybe", "tr ue", "01", "1e0"} {
		if _, known := labelWord(word); known {
			t.Errorf("%q is known", word)
		}
	}
}

func TestReadLabelsRefuses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       LabelError // Reason: a part of it
	}{
		{"empty", "", LabelError{Line: 1, Reason: "empty"}},
		{"white space only", " \n\t\r\n", LabelError{Line: 1, Reason: "empty"}},
		{"only a mark", mark, LabelError{Line: 1, Reason: "empty"}},
		{"empty object", "{}", LabelError{Line: 1, Reason: "no labels"}},
		{"empty list", "[ ]\n", LabelError{Line: 1, Reason: "no labels"}},
		{"header only", "session_id,failed\n", LabelError{Line: 1, Reason: "no labels"}},
		{"utf-16 little", "\xff\xfes\x00e\x00", LabelError{Line: 1, Reason: "UTF-16: save it as UTF-8"}},
		{"utf-16 big", "\xfe\xff\x00s", LabelError{Line: 1, Reason: "UTF-16"}},
		{"utf-16 unmarked", "{\x00\"\x00", LabelError{Line: 1, Reason: "UTF-16"}},

		{"csv, blank label (R-02)", "session_id,failed\ns1,1.0\ns3,\n", LabelError{Line: 3, Session: "s3", Reason: `label of session "s3" is blank`}},
		{"csv, white label", "session_id,failed\ns3, \n", LabelError{Line: 2, Session: "s3", Value: " ", Reason: "blank"}},
		{"csv, no label cell", "session_id,failed\ns1,true\n\ns3\n", LabelError{Line: 4, Session: "s3", Reason: `no cell for column "failed"`}},
		{"csv, no session cell", "failed,session_id\ntrue,s1\ntrue\n", LabelError{Line: 3, Reason: `no cell for column "session_id"`}},
		{"csv, unknown label", "session_id,failed\ns1,true\ns2,maybe\n", LabelError{Line: 3, Session: "s2", Value: "maybe", Reason: `label "maybe" of session "s2"`}},
		{"csv, two", "session_id,failed\ns1,2\n", LabelError{Line: 2, Session: "s1", Value: "2", Reason: "not known"}},
		{"csv, empty session", "session_id,failed\ns1,true\n ,true\n", LabelError{Line: 3, Reason: "session id is empty"}},
		{"csv, line after a quoted newline", "note,session_id,failed\n\"a\nb\",s1,true\n,s2,maybe\n", LabelError{Line: 4, Session: "s2", Value: "maybe", Reason: "not known"}},
		{"csv, line after sep", "sep=;\nsession_id;failed\ns1;maybe\n", LabelError{Line: 3, Session: "s1", Value: "maybe", Reason: "not known"}},
		{"csv, conflict", "session_id,failed\ns1,true\ns2,ok\ns1,0\n", LabelError{Line: 4, Session: "s1", Value: "ok", Reason: `labeled ok here but failed at line 2`}},
		{"csv, unquoted delimiter in an id", "session_id,failed\na,1,true\n", LabelError{Line: 2, Session: "a", Reason: "3 cells, but the header 2"}},
		{"csv, column missing", "session_id;label\ns1;true\n", LabelError{Line: 1, Reason: `wanted the columns session_id and failed, found "session_id", "label" (delimiter ";")`}},
		{"csv, tabs, column missing", "id\tfailed\ns1\ttrue\n", LabelError{Line: 1, Reason: `found "id", "failed" (delimiter tab)`}},
		{"csv, no delimiter (R-03)", "\nsession_id|failed\ns1|true\n", LabelError{Line: 2, Reason: "no comma, semicolon or tab"}},
		{"csv, stated delimiter is wrong", "sep=;\nsession_id,failed\ns1,true\n", LabelError{Line: 2, Reason: `(delimiter ";")`}},
		{"csv, sep of nothing", "sep=\r;\nsession_id;failed\ns1;true\n", LabelError{Line: 1, Reason: `found "sep="`}},
		{"csv, column twice", "session_id,failed,Failed\ns1,true,false\n", LabelError{Line: 1, Reason: `column "Failed" is there twice`}},
		{"csv, Latin-1", "session_id,failed,note\ns1,true,M\xfcller\n", LabelError{Line: 2, Reason: "not UTF-8"}},
		{"csv, Latin-1 header", "session_id,failed,gr\xf6\xdfe\ns1,true,1\n", LabelError{Line: 1, Reason: "not UTF-8"}},
		{"csv, open quote", "session_id,failed\ns1,true\n\"s2,true\ns3,false\n", LabelError{Line: 3, Reason: "quotes of a cell do not match"}},
		{"csv, bare quote", "session_id,failed\ns1,true\ns\"2,true\n", LabelError{Line: 3, Reason: "inside an unquoted cell"}},
		{"csv, open quote in the header", "session_id,\"failed\ns1,true\n", LabelError{Line: 1, Reason: "quotes of a cell do not match"}},
		{"json null", "null", LabelError{Line: 1, Reason: `found "null"`}},

		{"object, null", "{\n\"s1\": true,\n\"s2\": null}", LabelError{Line: 3, Entry: 2, Session: "s2", Value: "null", Reason: `label of session "s2" is null`}},
		{"object, two", `{"s1": 2}`, LabelError{Line: 1, Entry: 1, Session: "s1", Value: "2", Reason: `label "2"`}},
		{"object, half", `{"s1": "0.5"}`, LabelError{Line: 1, Entry: 1, Session: "s1", Value: "0.5", Reason: "not known"}},
		{"object, blank", `{"s1": ""}`, LabelError{Line: 1, Entry: 1, Session: "s1", Reason: `label "" of session "s1"`}},
		{"object, nested", `{"s1": {"failed": true}}`, LabelError{Line: 1, Entry: 1, Session: "s1", Value: "an object", Reason: "an object"}},
		{"object, empty session", `{"": true}`, LabelError{Line: 1, Entry: 1, Reason: "session id is empty"}},
		{"object, name twice", "{\"s1\": true,\n\"s2\": true,\n\"s1\": false}", LabelError{Line: 3, Entry: 3, Session: "s1", Value: "ok", Reason: "labeled ok here but failed at line 1, entry 1"}},
		{"object, truncated", "{\"s1\": true,\n\"s2\": fal", LabelError{Line: 2, Entry: 2, Reason: "breaks off"}},
		{"object, truncated after a comma", `{"s1": true,`, LabelError{Line: 1, Entry: 2, Reason: "breaks off"}},
		{"object, not closed", `{"s1": true`, LabelError{Line: 1, Entry: 2, Reason: "breaks off"}},
		{"object, closed wrongly", `{"s1": true]`, LabelError{Line: 1, Entry: 1, Reason: "not valid JSON"}},
		{"object, Python's words", `{"s1": True}`, LabelError{Line: 1, Entry: 1, Reason: "not valid JSON"}},
		{"object, no value", `{"s1": }`, LabelError{Line: 1, Entry: 1, Reason: "not valid JSON"}},
		{"object, more behind it", "{\"s1\": true}\n{\"s2\": true}", LabelError{Line: 1, Entry: 1, Reason: "the file goes on"}},
		{"object, rubbish behind it", "{\"s1\": true}\nxyz", LabelError{Line: 2, Entry: 1, Reason: "not valid JSON"}},
		{"object, invalid UTF-8", "{\"s\xff\": true}", LabelError{Line: 1, Entry: 1, Reason: "UTF-8"}},
		{"list, conflict", `[{"session_id":"s1","failed":true},{"session_id":"s1","failed":false}]`,
			LabelError{Line: 1, Entry: 2, Session: "s1", Value: "ok", Reason: "failed at line 1, entry 1"}},
		{"list, no failed", `[{"session_id": "s1", "Failed": true}]`, LabelError{Line: 1, Entry: 1, Session: "s1", Reason: `has no "failed"`}},
		{"list, no session", `[{"failed": true}]`, LabelError{Line: 1, Entry: 1, Reason: `no "session_id"`}},
		{"list, null", `[{"session_id": "s1", "failed": null}]`, LabelError{Line: 1, Entry: 1, Session: "s1", Value: "null", Reason: "is null"}},
		{"list, null on a later line", "[{\"session_id\": \"s1\",\n\n\"failed\": null}]", LabelError{Line: 3, Entry: 1, Session: "s1", Value: "null", Reason: "is null"}},
		{"list, number as session", `[{"session_id": 1, "failed": true}]`, LabelError{Line: 1, Entry: 1, Reason: "a number, not a text"}},
		{"list, null as session", `[{"session_id": null, "failed": true}]`, LabelError{Line: 1, Entry: 1, Reason: "null, not a text"}},
		{"list, session cut off", `[{"session_id": }]`, LabelError{Line: 1, Entry: 1, Reason: "not valid JSON"}},
		{"list, text in it", "[\n\"s1\"]", LabelError{Line: 2, Entry: 1, Value: "s1", Reason: "the entry is a text"}},
		{"list, name twice", `[{"session_id": "s1", "failed": true, "failed": true}]`, LabelError{Line: 1, Entry: 1, Session: "s1", Reason: `has "failed" twice`}},
		{"list, empty session", `[{"session_id": "", "failed": true}]`, LabelError{Line: 1, Entry: 1, Reason: "session id is empty"}},
	} {
		labels, err := ReadLabels(strings.NewReader(c.text))
		var got *LabelError
		if labels != nil || !errors.As(err, &got) {
			t.Errorf("%s: labels %v, error %v", c.name, labels, err)
			continue
		}
		if !strings.Contains(got.Reason, c.want.Reason) {
			t.Errorf("%s: reason %q, want it to contain %q", c.name, got.Reason, c.want.Reason)
		}
		c.want.Reason = got.Reason
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestLabelErrorNamesThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"session_id,failed\ns3,\n": `line 2: label of session "s3" is blank: write true or false (1 or 0, yes or no, fail or pass do as well)`,
		`{"s1": true, "s2": 2}`:    `line 1, entry 2: label "2" of session "s2" is not known: write true or false (1 or 0, yes or no, fail or pass do as well)`,
	} {
		if _, err := ReadLabels(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Lines must be right wherever the buffers of reader and decoder end.
func TestReadLabelsCountsLinesAcrossBuffers(t *testing.T) {
	var text strings.Builder
	text.WriteString("{")
	const last = 20000
	for range last {
		text.WriteString("\n  \"same\": true,")
	}
	text.WriteString("\n\"bad\": 7}")
	for name, r := range map[string]io.Reader{
		"whole":  strings.NewReader(text.String()),
		"halves": iotest.HalfReader(strings.NewReader(text.String())),
		"bytes":  iotest.OneByteReader(strings.NewReader(text.String())),
	} {
		var got *LabelError
		if _, err := ReadLabels(r); !errors.As(err, &got) || got.Line != last+2 || got.Entry != last+1 {
			t.Errorf("%s: %v, want line %d, entry %d", name, err, last+2, last+1)
		}
	}
}

// A failing disk or pipe is not a fault of the content.
func TestReadLabelsPassesReadErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	for name, start := range map[string]string{
		"at once": "",
		"json":    "{" + strings.Repeat(" ", 100000),
		"csv":     "session_id,failed\n" + strings.Repeat("s1,true\n", 10000),
		"header":  strings.Repeat("\n", 100000),
	} {
		_, err := ReadLabels(io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)))
		var content *LabelError
		if !errors.Is(err, broken) || errors.As(err, &content) {
			t.Errorf("%s: %v, want the read error", name, err)
		}
	}
}

func FuzzReadLabels(f *testing.F) {
	for _, seed := range []string{
		`{"s1": true, "s2": "no"}`, `[{"session_id": "s1", "failed": 1.0}]`, "session_id,failed\ns1,true\n",
		mark + "sep=;\r\n Session_ID ;\"Failed\"\r\n\"a;b\";FAIL\r\n", "\tsession_id\tfailed\n0\ts1\tno\n",
		"\xff\xfes\x00", `{"s1": true`, `{"a": 1, "a": 0}`, "session_id,\"x\ny\",failed\n,,\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		labels, err := ReadLabels(bytes.NewReader(text))
		if err != nil {
			var content *LabelError
			if labels != nil || !errors.As(err, &content) || content.Line < 1 || content.Reason == "" {
				t.Fatalf("labels %v with error %#v", labels, err)
			}
			return
		}
		want := maps.Collect(labels.All())
		for form, again := range writeForms(t, want) {
			got, err := ReadLabels(bytes.NewReader(again))
			if err != nil {
				t.Fatalf("%s: %v in %q", form, err, again)
			}
			if diff := cmp.Diff(want, maps.Collect(got.All())); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", form, diff)
			}
		}
	})
}

func writeForms(t *testing.T, labels map[string]bool) map[string][]byte {
	t.Helper()
	type record struct {
		Session string `json:"session_id"`
		Failed  bool   `json:"failed"`
	}
	var list []record
	var table bytes.Buffer
	rows, tabular := csv.NewWriter(&table), true
	rows.Comma = ';'
	rows.Write([]string{"failed", "session_id"})
	for session, failed := range labels {
		list = append(list, record{session, failed})
		rows.Write([]string{outcome(failed), session})
		// What CSV cannot carry: padding does not count, and its reader takes
		// line ends as one.
		tabular = tabular && strings.TrimFunc(session, unicode.IsSpace) == session && !strings.Contains(session, "\r")
	}
	rows.Flush()
	object, err := json.Marshal(labels)
	if err != nil {
		t.Fatal(err)
	}
	items, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string][]byte{"object": object, "list": items}
	if tabular {
		forms["csv"] = table.Bytes()
	}
	return forms
}
