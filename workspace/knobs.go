package workspace

import "strings"

// KnobInfo describes one knob, for help texts and documents.
type KnobInfo struct {
	Name    string `json:"name"`    // as in harness.toml; "replay.command" is command under [replay]
	Kind    string `json:"kind"`    // what a value looks like, such as "whole number"
	Range   string `json:"range"`   // such as "0 to 1"; "" where the kind says all
	Default any    `json:"default"` // nil: none
	Env     string `json:"env"`     // the environment variable
	Doc     string `json:"doc"`     // one line
}

// Knobs lists every knob in the order of the documents (docs/workspace.md,
// "Configuration").
func Knobs() []KnobInfo {
	defaults := DefaultConfig()
	infos := make([]KnobInfo, len(knobs))
	for i := range knobs {
		k := &knobs[i]
		infos[i] = KnobInfo{k.name, k.kind(), k.within.String(), k.value(&defaults), k.env(), k.doc}
	}
	return infos
}

// knob is one row of the table that drives defaults, checks, environment,
// flags and listing.
type knob struct {
	name    string
	field   func(*Config) any  // pointer to the field; its type is the knob's kind
	initial any                // nil: the zero value
	within  limit              // of a number
	check   func(string) error // of a text, or of each text of a list
	doc     string
}

// thresholdsKnob is the one knob whose value is a table with free keys.
const thresholdsKnob = "thresholds"

// patternsKnob holds texts that may themselves hold commas.
const patternsKnob = "redact.patterns"

var knobs = [...]knob{
	{name: "rule_validation", field: func(c *Config) any { return &c.RuleValidation }, initial: true,
		doc: "put new rules on trial first; false: they are active at once and rounds judge nothing"},
	{name: "rule_trial_min_sessions", field: func(c *Config) any { return &c.RuleTrialMinSessions }, initial: 5, within: fromOne,
		doc: "distinct sessions that a forward trial observes before its verdict"},
	{name: "rule_promote_margin", field: func(c *Config) any { return &c.RulePromoteMargin }, initial: 0.05, within: zeroToOne,
		doc: "least improvement of the target metric that promotes"},
	{name: "rule_regress_margin", field: func(c *Config) any { return &c.RuleRegressMargin }, initial: 0.05, within: zeroToOne,
		doc: "largest drop of any metric that is tolerated"},
	{name: "replay_timeout_s", field: func(c *Config) any { return &c.ReplayTimeoutS }, initial: 300.0, within: aboveZero,
		doc: "seconds that one replay may take"},
	{name: "max_active_rules", field: func(c *Config) any { return &c.MaxActiveRules }, initial: 50, within: fromZero,
		doc: "cap on candidate and active rules together; 0: no cap"},
	{name: "capture_eval_cases", field: func(c *Config) any { return &c.CaptureEvalCases }, initial: false,
		doc: "capture breaching sessions as failure cases"},
	{name: "eval_case_max", field: func(c *Config) any { return &c.EvalCaseMax }, initial: 200, within: fromZero,
		doc: "cap on eval cases, the oldest failure goes first and a win never; 0: no cap"},
	{name: "regression_sample", field: func(c *Config) any { return &c.RegressionSample }, initial: 0, within: fromZero,
		doc: "cases that a regression run replays; 0: all"},
	{name: "observe_only", field: func(c *Config) any { return &c.ObserveOnly }, initial: false,
		doc: "shadow mode: judge traffic, but post and capture nothing"},
	{name: "auto_validate", field: func(c *Config) any { return &c.AutoValidate }, initial: true,
		doc: "a handled report may start a validation round in the background"},
	{name: "reliability_threshold", field: func(c *Config) any { return &c.ReliabilityThreshold }, initial: defaultThreshold, within: zeroToOne,
		doc: "breach threshold of agent_reliability; an entry in [thresholds] wins"},
	{name: "consistency_threshold", field: func(c *Config) any { return &c.ConsistencyThreshold }, initial: defaultThreshold, within: zeroToOne,
		doc: "breach threshold of agent_consistency; an entry in [thresholds] wins"},
	{name: thresholdsKnob, field: func(c *Config) any { return &c.Thresholds }, within: zeroToOne,
		doc: "table of breach thresholds by metric; 0.5 for a metric that is not there"},
	{name: "session_metrics", field: func(c *Config) any { return &c.SessionMetrics },
		initial: []string{MetricReliability, MetricConsistency}, check: checkText,
		doc: "metrics that the platform is asked to score"},
	{name: "enable_trend", field: func(c *Config) any { return &c.EnableTrend }, initial: true,
		doc: "watch running averages for the trend condition"},
	{name: "ewma_fast_span", field: func(c *Config) any { return &c.EWMAFastSpan }, initial: 3, within: fromOne,
		doc: "span of the fast running average, in samples"},
	{name: "ewma_slow_span", field: func(c *Config) any { return &c.EWMASlowSpan }, initial: 10, within: fromOne,
		doc: "span of the slow running average, in samples"},
	{name: "trend_margin_cross", field: func(c *Config) any { return &c.TrendMarginCross }, initial: 0.05, within: zeroToOne,
		doc: "how far the fast average must be below the slow one to be a trend"},
	{name: "trend_min_samples", field: func(c *Config) any { return &c.TrendMinSamples }, initial: 4, within: fromZero,
		doc: "samples of a session before trend and relative conditions count"},
	{name: "adaptive_threshold", field: func(c *Config) any { return &c.AdaptiveThreshold }, initial: false,
		doc: "watch for the relative condition: a score far below the session's own average"},
	{name: "adaptive_margin_drop", field: func(c *Config) any { return &c.AdaptiveMarginDrop }, initial: 0.15, within: zeroToOne,
		doc: "how far below the slow average a score must be to be relative"},
	{name: "percentile_window", field: func(c *Config) any { return &c.PercentileWindow }, initial: 0, within: fromZero,
		doc: "samples that the percentile condition looks back; 0: off"},
	{name: "percentile_floor", field: func(c *Config) any { return &c.PercentileFloor }, initial: 0.25, within: zeroToOne,
		doc: "quantile of the window below which a score is a percentile condition"},
	{name: "alert_cooldown_turns", field: func(c *Config) any { return &c.AlertCooldownTurns }, initial: 0, within: fromZero,
		doc: "turns before the same set of conditions posts again"},
	{name: "circuit_breaker_max_notices", field: func(c *Config) any { return &c.CircuitBreakerMaxNotices }, initial: 5, within: fromZero,
		doc: "notices in the window that open the breaker; 0: no breaker"},
	{name: "circuit_breaker_window_s", field: func(c *Config) any { return &c.CircuitBreakerWindowS }, initial: 600.0, within: aboveZero,
		doc: "seconds of the breaker's window"},
	{name: "rule_retrieval", field: func(c *Config) any { return &c.RuleRetrieval }, initial: true,
		doc: "with a query, put only the relevant tagged rules in the context"},
	{name: "rules_context_topk", field: func(c *Config) any { return &c.RulesContextTopK }, initial: 8, within: fromZero,
		doc: "tagged rules that a query brings into the context"},
	{name: "sanitize_max_len", field: func(c *Config) any { return &c.SanitizeMaxLen }, initial: 2000, within: fromZero,
		doc: "longest stored text, in code points; 0: no limit"},
	{name: "cli_binary", field: func(c *Config) any { return &c.CLIBinary }, initial: "pandaprobe", check: checkText,
		doc: "the platform client, by name or path"},
	{name: "cli_timeout_s", field: func(c *Config) any { return &c.CLITimeoutS }, initial: 30.0, within: aboveZero,
		doc: "seconds that one call of the platform client may take"},
	{name: "poll_interval_s", field: func(c *Config) any { return &c.PollIntervalS }, initial: 1.0, within: fromZero,
		doc: "seconds between two polls of a platform run"},
	{name: "poll_max_attempts", field: func(c *Config) any { return &c.PollMaxAttempts }, initial: 20, within: fromOne,
		doc: "polls before a platform run is given up"},
	{name: "eval_retry_attempts", field: func(c *Config) any { return &c.EvalRetryAttempts }, initial: 3, within: fromZero,
		doc: "attempts at a platform call that fails for a passing reason"},
	{name: "eval_retry_backoff_s", field: func(c *Config) any { return &c.EvalRetryBackoffS }, initial: 1.0, within: fromZero,
		doc: "seconds before the first further attempt"},
	{name: "replay.command", field: func(c *Config) any { return &c.Replay },
		doc: "the replay command: a list runs as it is, a text is given to the shell"},
	{name: "score.command", field: func(c *Config) any { return &c.Score },
		doc: "the command that scores a replayed session, in the same two forms"},
	{name: patternsKnob, field: func(c *Config) any { return &c.RedactPatterns }, check: checkPattern,
		doc: "Go regular expressions replaced in what is captured, before it is written"},
}

// knobNamed finds a knob by its full name.
func knobNamed(name string) (*knob, bool) {
	for i := range knobs {
		if knobs[i].name == name {
			return &knobs[i], true
		}
	}
	return nil, false
}

func knobNames() []string {
	names := make([]string, len(knobs))
	for i := range knobs {
		names[i] = knobs[i].name
	}
	return names
}

// env is the name of the knob's environment variable.
func (k *knob) env() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
}
