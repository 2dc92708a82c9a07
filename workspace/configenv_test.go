package workspace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironment(t *testing.T) {
	tests := []struct {
		name   string
		env    []string
		change func(*Config)
	}{
		{"none", []string{"PATH=/bin", "HARNESS=1", "harness_observe_only=1", "XHARNESS_OBSERVE_ONLY=1"}, func(c *Config) {}},
		{"empty counts as not set", []string{"HARNESS_OBSERVE_ONLY=", "HARNESS_CLI_BINARY= ", "HARNESS_REPLAY_COMMAND=", "HARNESS_NO_SUCH="}, func(c *Config) {}},
		{"bool words", []string{"HARNESS_OBSERVE_ONLY=YES", "HARNESS_AUTO_VALIDATE=off", "HARNESS_RULE_VALIDATION=0", "HARNESS_CAPTURE_EVAL_CASES= On ",
			"HARNESS_ENABLE_TREND=False", "HARNESS_ADAPTIVE_THRESHOLD=1", "HARNESS_RULE_RETRIEVAL=no"},
			func(c *Config) {
				c.ObserveOnly, c.AutoValidate, c.RuleValidation, c.CaptureEvalCases = true, false, false, true
				c.EnableTrend, c.AdaptiveThreshold, c.RuleRetrieval = false, true, false
			}},
		{"numbers", []string{"HARNESS_MAX_ACTIVE_RULES= 7 ", "HARNESS_REPLAY_TIMEOUT_S=2.5", "HARNESS_CLI_TIMEOUT_S=10", "HARNESS_RULE_PROMOTE_MARGIN=1e-2"},
			func(c *Config) {
				c.MaxActiveRules, c.ReplayTimeoutS, c.CLITimeoutS, c.RulePromoteMargin = 7, 2.5, 10, 0.01
			}},
		{"text", []string{"HARNESS_CLI_BINARY=/opt/a b/pandaprobe"}, func(c *Config) { c.CLIBinary = "/opt/a b/pandaprobe" }},
		{"list", []string{"HARNESS_SESSION_METRICS= a ,,b c,"}, func(c *Config) { c.SessionMetrics = []string{"a", "b c"} }},
		{"commands are for the shell", []string{"HARNESS_REPLAY_COMMAND=./replay --x=1, y", "HARNESS_SCORE_COMMAND=score | tail -1"},
			func(c *Config) { c.Replay.Shell, c.Score.Shell = "./replay --x=1, y", "score | tail -1" }},
		{"patterns keep their own commas", []string{`HARNESS_REDACT_PATTERNS=\d{1,3}, a\,b ,(x,y),[,)]+,[],]c,[^],]d,e`},
			func(c *Config) {
				c.RedactPatterns = []string{`\d{1,3}`, `a\,b`, `(x,y)`, `[,)]+`, `[],]c`, `[^],]d`, `e`}
			}},
		{"thresholds", []string{"HARNESS_THRESHOLDS=a=0.25, b=c=1"}, func(c *Config) { c.Thresholds = map[string]float64{"a": 0.25, "b=c": 1} }},
		{"last of two", []string{"HARNESS_EVAL_CASE_MAX=1", "HARNESS_EVAL_CASE_MAX=2"}, func(c *Config) { c.EvalCaseMax = 2 }},
		{"set by this program", []string{"HARNESS_ROOT=/x", "HARNESS_WRITER=ci", "HARNESS_CASE_FILE=f", "HARNESS_CONTEXT_FILE=f", "HARNESS_CASE_ID=c", "HARNESS_CASE_KIND=win",
			"HARNESS_RULE_ID=r", "HARNESS_REPLAY_TIMEOUT_S=12", "HARNESS_IN_REPLAY=1", "HARNESS_CHECK=1", "HARNESS_SESSION_ID=s"},
			func(c *Config) { c.ReplayTimeoutS = 12 }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := DefaultConfig()
			test.change(&want)
			got, _, warnings, err := LoadConfig(LoadOptions{Env: test.env})
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEnvironmentWarnings(t *testing.T) {
	c, _, warnings, err := LoadConfig(LoadOptions{Env: []string{"HARNESS_ZZZ=1", "HARNESS_REPLAY_TIMOUT_S=3", "HARNESS_WRITTER=x", "HARNESS_=1"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"ignored the unknown environment variable HARNESS_",
		"ignored the unknown environment variable HARNESS_REPLAY_TIMOUT_S; did you mean HARNESS_REPLAY_TIMEOUT_S?",
		"ignored the unknown environment variable HARNESS_WRITTER; did you mean HARNESS_WRITER?",
		"ignored the unknown environment variable HARNESS_ZZZ",
	}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(DefaultConfig(), c); diff != "" {
		t.Error(diff)
	}
}

func TestEnvironmentAndFlagErrors(t *testing.T) {
	tests := []struct {
		setting string // a variable, or a flag when it begins otherwise
		want    string
	}{
		{"HARNESS_OBSERVE_ONLY=maybe", `HARNESS_OBSERVE_ONLY: must be true or false, not the text "maybe"`},
		{"HARNESS_MAX_ACTIVE_RULES=5.0", `HARNESS_MAX_ACTIVE_RULES: must be a whole number of 0 or more, not the text "5.0"`},
		{"HARNESS_MAX_ACTIVE_RULES=-1", `HARNESS_MAX_ACTIVE_RULES: must be a whole number of 0 or more, not -1`},
		{"HARNESS_MAX_ACTIVE_RULES=99999999999999999999", `HARNESS_MAX_ACTIVE_RULES: must be a whole number of 0 or more, not the text`},
		{"HARNESS_REPLAY_TIMEOUT_S=30s", `HARNESS_REPLAY_TIMEOUT_S: must be a number above 0, not the text "30s"`},
		{"HARNESS_REPLAY_TIMEOUT_S=NaN", `HARNESS_REPLAY_TIMEOUT_S: must be a number above 0, not nan`},
		{"HARNESS_REPLAY_TIMEOUT_S=1e999", `HARNESS_REPLAY_TIMEOUT_S: must be a number above 0, not the text "1e999"`},
		{"HARNESS_REPLAY_TIMEOUT_S=Infinity", `HARNESS_REPLAY_TIMEOUT_S: must be a number above 0, not +inf`},
		{"HARNESS_SESSION_METRICS=,", `HARNESS_SESSION_METRICS: must have at least one item`},
		{"HARNESS_REDACT_PATTERNS=a,(", `HARNESS_REDACT_PATTERNS: item 2 of 2 is not a regular expression of Go: missing closing ): ` + "`(`"},
		{"HARNESS_THRESHOLDS=a", `HARNESS_THRESHOLDS: must be METRIC=NUMBER`},
		{"HARNESS_THRESHOLDS=a=2", `HARNESS_THRESHOLDS: must be a number of 0 to 1, not 2.0`},
		{"replay_timout_s=3", `--set replay_timout_s: unknown knob; did you mean replay_timeout_s?`},
		{"observe_only", `--set: "observe_only" is not knob=value`},
		{"observe_only=", `--set observe_only: must be true or false, not the text ""`},
		{"replay.command=", `--set replay.command: must not be empty`},
		{"thresholds.a=", `--set thresholds.a: must be a number of 0 to 1, not the text ""`},
		{"thresholds.=1", `--set thresholds.: must be METRIC=NUMBER`},
		{"=1", `--set : unknown knob; the nearest one is`},
	}
	for _, test := range tests {
		o := LoadOptions{Flags: []string{test.setting}}
		if strings.HasPrefix(test.setting, envPrefix) {
			o = LoadOptions{Env: []string{test.setting}}
		}
		_, _, _, err := LoadConfig(o)
		if CodeOf(err) != CodeConfig || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", test.setting, err, test.want)
		}
	}
}

func TestFlags(t *testing.T) {
	want := DefaultConfig()
	want.ObserveOnly = true
	want.MaxActiveRules = 9
	want.Replay.Shell = "a=b --c"
	want.SessionMetrics = []string{"x", "y"}
	want.RedactPatterns = []string{}
	want.Thresholds = map[string]float64{"a.b=c": 0.6}
	got, _, _, err := LoadConfig(LoadOptions{
		Data:  []byte("max_active_rules = 1\nreplay.command = ['x']\n"),
		Env:   []string{"HARNESS_MAX_ACTIVE_RULES=2"},
		Flags: []string{"observe_only=yes", "max_active_rules=8", "max_active_rules=9", "replay.command=a=b --c", "session_metrics=x,y", "redact.patterns=", "thresholds.a.b=c=0.6"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzLoadConfigEnvironment(f *testing.F) {
	f.Add("HARNESS_REDACT_PATTERNS", `a[,(\`)
	f.Add("HARNESS_THRESHOLDS", "a=1,=")
	f.Add("HARNESS_REPLAY_TIMEOUT_S", "0x1p-2")
	f.Add("HARNESS_SESSION_METRICS", " , a")
	f.Fuzz(func(t *testing.T, name, value string) {
		_, _, warnings, err := LoadConfig(LoadOptions{Env: []string{name + "=" + value}})
		if e, ok := err.(*Error); err != nil && (!ok || e.Code != CodeConfig || e.Field == "" || len(warnings) > 0) {
			t.Fatalf("%#v", err)
		}
	})
}
