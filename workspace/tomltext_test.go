package workspace

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestTOMLString(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", `""`},
		{`say "hi" \ there`, `"say \"hi\" \\ there"`},
		{"tab\tand bell\a and del\x7f and next line\u0085", `"tab\tand bell\u0007 and del\u007F and next line\u0085"`},
		{"Stra\u00dfe \U0001f600 a\u200db", "\"Stra\u00dfe \U0001f600 a\u200db\""},
		{"right to left \u202e and mark \ufeff", `"right to left \u202E and mark \uFEFF"`},
		{"a\r", `"a\r"`},
		{"a\nb", "\"\"\"\na\nb\"\"\""},
		{"\na\n", "\"\"\"\n\na\n\"\"\""},
		{"a\r\nb\tc", "\"\"\"\na\\r\nb\tc\"\"\""},
		{"one \"\nthree \"\"\"\nend \"", "\"\"\"\none \"\nthree \"\\\"\\\"\nend \\\"\"\"\""},
		{"ends in a backslash\\\n  x\\", "\"\"\"\nends in a backslash\\\\\n  x\\\\\"\"\""},
		{"<<<<<<< a\n>>>>>>> b\n <<<<<<< c", "\"\"\"\n\\u003C<<<<<< a\n\\u003E>>>>>> b\n <<<<<<< c\"\"\""},
	}
	for _, test := range tests {
		if got := TOMLString(test.text); got != test.want {
			t.Errorf("%q:\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

func TestTOMLKey(t *testing.T) {
	tests := map[string]string{
		"a_b-C9": "a_b-C9", "": `""`, "a.b": `"a.b"`, "a b": `"a b"`, "\u00fc": "\"\u00fc\"", `a"\` + "\n": `"a\"\\\n"`, "#": `"#"`,
	}
	for key, want := range tests {
		if got := TOMLKey(key); got != want {
			t.Errorf("%q: got %s, want %s", key, got, want)
		}
	}
}

func FuzzTOMLString(f *testing.F) {
	for _, seed := range []string{"", "a", "\"\"\"", "a\n\"\"\"\"", "\\\n\\", "\r\n", "\x00\x1b[0m", "<<<<<<< x\n", "a\n>>>>>>> \n", "\xff\n", "\u2028\u202e\n", "\n", "\n\n", "\t \n \\n", "\"\n\"", "x\n\\\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := strings.ToValidUTF8(text, "")
		if want != text {
			text = want
		}
		var got map[string]string
		doc := TOMLKey(text) + " = " + TOMLString(text) + "\nnext = 'x'\n"
		if text == "next" {
			return
		}
		if _, err := toml.Decode(doc, &got); err != nil {
			t.Fatalf("%v in %q", err, doc)
		}
		if got[text] != text || got["next"] != "x" || len(got) != 2 {
			t.Errorf("%q came back as %q", text, got)
		}
		if conflictLine([]byte(doc)) != 0 {
			t.Errorf("looks like a conflict: %q", doc)
		}
	})
}

func TestTOMLStringReplacesBadBytes(t *testing.T) {
	for _, text := range []string{"a\xffb", "a\xff\nb"} {
		var got struct{ V string }
		if _, err := toml.Decode("V = "+TOMLString(text), &got); err != nil || got.V != strings.ToValidUTF8(text, "\uFFFD") {
			t.Errorf("%q: %q %v", text, got.V, err)
		}
	}
}
