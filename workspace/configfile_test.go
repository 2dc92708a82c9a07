package workspace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func loadFile(text string) (Config, error) {
	c, _, _, err := LoadConfig(LoadOptions{File: "harness.toml", Data: []byte(text)})
	return c, err
}

func TestConfigFile(t *testing.T) {
	tests := []struct {
		name, text string
		change     func(*Config)
	}{
		{"nothing", "", func(c *Config) {}},
		{"comments only", "# nothing\n\n", func(c *Config) {}},
		{"byte order mark", "\xef\xbb\xbfobserve_only = true\n", func(c *Config) { c.ObserveOnly = true }},
		{"byte order mark and CRLF", "\xef\xbb\xbf# x\r\nobserve_only = true\r\n[replay]\r\ncommand = 'x'\r\n",
			func(c *Config) { c.ObserveOnly = true; c.Replay.Shell = "x" }},
		{"no line end", "replay_timeout_s = 7", func(c *Config) { c.ReplayTimeoutS = 7 }},
		{"integer for a number", "rule_promote_margin = 1", func(c *Config) { c.RulePromoteMargin = 1 }},
		{"underscores", "sanitize_max_len = 10_000", func(c *Config) { c.SanitizeMaxLen = 10000 }},
		{"dotted keys", "replay.command = ['a', 'b c']\nthresholds.x = 0.25\n",
			func(c *Config) { c.Replay.Argv = []string{"a", "b c"}; c.Thresholds = map[string]float64{"x": 0.25} }},
		{"inline tables", "score = { command = 'a | b' }\nthresholds = { x = 1, \"a.b\" = 0 }\nredact = { patterns = ['a'] }\n",
			func(c *Config) {
				c.Score.Shell = "a | b"
				c.Thresholds = map[string]float64{"x": 1, "a.b": 0}
				c.RedactPatterns = []string{"a"}
			}},
		{"empty tables", "[replay]\n[score]\n[redact]\n[thresholds]\n", func(c *Config) {}},
		{"quoted table", "[\"replay\"]\n'command' = \"x\"\n", func(c *Config) { c.Replay.Shell = "x" }},
		{"several lines", "[replay]\ncommand = \"\"\"\nset -e\nrun it\n\"\"\"\n", func(c *Config) { c.Replay.Shell = "set -e\nrun it\n" }},
		{"a heading's underline is no conflict", "[replay]\ncommand = '''\n=======\n'''\n", func(c *Config) { c.Replay.Shell = "=======\n" }},
		{"metric with any name", "[thresholds]\n\"\" = 0.1\n\"\u00fc x\" = 0.2\nreplay = 0.3\n",
			func(c *Config) { c.Thresholds = map[string]float64{"": 0.1, "\u00fc x": 0.2, "replay": 0.3} }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := DefaultConfig()
			test.change(&want)
			got, err := loadFile(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConfigFileErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown key", "a\u0062c = 1", "harness.toml:1: abc: unknown key; the nearest one is"},
		{"typing error", "\n\nreplay_timout_s = 1", "harness.toml:3: replay_timout_s: unknown key; did you mean replay_timeout_s?"},
		{"hyphens", "max-active-rules = 1", "harness.toml:1: max-active-rules: unknown key; did you mean max_active_rules?"},
		{"in a table", "[redact]\npattern = ['a']", "harness.toml:2: redact.pattern: unknown key; did you mean redact.patterns?"},
		{"unknown table", "[replays]\ncommand = 'a'", "harness.toml:1: replays: unknown key; "},
		{"quoted dot", "\"replay.command\" = 'a'", "harness.toml:1: \"replay.command\": unknown key; did you mean replay.command?"},
		{"knob under a table", "[replay]\ncommand = 'x'\nreplay_timeout_s = 3",
			"harness.toml:3: replay.replay_timeout_s: unknown key; replay_timeout_s belongs at the top of the file, above the first [table]"},
		{"first in the order of the file", "observe_only = true\nmax_active_rules = -1\nabc = 1\nauto_validate = 1",
			"harness.toml:2: max_active_rules: must be a whole number of 0 or more, not -1"},
		{"float for whole number", "max_active_rules = 5.0", "harness.toml:1: max_active_rules: must be a whole number of 0 or more, not 5.0"},
		{"above", "replay_timeout_s = 0", "harness.toml:1: replay_timeout_s: must be a number above 0, not 0"},
		{"nan", "rule_promote_margin = nan", "harness.toml:1: rule_promote_margin: must be a number of 0 to 1, not nan"},
		{"inf", "replay_timeout_s = -inf", "harness.toml:1: replay_timeout_s: must be a number above 0, not -inf"},
		{"text for bool", "observe_only = \"yes\"", "harness.toml:1: observe_only: must be true or false, not the text \"yes\""},
		{"table for bool", "[observe_only]\nx = 1", "harness.toml:1: observe_only: must be true or false, not a table"},
		{"dotted under a knob", "observe_only.x = 1", "harness.toml:1: observe_only.x: must be true or false, not a table"},
		{"list of tables", "[[replay]]\ncommand = 'x'", "harness.toml:1: replay: must be a table, written [replay], not a list of tables"},
		{"no table", "replay = 'x'", "harness.toml:1: replay: must be a table, written [replay], not the text \"x\""},
		{"date", "cli_timeout_s = 2026-01-01", "harness.toml:1: cli_timeout_s: must be a number above 0, not a date or time"},
		{"threshold out of range", "[thresholds]\na = 0.5\n\"b.c\" = 1.5", "harness.toml:3: thresholds.\"b.c\": must be a number of 0 to 1, not 1.5"},
		{"threshold with a bare dot", "[thresholds]\nb.c = 0.5", "harness.toml:2: thresholds.b.c: must be a number, not a table; a metric name that holds a dot needs quotes: \"b.c\" = 0.5"},
		{"threshold table", "thresholds = 0.5", "harness.toml:1: thresholds: must be a table, written [thresholds], not 0.5"},
		{"in an inline table of two lines", "thresholds = { a = 0.5,\n b = 2 }", "harness.toml:2: thresholds.b: must be a number of 0 to 1, not 2"},
		{"command item", "[replay]\ncommand = ['a', 1]", "harness.toml:2: replay.command: item 2 of 2 must be text, not 1"},
		{"no command", "[replay]\ncommand = []", "harness.toml:2: replay.command: must name a program; remove the key when there is no command"},
		{"pattern", "[redact]\npatterns = ['a', '(']", "harness.toml:2: redact.patterns: item 2 of 2 is not a regular expression of Go: missing closing ): `(`"},
		{"no metric", "session_metrics = []", "harness.toml:1: session_metrics: must have at least one item"},
		{"twice", "observe_only = true\n# x\nobserve_only = true", "harness.toml:3: cannot be read as TOML: key 'observe_only' has already been defined"},
		{"table twice", "[replay]\ncommand = 'a'\n[replay]\n", "harness.toml:3: cannot be read as TOML: key 'replay' has already been defined"},
		{"open bracket", "a = 1\r\n[replay\r\ncommand = 1", "harness.toml:2: cannot be read as TOML: expected '.' or ']' to end table name, but got the end of the line instead"},
		{"open bracket at the end of the line", "[replay\n\n", "harness.toml:1: cannot be read as TOML: expected '.' or ']' to end table name, but got the end of the line instead"},
		{"no value", "a =\nb = 1", "harness.toml:1: cannot be read as TOML: expected value but found the end of the line instead"},
		{"control character", "a = 1\x01", "harness.toml:1: cannot be read as TOML: TOML files cannot contain control characters: '0x01'"},
		{"bad UTF-8", "# x\n# \xff\n", "harness.toml:2: cannot be read as TOML: invalid UTF-8 byte: 0xff"},
		{"UTF-16", "\xff\xfea\x00=\x001\x00", "harness.toml:1: is UTF-16; save it as UTF-8"},
		{"line after a long text", "[replay]\ncommand = '''\n\na\n'''\nx = 1", "harness.toml:6: replay.x: unknown key"},
		{"after a byte order mark", "\xef\xbb\xbf\nabc = 1", "harness.toml:2: abc: "},
		{"conflict", "observe_only = true\n<<<<<<< HEAD\nmax_active_rules = 1\n=======\nmax_active_rules = 2\n>>>>>>> other\n",
			"harness.toml:2: holds git conflict markers of an unfinished merge; resolve them"},
		{"conflict inside a text", "[replay]\ncommand = '''\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n'''\n",
			"harness.toml:3: holds git conflict markers of an unfinished merge; resolve them"},
		{"rest of a conflict", "observe_only = true\r\n>>>>>>> other\r\n", "harness.toml:2: holds git conflict markers"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := loadFile(test.text)
			if err == nil {
				t.Fatal("accepted")
			}
			if CodeOf(err) != CodeConfig || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

// A configuration that loads obeys every range, and loads the same with a byte
// order mark in front and with CRLF; an error names the file and one line of it.
func FuzzLoadConfigFile(f *testing.F) {
	for _, seed := range []string{
		"observe_only = true\n", "[thresholds]\n\"a.b\" = 0.5\nc = 1\n", "replay.command = [\n'a', # x\n\"b\"]\n",
		"score = { command = '''\nx''' }\n", "[redact]\npatterns = ['(a|b)+']\n", "a = [[{x=1}]]\n[[b]]\n[b.c]\n",
		"<<<<<<< x\n", "session_metrics = [\"a\\u0000\"]", "[a\n", "x = 1e5\ny = 1979-05-27 07:32:00Z\n", "thresholds.\"\\u0061\" = inf",
		"replay_timout_s = 3", "[replay]\ncommand = []\n", "\"a\\n\" = 1", "= 1", "a = \"\"\"\\\n  x\"\"\"\"\"\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := loadFile(text)
		if err != nil {
			e, ok := err.(*Error)
			if !ok || e.Code != CodeConfig || e.File == "" || e.Line < 1 || e.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("no place: %#v", err)
			}
			return
		}
		for i := range knobs {
			k := &knobs[i]
			switch p := k.field(&c).(type) {
			case *int:
				if !k.within.holds(float64(*p)) {
					t.Errorf("%s = %d", k.name, *p)
				}
			case *float64:
				if !k.within.holds(*p) {
					t.Errorf("%s = %v", k.name, *p)
				}
			}
		}
		for metric := range c.Thresholds {
			if v := c.Threshold(metric); !(v >= 0 && v <= 1) {
				t.Errorf("threshold of %q is %v", metric, v)
			}
		}
		c.Redactor().Text("some text with " + text)
		if !strings.HasPrefix(text, "\xef\xbb\xbf") {
			if marked, err := loadFile("\xef\xbb\xbf" + text); err != nil || !cmp.Equal(c, marked) {
				t.Errorf("with a byte order mark: %v %s", err, cmp.Diff(c, marked))
			}
		}
		if !strings.Contains(text, "\r") && !strings.Contains(text, `"""`) && !strings.Contains(text, "'''") {
			if crlf, err := loadFile(strings.ReplaceAll(text, "\n", "\r\n")); err != nil || !cmp.Equal(c, crlf) {
				t.Errorf("with CRLF: %v %s", err, cmp.Diff(c, crlf))
			}
		}
	})
}
