package workspace

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"
)

func TestNonFiniteNumbersAreReplaced(t *testing.T) {
	for in, want := range map[string]string{
		`[NaN,Infinity,-Infinity]`:  `[9e9,9e9     ,-9e9     ]`,
		`{"NaN": "Infinity"}`:       `{"NaN": "Infinity"}`,
		`["a\"NaN", NaN]`:           `["a\"NaN", 9e9]`,
		`["\\", NaN, "\\\"", NaN]`:  `["\\", 9e9, "\\\"", 9e9]`,
		`[null, Nothing, Infinite]`: `[null, Nothing, Infinite]`,
		`Na`:                        `Na`,
	} {
		for name, r := range map[string]io.Reader{
			"at once":      strings.NewReader(in),
			"byte by byte": iotest.OneByteReader(strings.NewReader(in)),
			"end with it":  iotest.DataErrReader(strings.NewReader(in)),
		} {
			got, err := io.ReadAll(newFiniteReader(r))
			if err != nil || string(got) != want {
				t.Errorf("%s, %s: got %s, %v, want %s", in, name, got, err, want)
			}
		}
	}
}

func TestNonFiniteNumbersBecomeNull(t *testing.T) {
	got, err := withoutNonFinite([]byte(`{"a": [NaN, 0.50, "NaN A"], "b": -Infinity}`))
	if want := `{"a":[null,0.50,"NaN A"],"b":null}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func FuzzFiniteReader(f *testing.F) {
	f.Add([]byte(`[NaN, "NaN", {"Infinity": -Infinity}]`))
	f.Add([]byte(`"\"NaN`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := io.ReadAll(newFiniteReader(iotest.HalfReader(bytes.NewReader(text))))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(text) {
			t.Fatalf("%d bytes became %d", len(text), len(got))
		}
		if jsontext.Value(text).IsValid() && !bytes.Equal(got, text) {
			t.Errorf("valid JSON %s became %s", text, got)
		}
	})
}
