package workspace

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func redactorOf(patterns ...string) Redactor { return Config{RedactPatterns: patterns}.Redactor() }

func TestRedactText(t *testing.T) {
	tests := []struct {
		name     string
		patterns []string
		text     string
		want     string
	}{
		{"none", nil, "sk-1", "sk-1"},
		{"no match", []string{`sk-\d+`}, "hello", "hello"},
		{"each match", []string{`sk-\d+`}, "sk-1, sk-22sk-3", "[redacted], [redacted][redacted]"},
		{"two patterns", []string{`sk-\d+`, `@\w+`}, "@me sk-1", "[redacted] [redacted]"},
		{"overlapping matches", []string{`key=\w+`, `secret-\d+`}, "key=secret-12!", "[redacted]!"},
		{"overlapping, other order", []string{`secret-\d+`, `key=\w+`}, "key=secret-12!", "[redacted]!"},
		{"the mark is no text", []string{`sk-\d+`, `red`, `\w+`}, "sk-1", "[redacted]"},
		{"a second time", []string{`[a-z]+`}, "[redacted] x", "[redacted] [redacted]"},
		{"around the mark", []string{`x.*y`}, "x [redacted] y", "[redacted]"},
		{"empty matches", []string{`x*`}, "axb", "a[redacted]b"},
		{"several lines", []string{`(?s)-----BEGIN.*END-----`}, "a\n-----BEGIN\nx\nEND-----\nb", "a\n[redacted]\nb"},
		{"characters", []string{`ü+`}, "aüüb", "a[redacted]b"},
	}
	for _, test := range tests {
		r := redactorOf(test.patterns...)
		if got := r.Text(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if got := r.Text(test.want); len(test.patterns) > 0 && got != test.want {
			t.Errorf("%s: done again it is %q", test.name, got)
		}
	}
}

func TestRedactJSON(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"string", `"a sk-1"`, `"a [redacted]"`},
		{"number", `1.10e+2`, `1.10e+2`},
		{"null", ` null `, ` null `},
		{"nested", `{ "b" : [1.0, "sk-1", {"c": "x"}],` + "\n" + `"a":12345678901234567890 }`, `{ "b" : [1.0, "[redacted]", {"c": "x"}],` + "\n" + `"a":12345678901234567890 }`},
		{"name", `{"sk-1": "sk-2", "k": {"sk-3":1}}`, `{"[redacted]": "[redacted]", "k": {"[redacted]":1}}`},
		{"names that become the same", `{"sk-1":1,"sk-2":2,"[redacted]":3,"[redacted]-2":4}`, `{"[redacted]":1,"[redacted]-2":2,"[redacted]-3":3,"[redacted]-2-2":4}`},
		{"siblings", `[{"sk-1":1},{"sk-2":{"sk-3":0},"sk-4":1}]`, `[{"[redacted]":1},{"[redacted]":{"[redacted]":0},"[redacted]-2":1}]`},
		{"escapes", `"\u0073k-1 \u00fc \/ <"`, `"[redacted] ü / <"`},
		{"untouched escapes", `"\u0061 \/"`, `"\u0061 \/"`},
		{"match with quotes", `"say \"sk-1\""`, `"say \"[redacted]\""`},
	}
	r := redactorOf(`sk-\d+`)
	for _, test := range tests {
		got, err := r.JSON(jsontext.Value(test.value))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.name, got, err, test.want)
		}
	}
	for _, bad := range []string{`{`, `{"a":1,"a":2}`, `"a`, `[1,]`, "\"\xff\"", `nul`} {
		if got, err := r.JSON(jsontext.Value(bad)); err == nil {
			t.Errorf("%s became %s", bad, got)
		}
	}
	if got, err := r.JSON(nil); got != nil || err != nil {
		t.Errorf("nothing became %s, %v", got, err)
	}
	same := jsontext.Value(`{`)
	if got, err := redactorOf().JSON(same); &got[0] != &same[0] || err != nil {
		t.Error("without patterns the value has to come back as it is")
	}
}

// Many names that become the same take no more than a moment.
func TestRedactJSONManyNames(t *testing.T) {
	var b strings.Builder
	for i := range 50000 {
		fmt.Fprintf(&b, `,"sk-%d":%d`, i, i)
	}
	got, err := redactorOf(`sk-\d+`).JSON(jsontext.Value("{" + b.String()[1:] + "}"))
	var names map[string]int
	if err != nil || json.Unmarshal(got, &names) != nil || len(names) != 50000 {
		t.Fatalf("%d names, %v", len(names), err)
	}
}

func TestRedactorIsCompiledAtItsFirstUse(t *testing.T) {
	r := redactorOf("(") // would panic
	defer func() {
		if recover() == nil {
			t.Error("the pattern was never compiled")
		}
	}()
	r.Text("x")
}

func FuzzRedactJSON(f *testing.F) {
	f.Add(`a+`, `{"a":["aa",{"b":"\u0061"}],"aa":1.0}`)
	f.Add(`"`, `"\"\\"`)
	f.Add(`.`, `[{"":{}},{"x":"[redacted]"}]`)
	f.Fuzz(func(t *testing.T, pattern, value string) {
		if checkPattern(pattern) != nil {
			return
		}
		r := redactorOf(pattern)
		got, err := r.JSON(jsontext.Value(value))
		if (err == nil) != (jsontext.Value(value).IsValid()) && len(value) > 0 {
			t.Fatalf("%q: %v", value, err)
		}
		if err == nil && len(value) > 0 && !got.IsValid() {
			t.Fatalf("%q became %q", value, got)
		}
	})
}
