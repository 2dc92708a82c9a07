package workspace

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSetTOML(t *testing.T) {
	tests := []struct{ name, src, table, key, literal, want string }{
		{"replace on top", "# a\n  x  =  1 # one\ny = 2\n", "", "x", "3", "# a\n  x  =  3 # one\ny = 2\n"},
		{"replace in a table", "x = 1\n[t] # t\n\tx=1#c\n[u]\nx = 1\n", "t", "x", "'b'", "x = 1\n[t] # t\n\tx='b'#c\n[u]\nx = 1\n"},
		{"replace without a line end", "x = 1", "", "x", "22", "x = 22"},
		{"replace a quoted key", "[t]\n\"a.b\" = 1\na.b = 2\n", "t", "a.b", "3", "[t]\n\"a.b\" = 3\na.b = 2\n"},
		{"replace an escaped key", "\"\\u0061\" = 1\n", "", "a", "3", "\"\\u0061\" = 3\n"},
		{"replace a text of several lines", "x = \"\"\"\ny = 2\n\"\"\" # c\ny = 1\n", "", "x", `"z"`, "x = \"z\" # c\ny = 1\n"},
		{"by a text of several lines", "x = 'a'# c\ny = 1\n", "", "x", "\"\"\"\na\nb\"\"\"", "x = \"\"\"\na\nb\"\"\"# c\ny = 1\n"},
		{"not fooled by texts", "a = '''\n[t]\nx = 1\n'''\nb = \"[t]\\\"\" # x = 1\n[t]\nx = 2\n", "t", "x", "3", "a = '''\n[t]\nx = 1\n'''\nb = \"[t]\\\"\" # x = 1\n[t]\nx = 3\n"},
		{"quotes before closing quotes", "a = \"\"\"x\\\"\"\"\"\"\nb = ''''''\nx = 1\n", "", "x", "2", "a = \"\"\"x\\\"\"\"\"\"\nb = ''''''\nx = 2\n"},
		{"replace a list", "x = [ 1, # one ]\n  [2, '''\n]'''],\n] # end\ny = 1\n", "", "x", "[]", "x = [] # end\ny = 1\n"},
		{"replace a date", "x = 1979-05-27 07:32:00Z  # c\n", "", "x", "1", "x = 1  # c\n"},
		{"replace a dotted key", "t . x = 1\n", "t", "x", "2", "t . x = 2\n"},
		{"replace in an inline table", "t = { x = 1, y = 2 } # c\n", "t", "x", "3", "t = { x = 3, y = 2 } # c\n"},
		{"same value, other spelling", "x = 'a' # c\ny = 0.50\n", "", "y", "0.5", "x = 'a' # c\ny = 0.50\n"},
		{"same number, other type", "x = 1\n", "", "x", "1.0", "x = 1.0\n"},

		{"insert on top", "# a\nx = 1 # one\n\n# about t\n[t]\n", "", "y", "2", "# a\nx = 1 # one\ny = 2\n\n# about t\n[t]\n"},
		{"insert above the first table", "# head\n\n# about t\n  # more\n[t]\nx = 1\n", "", "y", "2", "# head\n\ny = 2\n\n# about t\n  # more\n[t]\nx = 1\n"},
		{"insert above a list of tables", "[[t]]\nx = 1\n", "", "y", "2", "y = 2\n\n[[t]]\nx = 1\n"},
		{"insert into nothing", "", "", "y", "2", "y = 2\n"},
		{"insert below comments", "# a", "", "y", "2", "# a\ny = 2\n"},
		{"insert into a table", "[t]\n  x = 1\n  # last\n\n[u]\n", "t", "y", "2", "[t]\n  x = 1\n  y = 2\n  # last\n\n[u]\n"},
		{"insert into an empty table", "[t] # c\n[u]\n", "t", "y", "2", "[t] # c\ny = 2\n[u]\n"},
		{"insert after a long value", "[t]\nx = [\n1,\n] # c\n\n[u]\n", "t", "y", "2", "[t]\nx = [\n1,\n] # c\ny = 2\n\n[u]\n"},
		{"insert without a line end", "[t]\nx = 1", "t", "a.b", "2", "[t]\nx = 1\n\"a.b\" = 2\n"},
		{"insert beside dotted keys", "t.x = 1\nz = 1\n", "t", "y", "2", "t.x = 1\nt.y = 2\nz = 1\n"},
		{"insert beside a subtable", "[t]\nx = 1\n[t.u]\ny = 1\n", "t", "y", "2", "[t]\nx = 1\ny = 2\n[t.u]\ny = 1\n"},
		{"table that is only implied", "[t.u]\ny = 1\n", "t", "y", "2", "[t.u]\ny = 1\n\n[t]\ny = 2\n"},
		{"new table", "x = 1\n", "t", "y", "2", "x = 1\n\n[t]\ny = 2\n"},
		{"new table without a line end", "x = 1", "t", "y", "2", "x = 1\n\n[t]\ny = 2\n"},
		{"new table after a blank line", "x = 1\n\n", "t", "y", "2", "x = 1\n\n[t]\ny = 2\n"},
		{"new table in nothing", "", "t", "y", "2", "[t]\ny = 2\n"},
		{"new quoted table", "x = 1\n", "a.b", "y", "2", "x = 1\n\n[\"a.b\"]\ny = 2\n"},

		{"CRLF", "x = 1\r\n[t]\r\n y = 1\r\n", "t", "z", "2", "x = 1\r\n[t]\r\n y = 1\r\n z = 2\r\n"},
		{"CRLF, new table", "x = 1\r\n", "t", "z", "2", "x = 1\r\n\r\n[t]\r\nz = 2\r\n"},
		{"CRLF, text of several lines", "x = 1\r\n", "", "x", "\"\"\"\na\n\"b\" \"\"\"", "x = \"a\\n\\\"b\\\" \"\r\n"},
		{"CRLF, list of several lines", "x = 1\r\n", "", "x", "[\n  1,\n]", "x = [\r\n  1,\r\n]\r\n"},
		{"byte order mark", "\xef\xbb\xbfx = 1\n", "", "x", "2", "\xef\xbb\xbfx = 2\n"},
		{"byte order mark, insert", "\xef\xbb\xbf[t]\n", "", "x", "2", "\xef\xbb\xbfx = 2\n\n[t]\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := []byte(test.src)
			got, err := SetTOML(src, test.table, test.key, test.literal)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if string(src) != test.src {
				t.Error("the source was changed")
			}
			again, err := SetTOML(got, test.table, test.key, test.literal)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("not the same when done again: %q, %v", again, err)
			}
		})
	}
}

func TestSetTOMLErrors(t *testing.T) {
	tests := []struct {
		name, src, table, key, literal string
		code                           Code
		want                           string
	}{
		{"not TOML", "x = \n", "", "x", "1", CodeBrokenFile, "cannot be read as TOML: "},
		{"no value", "x = 1\n", "", "x", "", CodeBadInput, `"" is not one TOML value`},
		{"two pairs", "x = 1\n", "", "x", "1\ny = 2", CodeBadInput, `"1\ny = 2" is not one TOML value`},
		{"comment", "x = 1\n", "", "x", "1 # c", CodeBadInput, `"1 # c" is not one TOML value`},
		{"into an inline table", "y = 1\nt = { x = 1 }\n", "t", "y", "2", CodeRefused, "t is an inline table; add y = 2 to it by hand in line 2"},
		{"over a table", "y = 1\n[t.x]\n", "t", "x", "2", CodeRefused, "t.x is a table (line 2); change it by hand"},
		{"over a dotted table", "\nt.x.y = 1\n", "t", "x", "2", CodeRefused, "t.x is a table"},
		{"under a value", "t = 1\n", "t", "x", "2", CodeRefused, `"t" is not a table`},
		{"under a list of tables", "[[t]]\nx = 1\n", "t", "x", "2", CodeRefused, `"t" is not a table`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := SetTOML([]byte(test.src), test.table, test.key, test.literal)
			if got != nil || CodeOf(err) != test.code || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("%q %v", got, err)
			}
		})
	}
}

func TestFindTOMLKey(t *testing.T) {
	const src = "\xef\xbb\xbf# c\r\na = '''\r\nb = 1\r\n'''\nb = 1\n[t] # t\n\"x.y\" = [\n{ z = 1 },\n]\nz = { p = 1,\n q = 2 }\n[[l]]\nm = 1\n[u]\nv.w = 1\n"
	tests := []struct {
		table, key string
		line       int
	}{
		{"", "a", 2}, {"", "b", 5}, {"", "t", 6}, {"t", "x.y", 7}, {"t", "z", 10}, {"z", "p", 0}, {"", "l", 12}, {"l", "m", 13}, {"u", "v", 0}, {"", "nothing", 0}, {"t", "a", 0},
	}
	for _, test := range tests {
		if line, ok := FindTOMLKey([]byte(src), test.table, test.key); line != test.line || ok != (test.line > 0) {
			t.Errorf("%s.%s: line %d, %v, want %d", test.table, test.key, line, ok, test.line)
		}
	}
}

// After an edit that works: the file decodes to what it did and the one value,
// the edit done again changes nothing, and all lines but those of that value
// are there as they were.
func FuzzSetTOML(f *testing.F) {
	seeds := []struct{ src, table, key, literal string }{
		{"x = 1 # c\n[t]\n\"a.b\" = '''\n[u]'''\n", "t", "a.b", "2"},
		{"x = [1, # ]\n2]\r\n[t]\r\n", "t", "y", "\"\"\"\na\"\"\""},
		{"t = { x = 1,\n y = [{}] }\n[[l]]\nx = 1\n[l.m]\n", "l", "x", "nan"},
		{"a.b.c = 1\na.d = inf\n", "a", "b", "1979-05-27"},
		{"# c\n\n# d\n[t]", "", "x", "[\n'a',\n]"},
		{"\xef\xbb\xbf\"\" = \"\\\"\"\n''.x = 1\n", "", "", "true"},
		{"a = \"\"\"\\\n  \"\"\"\"\"\nb = 0x1F\n[ t . 'u' ]\nv = -0.0", "t", "u", "0.0"},
	}
	for _, s := range seeds {
		f.Add(s.src, s.table, s.key, s.literal)
	}
	f.Fuzz(func(t *testing.T, src, table, key, literal string) {
		FindTOMLKey([]byte(src), table, key)
		got, err := SetTOML([]byte(src), table, key, literal)
		if err != nil {
			if got != nil || CodeOf(err) == "" {
				t.Fatalf("%q %v", got, err)
			}
			return
		}
		before, _, _ := decodeTOML(CodeBrokenFile, "", TrimBOM([]byte(src)))
		after, _, err := decodeTOML(CodeBrokenFile, "", TrimBOM(got))
		want, _ := decodeLiteral(literal)
		if err != nil || !sameTOML(after, withTOML(before, table, key, want)) {
			t.Fatalf("%q: %v, want %v set in %v (%v)", got, after, want, before, err)
		}
		again, err := SetTOML(got, table, key, literal)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("again: %q, %v", again, err)
		}
		checkOneSplice(t, src, string(got))
	})
}

// checkOneSplice fails unless the two texts differ in one stretch only, and
// every comment line outside of it is kept.
func checkOneSplice(t *testing.T, before, after string) {
	t.Helper()
	prefix := 0
	for prefix < min(len(before), len(after)) && before[prefix] == after[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < min(len(before), len(after))-prefix && before[len(before)-1-suffix] == after[len(after)-1-suffix] {
		suffix++
	}
	removed := before[prefix : len(before)-suffix]
	entries := scanTOML(TrimBOM([]byte(before)))
	inOneValue := removed == "" || slices.ContainsFunc(entries, func(e tomlEntry) bool {
		bom := len(before) - len(TrimBOM([]byte(before)))
		return e.value+bom <= prefix && len(before)-suffix <= e.end+bom
	})
	if !inOneValue {
		t.Errorf("more than a value was taken out of %q: %q", before, removed)
	}
}
