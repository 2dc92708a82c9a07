package workspace

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestScoreFault(t *testing.T) {
	for raw, want := range map[string]string{
		"0": "", "1": "", "0.5": "", "1.0": "", "1e0": "", "1E-400": "", "0e9": "", "-0": "", "0.99999999999999999999": "",
		"1.0000001": LeftOutOfRange, "-0.1": LeftOutOfRange, "2": LeftOutOfRange, "1e999": LeftOutOfRange, "0.5e1": LeftOutOfRange,
		"9e9": LeftNotNumber, "-9e9": LeftNotNumber, "true": LeftNotNumber, `"0.5"`: LeftNotNumber, "{}": LeftNotNumber,
		"null": LeftAbsent, "": LeftAbsent,
	} {
		if got := scoreFault([]byte(raw)); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// The shortcuts of scoreFault must come to what reading the number comes to.
func FuzzScoreFault(f *testing.F) {
	for _, seed := range []string{"0.5", "1", "-0.0", "1e-3", "0.1E2", "null", "5"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = bytes.TrimSpace(raw) // as the decoder hands it over
		v := jsontext.Value(raw)
		if !v.IsValid() || v.Kind() != '0' || isOutOfRange(string(raw)) {
			return
		}
		value, err := strconv.ParseFloat(string(v), 64)
		if fault := scoreFault(raw); (fault == "") != (err == nil && isScore(value)) {
			t.Errorf("%s is %v, %v: fault %q", raw, value, err, fault)
		}
	})
}

// What an entry holds comes out again as it was, whatever it is.
func FuzzHistoryEntry(f *testing.F) {
	f.Add([]byte(`{"series": [{"value": 0.50, "ts": "2026-01-01T00:00:00Z", "run_id": null}, 7, null, "x"], "ewma": {"fast": 1e0}, "note": [1]}`))
	f.Add([]byte(`{"series": null}`))
	f.Add([]byte(`{"series": [{"value": true, "ts": 5, "run_id": {"a": 1}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want struct {
			Series []jsontext.Value `json:"series"`
		}
		if json.Unmarshal(raw, &want) != nil {
			return
		}
		entry := decodeHistoryEntry(raw)
		text, err := json.Marshal(entry)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Series []jsontext.Value `json:"series"`
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s became %s: %v", raw, text, err)
		}
		if len(got.Series) != len(want.Series) {
			t.Fatalf("%s became %s", raw, text)
		}
		for i, sample := range got.Series {
			if plain(t, sample) != plain(t, want.Series[i]) {
				t.Errorf("sample %s became %s", want.Series[i], sample)
			}
		}
		for _, s := range entry.samples() {
			if !isScore(s.Value) {
				t.Errorf("%v is no score", s.Value)
			}
		}
	})
}

func plain(t *testing.T, v jsontext.Value) string {
	t.Helper()
	v = v.Clone()
	if err := v.Compact(); err != nil {
		t.Fatal(err)
	}
	return string(v)
}
