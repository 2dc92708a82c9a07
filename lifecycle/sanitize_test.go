package lifecycle

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSanitize(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		maxLen     int
		want       string
	}{
		{"colours", "\x1b[91mRed\x1b[0m and \x1b[10;5Hmoved", 0, "Red and moved"},
		{"sequences without a final letter", "a \x1b[12 b\x1b[5~", 0, "a [12 b[5~"},
		{"escape inside an escape", "\x1b\x1b[0m[31mred", 0, "[31mred"},
		{"window title, ended by a bell", "a\x1b]0;title\x07b", 0, "ab"},
		{"hyperlink, ended by ST", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", 0, "link"},
		{"OSC that never ends keeps the text", "a\x1b]0;title", 0, "a]0;title"},
		{"8-bit sequences", "a\u009b31mb\u009d0;t\u009cc\u0085d", 0, "abcd"},
		{"carriage returns", "one\r\ntwo\rthree", 0, "one\ntwothree"},
		{"control characters", "a\x00\x07\x7f\tb\nc", 0, "a\tb\nc"},
		{"banners", "======== -------- ######## =======", 0, "======= ------- ####### ======="},
		{"banner made by what goes", "====\x00====", 0, "======="},
		{"marker phrases", "PandaProbe \u2003harness, system\n\nalert; HARNESS: go", 0, "PandaProbe\u00b7harness, system\u00b7alert; HARNESS\u00b7: go"},
		{"invalid UTF-8", "a\xff\xfeb\xc3", 0, "a\ufffdb\ufffd"},
		{"white space around", "\u00a0\n a \t\u2028", 0, "a"},
		{"exactly as long as allowed", "abcdefghijklmn", 14, "abcdefghijklmn"},
		{"one too long", "abcdefghijklmno", 14, "ab\u2026[truncated]"},
		{"limit of the mark", "abcdefghijklmno", 12, "\u2026[truncated]"},
		{"limit below the mark", "abcdefghijklmno", 11, "abcdefghijk"},
	} {
		if got := sanitize(tt.text, tt.maxLen); got != tt.want {
			t.Errorf("%s: sanitize(%q, %d) = %q, want %q", tt.name, tt.text, tt.maxLen, got, tt.want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, text := range []string{
		"\x1b[31mred\x1b[0m", "\x1b]0;t\x07", "\u009b1m\u009d0;t\u009c", "=========#########", "pandaprobe harness: system\talert",
		"harness\x00: x", "\xff\r\n", " \u3000 a ", "harne\u017f\u017f:", strings.Repeat("harness:", 9), "\u202e",
		"pandaprobe harnessystem alert",
	} {
		f.Add(text, 20)
		f.Add(text, 0)
	}
	f.Fuzz(func(t *testing.T, text string, maxLen int) {
		got := sanitize(text, maxLen)
		if again := sanitize(got, maxLen); again != got {
			t.Errorf("sanitize(%q, %d) = %q, and once more %q", text, maxLen, got, again)
		}
		if !utf8.ValidString(got) || strings.TrimSpace(got) != got {
			t.Errorf("sanitize(%q, %d) = %q, which is not clean", text, maxLen, got)
		}
		if n := utf8.RuneCountInString(got); maxLen > 0 && n > maxLen {
			t.Errorf("sanitize(%q, %d) has %d code points", text, maxLen, n)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }); i >= 0 {
			t.Errorf("sanitize(%q, %d) = %q keeps a control character", text, maxLen, got)
		}
		if strings.Contains(strings.ToLower(got), "harness:") || strings.Contains(got, "========") {
			t.Errorf("sanitize(%q, %d) = %q keeps a marker or a banner", text, maxLen, got)
		}
	})
}
