package lifecycle

import (
	"time"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// RegressOptions says how a regression run is done. The zero value replays what
// the knob regression_sample says and journals the outcome.
type RegressOptions struct {
	Sample     int  // cases replayed at most; 0 = regression_sample, negative = all
	DryRun     bool // replay, write nothing
	Blame      bool // look for the active rule behind each regressed win
	BlameLimit int  // replays that blame takes at most; 0 = DefaultBlameLimit, negative = what it needs
	Retire     bool // retire the rules that blame finds

	Wait     time.Duration       // bound of the wait for a round under way; 0 = none
	Waiting  func(holder string) // told once when a round is waited for; may be nil
	Planned  func(BlamePlan)     // told before blame replays anything; may be nil
	Progress func(RegressStep)   // told before each replay; may be nil
}

// RegressStep is the replay that a regression run is about to make. Numbers
// count from 1.
type RegressStep struct {
	Number, Of int
	CaseID     string
	Blame      bool     // looks for the rule behind a regression
	LeftOut    []string // rules that are not in the context
}

// Regression is what a regression run came to.
type Regression struct {
	OK     bool `json:"ok"`
	DryRun bool `json:"dry_run"`
	RegressionCounts
	Gate          []string      `json:"gate"`          // GateRegressed, or empty
	ContextRules  []string      `json:"context_rules"` // the rules in force
	ContextSHA256 string        `json:"context_sha256"`
	Results       []CaseOutcome `json:"results"`         // in the order replayed
	Blame         *Blame        `json:"blame,omitempty"` // when asked for and a win regressed
}

// RegressionCounts sums up a regression run.
type RegressionCounts struct {
	EvalSet    int  `json:"eval_set"`    // cases that there are
	TotalCases int  `json:"total_cases"` // cases of this run: replayed and skipped
	Replayed   int  `json:"replayed"`    // of them those that could be compared
	Improved   int  `json:"improved"`
	Unchanged  int  `json:"unchanged"`
	Regressed  int  `json:"regressed"`
	Skipped    int  `json:"skipped"`
	Clean      bool `json:"clean"` // something was replayed and nothing regressed
}

// GateRegressed names the gate of a regression run: a case regressed.
const GateRegressed = "regressed"

// CodeNothingReplayed is the error code of a run that says nothing about the
// rules: there were cases, and none of them could be replayed.
const CodeNothingReplayed workspace.Code = "nothing_replayed"
