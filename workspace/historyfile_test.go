package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// inSmallBlocks makes a test of a few kilobytes one of many blocks.
func inSmallBlocks(t *testing.T) {
	testOnlyBlockSize = 2000
	t.Cleanup(func() { testOnlyBlockSize = 0 })
}

// keysOf returns the keys that reading the history hands out, as a whole and in
// blocks.
func keysOf(t *testing.T, w *Workspace) (walked, scanned []string, scanErr error) {
	t.Helper()
	collect := func(into *[]string) memberFunc {
		return func(key []byte, d *jsontext.Decoder) error {
			*into = append(*into, string(key))
			return d.SkipValue()
		}
	}
	h, err := w.openHistory()
	if err != nil || h == nil {
		t.Fatalf("openHistory: %v, %v", h, err)
	}
	defer h.close()
	if err := h.walk(context.Background(), collect(&walked)); err != nil {
		t.Fatal(err)
	}
	var blocks []*[]string
	scanErr = h.scan(context.Background(), func() memberFunc {
		blocks = append(blocks, new([]string))
		return collect(blocks[len(blocks)-1])
	})
	for _, keys := range blocks {
		scanned = append(scanned, *keys...)
	}
	return walked, scanned, scanErr
}

// longHistory has many small blocks.
func longHistory(entry func(i int) string, separator string) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range longHistoryEntries {
		if i > 0 {
			b.WriteString("," + separator)
		}
		fmt.Fprintf(&b, "%q: %s", fmt.Sprintf("s-%06d::m", i), entry(i))
	}
	b.WriteString("}")
	return b.String()
}

const longHistoryEntries = 1000

func TestHistoryIsCutWhereMembersMeet(t *testing.T) {
	inSmallBlocks(t)
	entry := func(int) string { return `{"series": [{"value": 0.5}, {"value": 0.25}], "ewma": {"fast": 0.5}}` }
	sorted := func(int) string { return `{"ewma": {"fast": 0.5}, "series": [{"value": 0.5}]}` }
	for name, test := range map[string]struct {
		text string
		cut  bool
	}{
		"one line":                     {longHistory(entry, " "), true},
		"no blank":                     {longHistory(sorted, ""), true},
		"a line an entry":              {longHistory(entry, "\n  "), true},
		"CRLF":                         {longHistory(sorted, "\r\n\t"), true},
		"byte order mark":              {"\xef\xbb\xbf" + longHistory(entry, "\n"), true},
		"short":                        {`{"s::m": {"series": []}, "t::m": {"series": []}}`, true},
		"empty object":                 {" { } ", true},
		"a text that looks like a cut": {longHistory(func(int) string { return `{"series": [], "note": "]}, \"s::m\": "}` }, "\n"), false},
		"deeper objects that look like one": {longHistory(func(int) string {
			return `{"a": {"b": {"c": {}}, "d": {}}, "series": [], "e": 1}`
		}, "\n"), false},
		"entries that end otherwise": {longHistory(func(int) string { return `{"series": [], "z": 1}` }, "\n"), false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTest(t)
			write(t, w, historyPath, test.text)
			walked, scanned, err := keysOf(t, w)
			if (err == nil) != test.cut {
				t.Fatalf("cut: %v, want %v", err, test.cut)
			}
			if diff := cmp.Diff(walked, scanned); diff != "" && test.cut {
				t.Errorf("the two ways differ: %s", diff)
			}
		})
	}
}

func TestHistoryFaultsAreNamedWithTheirLine(t *testing.T) {
	inSmallBlocks(t)
	many := strings.TrimSuffix(longHistory(func(int) string { return `{"series": [{"value": 0.5}]}` }, "\n"), "}")
	lines := strings.Count(many, "\n") + 1
	for name, test := range map[string]struct {
		text string
		want string
		line int
	}{
		"empty":                                 {"", "is empty", 1},
		"blank":                                 {" \n ", "is empty", 1},
		"a list":                                {"[]", "must be a JSON object", 1},
		"not ended":                             {"{\n", "is cut off", 2},
		"torn in a text":                        {"{\n\"s::m\": {\"series\": [{\"ts\": \"2026", "is cut off", 2},
		"no comma":                              {"{\n\"a::m\": {}\n\"b::m\": {}}", "is not valid JSON", 3},
		"bad word":                              {"{\n\n\"a::m\": nil}", "is not valid JSON", 3},
		"bad UTF-8":                             {"{\n\"a::m\": \"\xff\"}", "invalid UTF-8", 2},
		"conflict markers":                      {"{\n\"a::m\": {},\n<<<<<<< HEAD\n\"b::m\": {}}", "git conflict markers", 3},
		"two documents":                         {"{}\n\n{}", "something follows", 3},
		"text behind":                           {"{}\nx", "something follows", 2},
		"torn, large":                           {many, "is cut off", lines},
		"torn number, large":                    {many + ",\n\"s::m\": {\"series\": [{\"value\": 0.", "is cut off", lines + 1},
		"bad word, at the end of a large one":   {many + ",\n\"s::m\": nil}", "is not valid JSON", lines + 1},
		"bad word, at the start of a large one": {"{\n\"s::m\": nil,\n" + many[1:] + "}", "is not valid JSON", 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTest(t)
			write(t, w, historyPath, test.text)
			scores, err := w.HistoryScores(context.Background())
			if err != nil || len(scores.Broken) != 1 {
				t.Fatalf("broken %v, error %v", scores.Broken, err)
			}
			var e *Error
			if !errors.As(scores.Broken[0], &e) || e.Code != CodeBrokenFile || e.File != historyPath || e.Line != test.line || !strings.Contains(e.Message, test.want) {
				t.Errorf("got %v, want %q in line %d", scores.Broken[0], test.want, test.line)
			}
			for score := range scores.All() {
				t.Errorf("gave %v of a file that is not JSON", score)
			}
		})
	}
}

func TestHistoryScanEndsWithItsContext(t *testing.T) {
	w := newTest(t)
	write(t, w, historyPath, longHistory(func(int) string { return `{"series": [{"value": 0.5}]}` }, "\n"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.HistoryScores(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzLastCut(f *testing.F) {
	f.Add([]byte(`]} , "a`))
	f.Add([]byte(`{"s::m": {"series": [{"value": 1}], "ewma": {"fast": 1}}, "t::m": {}}`))
	f.Add([]byte("x}}\n,\n\"\n}},\"k"))
	f.Fuzz(func(t *testing.T, b []byte) {
		end, next, ok := lastCut(b)
		if !ok {
			return
		}
		if end < 2 || next <= end || next >= len(b) || b[end-1] != '}' || b[next] != '"' {
			t.Fatalf("cut %q at %d and %d", b, end, next)
		}
		if between := bytes.TrimSpace(b[end:next]); string(between) != "," {
			t.Fatalf("%q lies between", between)
		}
	})
}

// What can be decoded whole must come out of the stream member by member, cut or
// not.
func FuzzHistory(f *testing.F) {
	f.Add([]byte(`{"s::m": {"series": [{"value": 0.5, "ts": "2026-01-01T00:00:00Z"}], "ewma": {"fast": 1}}}`))
	f.Add([]byte(`{"s::m": {"series": [{"value": NaN}]}, "t": [Infinity, -Infinity, "NaN"]}`))
	f.Add([]byte("\xef\xbb\xbf{}"))
	f.Add([]byte(`{"a": {"series": [1, null, {"value": "x"}, {"v\u0061lue": 1e-3}]}}`))
	f.Add([]byte(`{"a": {"series": {}}, "a": {"series": []}}`))
	testOnlyBlockSize = 40 // so that short texts are cut, too
	f.Cleanup(func() { testOnlyBlockSize = 0 })
	f.Fuzz(func(t *testing.T, text []byte) {
		w := newWorkspace(t.TempDir())
		write(t, w, historyPath, string(text))
		scores, err := w.HistoryScores(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for score := range scores.All() {
			if score.SessionID == "" || score.Metric == "" || !isScore(score.Value) {
				t.Errorf("gave %v", score)
			}
		}
		valid := isObject(TrimBOM(text))
		if valid && len(scores.Broken) > 0 {
			t.Errorf("refused valid JSON: %v", scores.Broken[0])
		}
		if !valid && !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) && len(scores.Broken) == 0 {
			t.Errorf("took what is no JSON object")
		}
	})
}

func isObject(text []byte) bool {
	v := jsontext.Value(text)
	return v.IsValid(jsontext.AllowDuplicateNames(true)) && v.Kind() == '{'
}
