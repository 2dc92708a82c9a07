package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// scoresOf reads the local history as session/metric -> score, and warns.
func scoresOf(t *testing.T, w *Workspace) (map[string]float64, *HistoryScores, []string) {
	t.Helper()
	var warnings []string
	w.Warn = func(err error) { warnings = append(warnings, err.Error()) }
	h, err := w.HistoryScores(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]float64{}
	for s := range h.All() {
		scores[s.SessionID+"/"+s.Metric] = s.Value
	}
	return scores, h, warnings
}

func TestHistoryEntriesThatCount(t *testing.T) {
	for name, test := range map[string]struct {
		entry   string // of s::m
		want    any    // the score, or nil
		leftOut map[string]int
	}{
		"one sample":           {`{"series": [{"value": 0.5, "ts": "2026-01-01T00:00:00Z", "run_id": null}], "ewma": {}}`, 0.5, nil},
		"whole numbers":        {`{"series": [{"value": 1}]}`, 1.0, nil},
		"exponent":             {`{"series": [{"value": 5e-1}]}`, 0.5, nil},
		"negative zero":        {`{"series": [{"value": -0.0}]}`, 0.0, nil},
		"last without times":   {`{"series": [{"value": 0.5}, {"value": 0.25}]}`, 0.25, nil},
		"newest, not last":     {`{"series": [{"value": 0.5, "ts": "2026-01-02T00:00:00Z"}, {"value": 0.25, "ts": "2026-01-01T00:00:00Z"}]}`, 0.5, nil},
		"instants, not texts":  {`{"series": [{"value": 0.5, "ts": "2026-01-01T10:00:00.15Z"}, {"value": 0.25, "ts": "2026-01-01T11:00:00.1+01:00"}]}`, 0.5, nil},
		"layouts mixed":        {`{"series": [{"value": 0.5, "ts": "2026-01-01T10:00:00.100000+00:00"}, {"value": 0.25, "ts": "2026-01-01T10:00:00.1000001Z"}]}`, 0.25, nil},
		"same instant":         {`{"series": [{"value": 0.5, "ts": "2026-01-01T10:00:00Z"}, {"value": 0.25, "ts": "2026-01-01T10:00:00.000000Z"}]}`, 0.25, nil},
		"unreadable time":      {`{"series": [{"value": 0.5, "ts": "2026-01-01T10:00:00Z"}, {"value": 0.25, "ts": "yesterday"}]}`, 0.5, nil},
		"time that is none":    {`{"series": [{"value": 0.5, "ts": 7}]}`, 0.5, nil},
		"names with escapes":   {`{"s\u0065ries": [{"v\u0061lue": 0.5}]}`, 0.5, nil},
		"series given again":   {`{"series": [{"value": 0.5}], "series": [{"value": 0.25}]}`, 0.25, nil},
		"not finite, then one": {`{"series": [{"value": NaN, "ts": "2026-01-02T00:00:00Z"}, {"value": 0.5, "ts": "2026-01-01T00:00:00Z"}]}`, 0.5, map[string]int{LeftNotNumber: 1}},
		"one, then not finite": {`{"series": [{"value": 0.5}, {"value": NaN}, {"value": -Infinity}]}`, 0.5, map[string]int{LeftNotNumber: 2}},
		"out of range":         {`{"series": [{"value": 0.5}, {"value": 1.0001}, {"value": -0.1}, {"value": 1e999}]}`, 0.5, map[string]int{LeftOutOfRange: 3}},
		"last has no number":   {`{"series": [{"value": 0.5}, {"value": null}]}`, nil, map[string]int{LeftAbsent: 1}},
		"last is a text":       {`{"series": [{"value": 0.5}, {"value": "0.9"}]}`, nil, map[string]int{LeftNotNumber: 1}},
		"no number before":     {`{"series": [{"value": null}, {"value": true}, {"value": 0.5}]}`, 0.5, map[string]int{LeftAbsent: 1, LeftNotNumber: 1}},
		"sample is no object":  {`{"series": [0.5]}`, nil, map[string]int{LeftAbsent: 1}},
		"no sample":            {`{"series": []}`, nil, map[string]int{LeftEntry: 1}},
		"no list":              {`{"series": {"value": 0.4}}`, nil, map[string]int{LeftEntry: 1}},
		"no series":            {`{"value": 0.4}`, nil, map[string]int{LeftEntry: 1}},
		"null":                 {`null`, nil, map[string]int{LeftEntry: 1}},
		"a list":               {`[{"value": 0.5}]`, nil, map[string]int{LeftEntry: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTest(t)
			write(t, w, historyPath, `{"s::m": `+test.entry+`, "other::m": {"series": [{"value": 0.75}]}}`)
			scores, h, _ := scoresOf(t, w)
			if len(h.Broken) > 0 {
				t.Fatal(h.Broken[0])
			}
			want := map[string]float64{"other/m": 0.75}
			if v, ok := test.want.(float64); ok {
				want["s/m"] = v
			}
			if test.leftOut == nil {
				test.leftOut = map[string]int{}
			}
			if diff := cmp.Diff(want, scores); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.leftOut, h.LeftOut); diff != "" {
				t.Errorf("left out: %s", diff)
			}
		})
	}
}

func TestHistoryKeysAreSplitAtTheLastColons(t *testing.T) {
	for key, want := range map[string]string{
		"s::m": "s/m", "a::b::m": "a::b/m", "s:::m": "s:/m", "x::": "", "::m": "", "s:m": "", "": "", `\u0073::m`: "s/m",
	} {
		w := newTest(t)
		write(t, w, historyPath, `{"`+key+`": {"series": [{"value": 0.5}]}}`)
		scores, h, _ := scoresOf(t, w)
		switch {
		case want == "" && (len(scores) != 0 || h.LeftOut[LeftEntry] != 1):
			t.Errorf("key %q gave %v, left out %v", key, scores, h.LeftOut)
		case want != "" && !cmp.Equal(scores, map[string]float64{want: 0.5}):
			t.Errorf("key %q gave %v, want %s", key, scores, want)
		}
	}
}

func TestHistoryWithoutAnything(t *testing.T) {
	scores, h, warnings := scoresOf(t, newTest(t))
	if len(scores)+len(h.LeftOut)+len(h.Broken)+len(warnings) != 0 {
		t.Errorf("got %v, %v, %v, %v", scores, h.LeftOut, h.Broken, warnings)
	}
}

func TestHistoryOfALargeFileInAnyLayout(t *testing.T) {
	inSmallBlocks(t)
	entry := func(i int) string {
		return fmt.Sprintf(`{"ewma": {"fast": 0.5}, "series": [{"ts": "2026-01-01T00:00:00.000000+00:00", "value": 0.%04d}]}`, i%10_000)
	}
	var want map[string]float64
	for name, text := range map[string]string{
		"one line":         longHistory(entry, " "),
		"indented":         longHistory(entry, "\n  "),
		"NaN at the end":   strings.TrimSuffix(longHistory(entry, "\n"), "}") + `, "n::m": {"series": [{"value": NaN}]}}`,
		"NaN at the start": `{"n::m": {"series": [{"value": NaN}]}, ` + longHistory(entry, "\n")[1:],
	} {
		w := newTest(t)
		write(t, w, historyPath, text)
		scores, h, _ := scoresOf(t, w)
		if len(h.Broken) > 0 || len(scores) != longHistoryEntries {
			t.Fatalf("%s: %d scores, broken %v", name, len(scores), h.Broken)
		}
		if n := strings.Count(name, "NaN"); h.LeftOut[LeftNotNumber] != n {
			t.Errorf("%s: left out %v", name, h.LeftOut)
		}
		if want == nil {
			want = scores
		}
		if diff := cmp.Diff(want, scores); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Blocks are read at the same time; still the last of equal keys counts.
func TestHistoryKeyGivenAgainFarAway(t *testing.T) {
	inSmallBlocks(t)
	entry := func(int) string { return `{"series": [{"value": 0.5}]}` }
	big := longHistory(entry, "\n")
	w := newTest(t)
	write(t, w, historyPath, `{"d::m": {"series": [{"value": 0.1}]},`+strings.TrimSuffix(big[1:], "}")+`, "d::m": {"series": [{"value": 0.9}]}}`)
	if scores, _, _ := scoresOf(t, w); scores["d/m"] != 0.9 {
		t.Errorf("got %v", scores["d/m"])
	}
}

func sessionLine(t *testing.T, l SessionLine) string {
	t.Helper()
	b, err := json.Marshal(l, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func instant(text string) Time {
	t, err := ParseTime(text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestHistoryIsTheUnionOfFileAndSessions(t *testing.T) {
	day := func(n int) Time { return instant(fmt.Sprintf("2026-01-%02dT00:00:00Z", n)) }
	value := func(x float64) *float64 { return &x }
	for name, test := range map[string]struct {
		file string // time of the file's sample 0.5
		line SessionLine
		want float64
	}{
		"newer line":       {"2026-01-01T00:00:00Z", SessionLine{TS: day(2), Scores: map[string]*float64{"m": value(0.25)}}, 0.25},
		"older line":       {"2026-01-03T00:00:00Z", SessionLine{TS: day(2), Scores: map[string]*float64{"m": value(0.25)}}, 0.5},
		"own time counts":  {"2026-01-03T00:00:00Z", SessionLine{TS: day(9), ScoreTS: new(day(2)), Scores: map[string]*float64{"m": value(0.25)}}, 0.5},
		"same instant":     {"2026-01-02T00:00:00Z", SessionLine{TS: day(2), Scores: map[string]*float64{"m": value(0.25)}}, 0.25},
		"file has no time": {"", SessionLine{TS: day(2), Scores: map[string]*float64{"m": value(0.25)}}, 0.25},
		"null in the line": {"2026-01-01T00:00:00Z", SessionLine{TS: day(2), Scores: map[string]*float64{"m": nil}, Unresolved: true}, 0.5},
		"replay":           {"2026-01-01T00:00:00Z", SessionLine{TS: day(2), Scores: map[string]*float64{"m": value(0.25)}, Replay: true}, 0.5},
		"another metric":   {"2026-01-01T00:00:00Z", SessionLine{TS: day(2), Scores: map[string]*float64{"n": value(0.25)}}, 0.5},
		"adopted":          {"2026-01-01T00:00:00Z", SessionLine{TS: day(1), Scores: map[string]*float64{"m": value(0.5)}, Adopted: true}, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTest(t)
			test.line.ID, test.line.SessionID = "0123456789abcdef", "s"
			write(t, w, historyPath, `{"s::m": {"series": [{"value": 0.5, "ts": "`+test.file+`"}]}}`)
			write(t, w, "state/sessions/s.aaaaaa.jsonl", sessionLine(t, test.line))
			if scores, _, _ := scoresOf(t, w); scores["s/m"] != test.want {
				t.Errorf("got %v, want %v", scores["s/m"], test.want)
			}
		})
	}
}

func TestSessionFilesForCalibration(t *testing.T) {
	w := newTest(t)
	value := func(x float64) *float64 { return &x }
	line := func(id, session, ts string, scores map[string]*float64) string {
		return sessionLine(t, SessionLine{TS: instant(ts), ID: id, SessionID: session, Scores: scores, EWMA: map[string]EWMA{"m": {0.5, 0.5, 1}}, Signatures: []string{"breach:m"}})
	}
	replay := sessionLine(t, SessionLine{TS: instant("2026-01-09T00:00:00Z"), ID: "r1", SessionID: "s-1", Scores: map[string]*float64{"m": value(0.9)}, Replay: true})
	first := line("a1", "s-1", "2026-01-01T00:00:00Z", map[string]*float64{"m": value(0.1), "n": value(0.2)})
	write(t, w, "state/sessions/s-1.aaaaaa.jsonl", "\xef\xbb\xbf"+first+replay+replay+
		"{\"ts\":\"2026-01-07T00:00:00.000000Z\",\"id\":\"t1\",\"session_id\":\"s-1\",\"scores\":{\"m\":0.7}\n"+ // torn
		"{\"ts\":\"2026-01-07T00:00:00.000000Z\",\"id\":\"t2\",\"session_id\":\"s-1\",\"scores\":{\"m\":\"0.7\"}}\n"+
		line("a3", "another", "2026-01-08T00:00:00Z", map[string]*float64{"m": value(0.8)}))
	write(t, w, "state/sessions/s-1.bbbbbb.jsonl", first+
		line("b1", "s-1", "2026-01-02T00:00:00Z", map[string]*float64{"m": value(0.3), "n": nil, "o": value(0.4)})+
		line("b0", "s-1", "2026-01-02T00:00:00Z", map[string]*float64{"m": value(0.35)})) // as new, smaller id
	odd := "A session/with \"odd\" ids \u00e9"
	write(t, w, sessionFile(odd, "aaaaaa"), `{"session_id": "A session\/with \"odd\" ids \u00e9", "id": "c1", "ts": "2026-01-01T01:00:00+01:00", "scores": {"m\u006d": 1, "range": 1.5}}`+"\n")
	write(t, w, "state/sessions/.hidden.jsonl", first)

	scores, h, warnings := scoresOf(t, w)
	want := map[string]float64{"s-1/m": 0.3, "s-1/n": 0.2, "s-1/o": 0.4, odd + "/mm": 1}
	if diff := cmp.Diff(want, scores); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{LeftReplay: 1, LeftAbsent: 1, LeftOutOfRange: 1}, h.LeftOut); diff != "" {
		t.Errorf("left out: %s", diff)
	}
	if len(warnings) != 2 || !strings.HasPrefix(warnings[0], "state/sessions/s-1.aaaaaa.jsonl:4: is no whole record") {
		t.Errorf("warnings: %q", warnings)
	}
}

func TestSessionFileThatCannotBeRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder under the name of a file is passed over there in another way")
	}
	w := newTest(t)
	if err := os.Symlink(filepath.Join(w.Root, "state"), w.path("state/sessions/s-1.aaaaaa.jsonl")); err != nil {
		t.Fatal(err)
	}
	write(t, w, "state/sessions/s-2.aaaaaa.jsonl", sessionLine(t, SessionLine{TS: instant("2026-01-01T00:00:00Z"), ID: "x", SessionID: "s-2", Scores: map[string]*float64{"m": new(0.5)}}))
	scores, _, warnings := scoresOf(t, w)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "s-1.aaaaaa.jsonl") || scores["s-2/m"] != 0.5 {
		t.Errorf("got %v, warnings %q", scores, warnings)
	}
}

// The fast reader must see what decoding a line in full sees.
func FuzzLineReader(f *testing.F) {
	f.Add([]byte(`{"ts":"2026-01-01T00:00:00.000000Z","id":"a","session_id":"s","score_ts":"2026-01-01T00:00:00Z","scores":{"m":0.5,"n":null},"signatures":[],"replay":true}`))
	f.Add([]byte(`{"scores":{"m":1e-2},"session_id":"\u0073","ts":null,"id":"","unknown":[{"replay":true}]}`))
	f.Add([]byte(`{"session_id":"s","session_id":"t"}`))
	f.Add([]byte(`{"session_id":"s"} {}`))
	f.Add([]byte(`{"ts":"2026-01-01T00:00:00.000000Z","id":"a","session_id":"s","scores":{"m":0.5},"signatures":[`))
	f.Add([]byte(`{"session_id":"s","scores":{"m":2,"k":-0}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.TrimSpace(line) // as readLines hands it out
		var want SessionLine
		wantErr := json.Unmarshal(line, &want)
		got, ok := newLineReader().read(line)
		if wantErr == nil && !ok {
			t.Fatalf("%s: passed over a whole record", line)
		}
		if ok && !isObject(line) {
			t.Fatalf("%s: took what is no JSON object", line)
		}
		if wantErr != nil {
			return // the full decoder also looks at what calibration does not need
		}
		if string(got.session) != want.SessionID || string(got.id) != want.ID || got.replay != want.Replay {
			t.Errorf("%s: got %q %q %v", line, got.session, got.id, got.replay)
		}
		if at := want.SampleTime(); !at.IsZero() && string(got.at()) != string(sortable(at)) {
			t.Errorf("%s: time %s, want %s", line, got.at(), sortable(at))
		}
		for _, score := range got.scores {
			if value := want.Scores[string(score.metric)]; score.left == "" && (value == nil || *value != score.value) {
				t.Errorf("%s: %s is %v", line, score.metric, score.value)
			}
		}
		if len(got.scores) != len(want.Scores) {
			t.Errorf("%s: %d scores, want %d", line, len(got.scores), len(want.Scores))
		}
	})
}
