package lifecycle

import (
	"regexp"
	"strings"
	"testing"
)

func TestSafeLine(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"plain", "agent_reliability: 0.25 (\u00e9t\u00e9)", "agent_reliability: 0.25 (\u00e9t\u00e9)"},
		{"lines and tabs", "a\r\nb\tc", `a\r\nb\tc`},
		{"terminal sequences", "\x1b[2J\u009b1m\x7f", `\u001b[2J\u009b1m\u007f`},
		{"commands to a CI log", "x ##[error]owned, ###[ok", `x ##\[error]owned, ###\[ok`},
		{"delete alone", "a\x7f", `a\u007f`},
		{"bidirectional controls", "user\u202e\u2066 admin\u200f\u061c", `user\u202e\u2066 admin\u200f\u061c`},
		{"line separators", "a\u2028b\u2029c\u0085d", `a\u2028b\u2029c\u0085d`},
		{"zero width", "a\u200bb\ufeffc\u2060d\u00ade", `a\u200bb\ufeffc\u2060d\u00ade`},
		{"tag characters", "x\U000e0041\U000e007f", `x\U000e0041\U000e007f`},
		{"fillers that show nothing", "a\u3164b\u034fc", `a\u3164b\u034fc`},
		{"Arabic number sign has a shape", "\u0600\u0661", "\u0600\u0661"},
		{"emoji joined to one", "\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"Persian non-joiner", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"},
		{"joiners in ASCII", "ad\u200dmin\u200c", `ad\u200dmin\u200c`},
		{"a row of joiners", "\u00e9\u200d\u200c\u200d", "\u00e9\u200d" + `\u200c\u200d`},
		{"a row of selectors", "\u2764\ufe0f\ufe0e\ufe0f\ufe01", "\u2764\ufe0f" + `\ufe0e\ufe0f\ufe01`},
		{"joiner at the start", "\u200da", `\u200da`},
		{"joiner behind what is shown", "\u0085\u200d", `\u0085\u200d`},
		{"invalid UTF-8", "a\xffb", "a\ufffdb"},
	} {
		if got := SafeLine(tt.text); got != tt.want {
			t.Errorf("%s: SafeLine(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestSafeMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"names and numbers stay", "r-0123456789 agent_reliability -0.25 1.5 s/1", "r-0123456789 agent_reliability -0.25 1.5 s/1"},
		{"a cell ends nowhere", "a|b\nc", `a\|b\\nc`},
		{"a backslash frees nothing", `\|`, `\\\|`},
		{"code", "`rm`", "\\`rm\\`"},
		{"HTML", "<img src=x>&lt;", `&lt;img src=x&gt;&amp;lt;`},
		{"links and images", "![a](b)", `!\[a\](b)`},
		{"addresses", "http://x WWW.x", "http:&#8203;//x W&#8203;WW.x"},
		{"mentions and references", "@team a@b.c #12", `@&#8203;team a@&#8203;b.c \#&#8203;12`},
		{"stress", "*a* _b_ __c__ ~~d~~ $e$", `\*a\* \_b\_ \_\_c\_\_ \~\~d\~\~ \$e\$`},
		{"heading", "# a", `\# a`},
		{"underline", "---", `\---`},
		{"underline with a blank", "- ", `\- `},
		{"table", ":--", `\:--`},
		{"list, then heading", "1. ===", `1. \===`},
		{"hidden", "a\u202eb", `a\\u202eb`},
	} {
		if got := SafeMarkdown(tt.text); got != tt.want {
			t.Errorf("%s: SafeMarkdown(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// bare finds what Markdown acts upon once escaped characters are left out.
var bare = regexp.MustCompile("[|`<>\\[\\]*~]|://|@\\w")

func FuzzSafeText(f *testing.F) {
	for _, text := range []string{"a|b\\|c", "<b>`x`</b> @me #1 http://x", "\u202e\u200d\u200d", "\x1b[31m\r\n", "\xff&amp;", "- - # x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := SafeLine(text)
		if why := hiddenIn(line); why != "" {
			t.Errorf("SafeLine(%q) = %q has %s", text, line, why)
		}
		markdown := SafeMarkdown(text)
		if why := hiddenIn(markdown); why != "" {
			t.Errorf("SafeMarkdown(%q) = %q has %s", text, markdown, why)
		}
		if found := bare.FindString(withoutEscaped(markdown)); found != "" {
			t.Errorf("SafeMarkdown(%q) = %q leaves %q free", text, markdown, found)
		}
	})
}

func withoutEscaped(markdown string) string {
	return regexp.MustCompile(`\\.`).ReplaceAllString(markdown, " ")
}

// hiddenIn says what a reader would not see in a line.
func hiddenIn(line string) string {
	if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || 0x7f <= r && r < 0xa0 }) {
		return "a control character"
	}
	if hidden.MatchString(line) {
		return "an invisible character"
	}
	return ""
}

// hidden knows of invisible characters in its own way: bidirectional and other
// controls, and joiners or selectors that join nothing.
var hidden = regexp.MustCompile(`[\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fe00}-\x{fe0d}\x{e0000}-\x{e0fff}]` +
	`|(?:^|[\x00-\x7f])[\x{200c}\x{200d}\x{fe0e}]|[\x{200c}\x{200d}][\x{200c}\x{200d}\x{fe0e}\x{fe0f}]|[\x{fe0e}\x{fe0f}][\x{fe0e}\x{fe0f}]`)
