package workspace

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The defaults of docs/workspace.md, "Configuration", written out once more.
func TestDefaultConfig(t *testing.T) {
	want := Config{
		RuleValidation: true, RuleTrialMinSessions: 5,
		RulePromoteMargin: 0.05, RuleRegressMargin: 0.05,
		ReplayTimeoutS: 300, MaxActiveRules: 50,
		CaptureEvalCases: false, EvalCaseMax: 200, RegressionSample: 0,
		ObserveOnly: false, AutoValidate: true,
		ReliabilityThreshold: 0.5, ConsistencyThreshold: 0.5,
		SessionMetrics: []string{"agent_reliability", "agent_consistency"},
		EnableTrend:    true, EWMAFastSpan: 3, EWMASlowSpan: 10, TrendMarginCross: 0.05, TrendMinSamples: 4,
		AdaptiveThreshold: false, AdaptiveMarginDrop: 0.15,
		PercentileWindow: 0, PercentileFloor: 0.25,
		AlertCooldownTurns: 0, CircuitBreakerMaxNotices: 5, CircuitBreakerWindowS: 600,
		RuleRetrieval: true, RulesContextTopK: 8, SanitizeMaxLen: 2000,
		CLIBinary: "pandaprobe", CLITimeoutS: 30,
		PollIntervalS: 1, PollMaxAttempts: 20, EvalRetryAttempts: 3, EvalRetryBackoffS: 1,
	}
	if diff := cmp.Diff(want, DefaultConfig()); diff != "" {
		t.Error(diff)
	}
	loaded, settings, warnings, err := LoadConfig(LoadOptions{})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if diff := cmp.Diff(want, loaded); diff != "" {
		t.Error(diff)
	}
	for _, s := range settings {
		if s.Source != SourceDefault {
			t.Errorf("%s comes from %s", s.Name, s.Source)
		}
	}
}

func TestDefaultConfigsShareNothing(t *testing.T) {
	first := DefaultConfig()
	first.SessionMetrics[0] = "other"
	if got := DefaultConfig().SessionMetrics[0]; got != MetricReliability {
		t.Errorf("a change of one default configuration reached the next: %s", got)
	}
}

// knobCase has texts as in harness.toml: the ends of the range and what lies
// just beyond, and values of other types.
type knobCase struct{ good, bad string }

var knobCases = map[string]knobCase{
	"rule_validation":             {"true|false", `1|0.0|"true"|[]|nan`},
	"rule_trial_min_sessions":     {"1|1000000", `0|-1|1.0|"1"|true|nan|inf`},
	"rule_promote_margin":         {"0|0.0|1|1.0|1e-9", `-0.0001|1.0001|nan|-nan|inf|-inf|"0.5"|true`},
	"rule_regress_margin":         {"0|0.0|1|1.0|1e-9", `-0.0001|1.0001|nan|inf|"0.5"|true`},
	"replay_timeout_s":            {"0.001|1|300.5|1e300", `0|0.0|-0.0|-1|nan|inf|"300"`},
	"max_active_rules":            {"0|1", `-1|0.0|2.5|"0"|nan`},
	"capture_eval_cases":          {"true|false", `1|"no"`},
	"eval_case_max":               {"0|1", `-1|0.0|nan`},
	"regression_sample":           {"0|1", `-1|0.5|inf`},
	"observe_only":                {"true|false", `0|"on"`},
	"auto_validate":               {"true|false", `0|"off"`},
	"reliability_threshold":       {"0|1|0.5", `-0.1|1.1|nan|"0.5"`},
	"consistency_threshold":       {"0|1|0.5", `-0.1|1.1|nan|"0.5"`},
	"thresholds":                  {"{}|{ a = 0, b = 1, c = 0.5 }", `{ a = -0.1 }|{ a = 1.1 }|{ a = nan }|{ a = "0.5" }|{ a = true }|{ a = { b = 0.5 } }|0.5|[]`},
	"session_metrics":             {`["a"]|["a", "b"]`, `[]|""|"a"|[1]|[""]|["a", true]|[["a"]]`},
	"enable_trend":                {"true|false", `1`},
	"ewma_fast_span":              {"1|2", `0|-1|1.5|nan`},
	"ewma_slow_span":              {"1|2", `0|-1|1.5|nan`},
	"trend_margin_cross":          {"0|1", `-0.01|1.01|nan`},
	"trend_min_samples":           {"0|1", `-1|1.0|nan`},
	"adaptive_threshold":          {"true|false", `0.5`},
	"adaptive_margin_drop":        {"0|1", `-0.01|1.01|nan`},
	"percentile_window":           {"0|1", `-1|1.0`},
	"percentile_floor":            {"0|1", `-0.01|1.01|nan`},
	"alert_cooldown_turns":        {"0|1", `-1|1.0`},
	"circuit_breaker_max_notices": {"0|1", `-1|1.0`},
	"circuit_breaker_window_s":    {"0.001|600", `0|-1|nan|inf`},
	"rule_retrieval":              {"true|false", `1`},
	"rules_context_topk":          {"0|1", `-1|1.0`},
	"sanitize_max_len":            {"0|1", `-1|1.0`},
	"cli_binary":                  {`"x"|"/opt/x y"`, `""|"  "|1|["x"]|"a\u0000b"|2026-01-01`},
	"cli_timeout_s":               {"0.001|30", `0|-1|nan`},
	"poll_interval_s":             {"0|0.5", `-0.5|nan|inf`},
	"poll_max_attempts":           {"1|2", `0|1.0`},
	"eval_retry_attempts":         {"0|1", `-1|1.0`},
	"eval_retry_backoff_s":        {"0|0.5", `-0.5|nan`},
	"replay.command":              {`"make replay"|["./replay"]|["sh", "-c", ""]`, `""|" "|[]|[""]|[1]|["a", 1]|["a", "b\u0000"]|"a\u0000"|1|true|{ argv = 1 }`},
	"score.command":               {`"make score"|["./score", "-v"]`, `""|[]|[""]|[["a"]]|1`},
	"redact.patterns":             {`[]|["a"]|['\d{1,3}', "b"]`, `"a"|[1]|[""]|["("]|["a", "[b"]|['(?<=a)b']`},
}

func TestKnobRangesInTheFile(t *testing.T) {
	for _, k := range Knobs() {
		cases, ok := knobCases[k.Name]
		if !ok {
			t.Errorf("no cases for %s", k.Name)
		}
		for _, value := range strings.Split(cases.good, "|") {
			if _, _, _, err := LoadConfig(LoadOptions{File: "harness.toml", Data: []byte(k.Name + " = " + value)}); err != nil {
				t.Errorf("%s = %s: %v", k.Name, value, err)
			}
		}
		for _, value := range strings.Split(cases.bad, "|") {
			_, _, _, err := LoadConfig(LoadOptions{File: "harness.toml", Data: []byte(k.Name + " = " + value)})
			e, ok := err.(*Error)
			if !ok || e.Code != CodeConfig || e.File != "harness.toml" || e.Line != 1 || !strings.HasPrefix(e.Field, k.Name) {
				t.Errorf("%s = %s: %v", k.Name, value, err)
			}
		}
	}
}

// What the file takes, the environment and a flag take too, and so with what
// they refuse; only texts cannot have the wrong type there.
func TestKnobRangesElsewhere(t *testing.T) {
	for _, k := range Knobs() {
		switch k.Kind {
		case "true or false", "whole number", "number":
		default:
			continue
		}
		load := func(value string) []error {
			_, _, _, inEnv := LoadConfig(LoadOptions{Env: []string{k.Env + "=" + value}})
			_, _, _, inFlag := LoadConfig(LoadOptions{Flags: []string{k.Name + "=" + value}})
			return []error{inEnv, inFlag}
		}
		for _, value := range strings.Split(knobCases[k.Name].good, "|") {
			for _, err := range load(value) {
				if err != nil {
					t.Errorf("%s: %v", value, err)
				}
			}
		}
		for _, value := range strings.Split(knobCases[k.Name].bad, "|") {
			if k.Kind == "true or false" && value == "1" || value == "0" || strings.Contains(value, `"`) {
				continue // means something there
			}
			for i, err := range load(value) {
				if CodeOf(err) != CodeConfig {
					t.Errorf("%s = %s (%d): %v", k.Name, value, i, err)
				}
			}
		}
	}
}

func TestKnobsDescribeTheirDefaults(t *testing.T) {
	want := map[string]any{}
	_, settings, _, _ := LoadConfig(LoadOptions{})
	for _, s := range settings {
		want[s.Name] = s.Value
	}
	seen := map[string]bool{}
	for _, k := range Knobs() {
		if k.Doc == "" || k.Kind == "" || seen[k.Env] {
			t.Errorf("%+v", k)
		}
		seen[k.Env] = true
		if diff := cmp.Diff(want[k.Name], k.Default); diff != "" {
			t.Errorf("%s: %s", k.Name, diff)
		}
		if _, err := json.Marshal(k); err != nil {
			t.Error(err)
		}
	}
	if got := len(knobCases); got != len(seen) {
		t.Errorf("%d cases for %d knobs", got, len(seen))
	}
}

func TestThresholdPrecedence(t *testing.T) {
	const file = "reliability_threshold = 0.1\n[thresholds]\nagent_reliability = 0.2\ntool_use = 0.9\n"
	tests := []struct {
		name       string
		file       string
		env, flags []string
		want       float64 // of agent_reliability
		source     Source
		line       int
	}{
		{name: "default", want: 0.5, source: SourceDefault},
		{name: "knob", file: "\nreliability_threshold = 0.1", want: 0.1, source: SourceFile, line: 2},
		{name: "table over knob", file: file, want: 0.2, source: SourceFile, line: 3},
		{name: "dotted table before the knob", file: "thresholds.agent_reliability = 0.2\nreliability_threshold = 0.1", want: 0.2, source: SourceFile, line: 1},
		{name: "environment over both", file: file, env: []string{"HARNESS_RELIABILITY_THRESHOLD=0.3"}, want: 0.3, source: SourceEnvironment},
		{name: "table over knob in the environment", file: file,
			env: []string{"HARNESS_THRESHOLDS=x=0.1, agent_reliability = 0.4", "HARNESS_RELIABILITY_THRESHOLD=0.3"}, want: 0.4, source: SourceEnvironment},
		{name: "flag over all", file: file, env: []string{"HARNESS_THRESHOLDS=agent_reliability=0.4"},
			flags: []string{"reliability_threshold=0.6"}, want: 0.6, source: SourceFlag},
		{name: "flag for the table", file: file, env: []string{"HARNESS_RELIABILITY_THRESHOLD=0.3"},
			flags: []string{"thresholds.agent_reliability=0.7", "reliability_threshold=0.6"}, want: 0.7, source: SourceFlag},
		{name: "other knob", file: file, env: []string{"HARNESS_CONSISTENCY_THRESHOLD=0.3"}, want: 0.2, source: SourceFile, line: 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, settings, _, err := LoadConfig(LoadOptions{File: "f", Data: []byte(test.file), Env: test.env, Flags: test.flags})
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Threshold(MetricReliability); got != test.want {
				t.Errorf("threshold %v, want %v", got, test.want)
			}
			if c.ReliabilityThreshold != test.want {
				t.Errorf("the knob disagrees: %v", c.ReliabilityThreshold)
			}
			i := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == "reliability_threshold" })
			if got := settings[i]; got.Value != test.want || got.Source != test.source || got.Line != test.line {
				t.Errorf("%+v", got)
			}
			if test.file == file && c.Threshold("tool_use") != 0.9 {
				t.Error("tool_use changed")
			}
			if got := c.Threshold("unheard_of"); got != 0.5 {
				t.Errorf("a metric that nobody configured: %v", got)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	_, settings, warnings, err := LoadConfig(LoadOptions{
		File:  "harness.toml",
		Data:  []byte("# mine\nobserve_only = true\nreplay_timeout_s = 10\nmax_active_rules = 7\n\n[replay]\ncommand = [\"a\",\n  \"b\"]\n\n[thresholds]\nb = 1\n\"a.x\" = 0.25\n"),
		Env:   []string{"HARNESS_REPLAY_TIMEOUT_S=20", "HARNESS_MAX_ACTIVE_RULES=8", "HARNESS_SCORE_COMMAND=make score"},
		Flags: []string{"max_active_rules=9"},
	})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	got := slices.DeleteFunc(settings, func(s Setting) bool { return s.Source == SourceDefault })
	want := []Setting{
		{Name: "replay_timeout_s", Value: 20.0, Source: SourceEnvironment},
		{Name: "max_active_rules", Value: 9, Source: SourceFlag},
		{Name: "observe_only", Value: true, Source: SourceFile, File: "harness.toml", Line: 2},
		{Name: "thresholds.a.x", Value: 0.25, Source: SourceFile, File: "harness.toml", Line: 12},
		{Name: "thresholds.b", Value: 1.0, Source: SourceFile, File: "harness.toml", Line: 11},
		{Name: "replay.command", Value: []string{"a", "b"}, Source: SourceFile, File: "harness.toml", Line: 7},
		{Name: "score.command", Value: "make score", Source: SourceEnvironment},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSeconds(t *testing.T) {
	tests := map[float64]time.Duration{
		0: 0, 1: time.Second, 0.1: 100 * time.Millisecond, 1.1: 1100 * time.Millisecond,
		1e-300: 1, 1e300: math.MaxInt64, 300: 5 * time.Minute,
	}
	for s := range maps.Keys(tests) {
		if got := Seconds(s); got != tests[s] {
			t.Errorf("Seconds(%v) = %v, want %v", s, got, tests[s])
		}
	}
}

func BenchmarkLoadConfig(b *testing.B) {
	data := []byte("# knobs\nreplay_timeout_s = 60\nmax_active_rules = 20\ncapture_eval_cases = true\n\n[replay]\ncommand = [\"./replay.sh\"]\n\n[thresholds]\ntool_use = 0.7\n\n[redact]\npatterns = ['sk-[a-z0-9]{20,}']\n")
	env := []string{"PATH=/bin", "HOME=/root", "HARNESS_WRITER=ci", "HARNESS_OBSERVE_ONLY=1"}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, _, err := LoadConfig(LoadOptions{File: "harness.toml", Data: data, Env: env}); err != nil {
			b.Fatal(err)
		}
	}
}
