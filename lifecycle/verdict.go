package lifecycle

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Outcomes of a verdict.
const (
	Promote = "promote"
	Retire  = "retire"
	Pending = "pending"
)

// Validators that give a verdict.
const (
	ValidatorReplay = "replay"
	ValidatorTrial  = "forward_trial"
	ValidatorNone   = "none"
)

// Verdict is what a round came to for one candidate.
type Verdict struct {
	RuleID     string  `json:"rule_id"`
	Outcome    string  `json:"outcome"`     // Promote, Retire or Pending
	Validator  string  `json:"validator"`   // ValidatorReplay, ValidatorTrial or ValidatorNone
	Reason     string  `json:"reason"`      // names the case, the metric and the signed delta
	ReasonCode string  `json:"reason_code"` // docs/cli.md, "Reason codes"
	Applied    bool    `json:"applied"`     // the rule's status was changed
	Details    Details `json:"details"`
}

// Details is what a verdict rests on: of a replay its cases, of a trial its
// rates.
type Details struct {
	*ReplayDetails
	*TrialDetails
}

// ReplayDetails is what a replay found, whichever validator gave the verdict.
type ReplayDetails struct {
	Cases         []CaseResult `json:"cases"`        // in the order replayed
	Inconclusive  int          `json:"inconclusive"` // cases that could not be compared
	ContextRules  []string     `json:"context_rules"`
	ContextSHA256 string       `json:"context_sha256"`
}

// CaseResult is one replayed case. Deltas are new score minus baseline, for the
// metrics that both have.
type CaseResult struct {
	CaseID     string             `json:"case_id"`
	Kind       string             `json:"kind"`
	SessionID  string             `json:"session_id"`
	Deltas     map[string]float64 `json:"deltas"`
	DurationS  float64            `json:"duration_s"`
	ReasonCode string             `json:"reason_code,omitempty"` // when inconclusive
	Reason     string             `json:"reason,omitempty"`
	StderrTail string             `json:"stderr_tail,omitempty"`

	baseline, scores map[string]float64
	began            time.Time // by the clock of the workspace
	unscored         bool      // it ran, and its scorer gave no usable answer
}

// TrialDetails is how far a forward trial is. Rates lie between 0 and 1.
type TrialDetails struct {
	TrialRate        float64  `json:"trial_rate"`
	BaselineRate     float64  `json:"baseline_rate"`
	ObservedSessions []string `json:"observed_sessions"`
}

// slack is what binary floating point may add to or take from a difference of
// two decimal scores; margins are compared with it.
const slack = 1e-9

// droppedBeyond tells whether a difference is a drop of more than the margin. A
// drop of exactly the margin is tolerated.
func droppedBeyond(delta, margin float64) bool { return delta < -margin-slack }

// improvedBy tells whether a difference is an improvement of at least the
// margin, and an improvement at all.
func improvedBy(delta, margin float64) bool { return delta >= margin-slack && delta > slack }

// num writes a score, rate or margin with two digits, and with as many more as
// it has up to the slack, so that two numbers that compare unequal look so.
func num(x float64) string {
	text := strconv.FormatFloat(math.Round(x/slack)*slack, 'f', 9, 64)
	text = strings.TrimRight(text, "0")
	if missing := 2 - (len(text) - strings.IndexByte(text, '.') - 1); missing > 0 {
		text += strings.Repeat("0", missing)
	}
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

// signed is num with a plus sign for what is not negative.
func signed(x float64) string {
	text := num(x)
	if strings.HasPrefix(text, "-") {
		return text
	}
	return "+" + text
}
