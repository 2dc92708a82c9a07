package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a finding matters (docs/doctor.md).
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"   // something is not read, or is read as what it is not
	SeverityWarning Severity = "warning" // all is read; something should be mended
	SeverityNote    Severity = "note"    // good to know; nothing has to be done
)

// Kinds of findings. They are part of the JSON contract; docs/doctor.md says
// what each is and what mends it.
const (
	KindNotTOML           = "not_toml"
	KindNotJSON           = "not_json"
	KindConflict          = "conflict_markers"
	KindDifferentVerdicts = "different_verdicts"
	KindIDMismatch        = "id_mismatch"
	KindMissingField      = "missing_field"
	KindWrongType         = "wrong_type"
	KindBadValue          = "bad_value"
	KindOutOfRange        = "out_of_range"
	KindUnknownStatus     = "unknown_status"
	KindUnreadable        = "unreadable"
	KindNoState           = "no_state"

	KindHalfRetired     = "half_retired"
	KindMisplacedRule   = "misplaced_rule"
	KindRuleTwice       = "rule_twice"
	KindVerdictMismatch = "verdict_mismatch"
	KindSameText        = "same_text"
	KindDuplicateCase   = "duplicate_case"
	KindNoticeTwice     = "notice_twice"
	KindMisplacedNotice = "misplaced_notice"
	KindUnknownRule     = "unknown_rule"
	KindUnknownNotice   = "unknown_notice"

	KindTornLine        = "torn_line"
	KindTornTail        = "torn_tail"
	KindBadRecord       = "bad_record"
	KindRepeatedID      = "repeated_id"
	KindMisplacedRecord = "misplaced_record"
	KindMisnamedFile    = "misnamed_file"
	KindFutureTime      = "future_time"
	KindUnreadableTime  = "unreadable_time"
	KindCRLF            = "crlf"
	KindBadEntry        = "bad_entry"

	KindNoTransition  = "no_transition"
	KindNotJournaled  = "not_journaled"
	KindUnfinishedAck = "unfinished_ack"
	KindLostRule      = "lost_rule"
	KindUnknownEvent  = "unknown_event"

	KindStaleRendering  = "stale_rendering"
	KindNotRendered     = "not_rendered"
	KindConfig          = "bad_config"
	KindNoConfig        = "no_config"
	KindUnknownVariable = "unknown_variable"
	KindRoundFailed     = "round_failed"
	KindWriter          = "bad_writer"
	KindLeftover        = "leftover"
	KindUnknownFile     = "unknown_file"
	KindLink            = "link"
	KindGitIgnore       = "git_ignore"
	KindGitAttributes   = "git_attributes"
	KindLocalStaged     = "local_staged"
	KindUnmerged        = "unmerged"
)

// Finding is one thing that the doctor found.
type Finding struct {
	Kind       string   `json:"kind"`
	File       string   `json:"file"`          // relative to the workspace, with slashes; "" for the environment
	Line       int      `json:"line,omitzero"` // from 1; 0 = the whole file
	Severity   Severity `json:"severity"`
	Message    string   `json:"message"`    // what is wrong
	Mend       string   `json:"mend"`       // how to mend it; "" when there is nothing to do
	Repairable bool     `json:"repairable"` // Repair mends it
}

// String puts the finding in one line.
func (f Finding) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
		}
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s: %s", f.Severity, f.Message)
	if f.Mend != "" {
		b.WriteString("; " + f.Mend)
	}
	if f.Repairable {
		b.WriteString(" (`doctor --repair` does it)")
	}
	return b.String()
}

// Mended is one thing that a repair did.
type Mended struct {
	Kind string `json:"kind"` // of the finding
	File string `json:"file"`
	Done string `json:"done"` // what was done
}

// String puts it in one line.
func (m Mended) String() string { return m.File + ": " + m.Done }

// SortFindings orders findings by place, and within it by kind.
func SortFindings(all []Finding) {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Kind, b.Kind),
			strings.Compare(a.Message, b.Message))
	})
}
