package workspace

import (
	"math"
	"time"
)

// The two metrics that have a threshold knob of their own. Every other metric
// has its threshold in the table [thresholds], or the default.
const (
	MetricReliability = "agent_reliability"
	MetricConsistency = "agent_consistency"
)

// defaultThreshold is that of a metric that nobody configured.
const defaultThreshold = 0.5

// Config holds the effective value of every knob. It is plain data: who wins
// over whom is settled by LoadConfig. Times are in seconds. What each knob
// means, its range and its default stand in docs/workspace.md,
// "Configuration", and Knobs lists them.
type Config struct {
	RuleValidation       bool
	RuleTrialMinSessions int
	RulePromoteMargin    float64
	RuleRegressMargin    float64
	ReplayTimeoutS       float64
	MaxActiveRules       int // 0 = no cap

	CaptureEvalCases bool
	EvalCaseMax      int // 0 = no cap
	RegressionSample int // 0 = all cases
	ObserveOnly      bool
	AutoValidate     bool

	ReliabilityThreshold float64            // ask Threshold, which knows the table too
	ConsistencyThreshold float64            // likewise
	Thresholds           map[string]float64 // by metric; wins over the two above
	SessionMetrics       []string

	EnableTrend        bool
	EWMAFastSpan       int
	EWMASlowSpan       int
	TrendMarginCross   float64
	TrendMinSamples    int
	AdaptiveThreshold  bool
	AdaptiveMarginDrop float64
	PercentileWindow   int // samples; 0 = off
	PercentileFloor    float64

	AlertCooldownTurns       int
	CircuitBreakerMaxNotices int // 0 = no breaker
	CircuitBreakerWindowS    float64

	RuleRetrieval    bool
	RulesContextTopK int
	SanitizeMaxLen   int // code points; 0 = no limit

	CLIBinary         string
	CLITimeoutS       float64
	PollIntervalS     float64
	PollMaxAttempts   int
	EvalRetryAttempts int
	EvalRetryBackoffS float64

	Replay         CommandSpec
	Score          CommandSpec
	RedactPatterns []string // Go regular expressions; see Redactor
}

// CommandSpec is a command of the user: Argv runs as it is, Shell is given to
// the shell. At most one of the two is set.
type CommandSpec struct {
	Argv  []string
	Shell string
}

// IsZero reports that no command is configured.
func (c CommandSpec) IsZero() bool { return len(c.Argv) == 0 && c.Shell == "" }

// DefaultConfig returns what holds in a workspace where nothing is configured.
func DefaultConfig() Config {
	var c Config
	for i := range knobs {
		knobs[i].reset(&c)
	}
	return c
}

// Threshold returns the breach threshold of a metric, in 0 .. 1: a score
// strictly below it is a breach (docs/workspace.md, "Configuration").
func (c Config) Threshold(metric string) float64 {
	if v, ok := c.Thresholds[metric]; ok {
		return v
	}
	switch metric {
	case MetricReliability:
		return c.ReliabilityThreshold
	case MetricConsistency:
		return c.ConsistencyThreshold
	}
	return defaultThreshold
}

// Seconds turns the value of a knob that ends in _s into a duration. A value
// too large for one becomes the longest there is, and a positive one never
// becomes 0.
func Seconds(s float64) time.Duration {
	ns := math.Round(s * float64(time.Second))
	switch {
	case ns >= math.MaxInt64:
		return math.MaxInt64
	case s > 0 && ns < 1:
		return 1
	}
	return time.Duration(ns)
}
