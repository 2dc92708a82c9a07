package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

const (
	rulesDir   = "state/rules"
	retiredDir = "state/rules/retired"
	ruleEnding = ".toml"
)

// Status is where a rule stands in its life (docs/workspace.md, "Rules").
type Status string

// The statuses. A text that is none of them never reads as active.
const (
	Candidate Status = "candidate"
	Active    Status = "active"
	Retired   Status = "retired"
)

// Live tells whether a rule of this status is in force.
func (s Status) Live() bool { return s == Candidate || s == Active }

// Text is a text that may be absent: "" is null in JSON and left out in TOML.
type Text string

// MarshalJSON writes null for an absent text.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return marshalString(string(t))
}

// Rule is one short operating instruction for an agent and what is known of
// it. Rule, Rationale and the tags are sanitized before they come here.
type Rule struct {
	ID             string   `json:"id" toml:"id"`
	CreatedAt      Time     `json:"created_at" toml:"created_at"`
	Rule           string   `json:"rule" toml:"rule"`
	Rationale      string   `json:"rationale" toml:"rationale"`
	SourceNoticeID Text     `json:"source_notice_id" toml:"source_notice_id"`
	Metric         Text     `json:"metric" toml:"metric"`
	Status         Status   `json:"status" toml:"status"`
	Tags           []string `json:"tags" toml:"tags"`
	Signatures     []string `json:"signatures" toml:"signatures"`
	Trial          Trial    `json:"trial" toml:"trial"`
}

// Trial holds the baseline that was taken when the rule was added, the verdict,
// and, joined from the trial files, the evidence.
type Trial struct {
	BaselineBreachedSessions int      `json:"baseline_breached_sessions" toml:"baseline_breached_sessions"`
	BaselineSessions         int      `json:"baseline_sessions" toml:"baseline_sessions"`
	BaselineWindow           int      `json:"baseline_window" toml:"baseline_window"` // journal events looked at
	BaselineRate             float64  `json:"baseline_rate" toml:"-"`                 // breached / sessions; 1 without sessions
	TrialStartedAt           Time     `json:"trial_started_at" toml:"trial_started_at"`
	ObservedSessions         []string `json:"observed_sessions" toml:"-"` // distinct, in the order of the window
	BreachedSessions         []string `json:"breached_sessions" toml:"-"` // those of them that breached
	ReplayAttempts           int      `json:"replay_attempts" toml:"-"`   // inconclusive replay rounds
	Verdict                  string   `json:"verdict" toml:"verdict"`     // "", "promoted:<reason>" or "retired:<reason>"
}

// Digest is 16 hex digits that stand for the text of the rule.
func (r Rule) Digest() string {
	sum := sha256.Sum256([]byte(r.Rule))
	return hex.EncodeToString(sum[:8])
}

// Rule returns the rule with the id, live or retired, without its evidence.
func (w *Workspace) Rule(id string) (Rule, error) {
	if err := CheckRuleID(id); err != nil {
		return Rule{}, err
	}
	for _, dir := range []string{rulesDir, retiredDir} {
		r, err := w.readRule(dir, id+ruleEnding)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = w.inOnePlace(r, dir)
		}
		return r, err
	}
	return Rule{}, Errorf(CodeNotFound, "no rule %s; `pandaprobe-harness rule list` names the rules", id)
}

// LiveRules returns the candidates and active rules, oldest first. A broken
// file is told to Warn, returned among the broken, and passed over.
func (w *Workspace) LiveRules() (rules []Rule, broken []error, err error) {
	all, broken, err := w.rulesIn(rulesDir)
	return slices.DeleteFunc(all, func(r Rule) bool { return !r.Status.Live() }), broken, err
}

// RetiredRules returns the retired rules, oldest first.
func (w *Workspace) RetiredRules() (rules []Rule, broken []error, err error) {
	moved, broken, err := w.rulesIn(retiredDir)
	if err != nil {
		return nil, broken, err
	}
	// A crash between the two steps of a retirement leaves the file in place.
	live, moreBroken, err := w.rulesIn(rulesDir)
	all := append(moved, slices.DeleteFunc(live, func(r Rule) bool { return r.Status.Live() })...)
	sortByTimeID(all, ruleKey)
	return all, append(broken, moreBroken...), err
}

func (w *Workspace) rulesIn(dir string) (rules []Rule, broken []error, err error) {
	names, err := w.names(dir, ruleEnding)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		r, err := w.readRule(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // retired since the folder was listed
		}
		if err != nil {
			w.Warn(err)
			broken = append(broken, err)
			continue
		}
		rules = append(rules, r)
	}
	sortByTimeID(rules, ruleKey)
	return rules, broken, nil
}

func ruleKey(r *Rule) (Time, string) { return r.CreatedAt, r.ID }

func (w *Workspace) readRule(dir, name string) (Rule, error) {
	rel := dir + "/" + name
	data, err := readFile(w.path(rel))
	if err != nil {
		return Rule{}, ioError("cannot read", rel, err)
	}
	return parseRule(rel, strings.TrimSuffix(name, ruleEnding), data)
}

// parseRule reads a rule file and refuses what could pass for a rule that it
// is not.
func parseRule(rel, id string, data []byte) (Rule, error) {
	var r Rule
	// A checkout with CRLF must not change the text of a rule.
	data = bytes.ReplaceAll(TrimBOM(data), []byte("\r\n"), []byte("\n"))
	if line := conflictLine(data); line > 0 {
		return r, &Error{Code: CodeBrokenFile, File: rel, Line: line, Message: "holds git conflict markers; choose one side and remove them"}
	}
	if _, err := toml.Decode(string(data), &r); err != nil {
		return r, ruleTOMLError(rel, data, err)
	}
	for _, check := range []struct {
		ok    bool
		field string
		wrong string
	}{
		{r.ID == id, "id", fmt.Sprintf("is %q but the file is named %s.toml; make them equal", r.ID, id)},
		{CheckRuleID(id) == nil, "id", fmt.Sprintf("%q is not a rule id such as r-0123456789", id)},
		{!r.CreatedAt.IsZero(), "created_at", "is missing; give an RFC 3339 time"},
		{r.Rule != "", "rule", "is missing or empty; give the rule's text"},
		{r.Status.Live() || r.Status == Retired, "status", fmt.Sprintf("is %q; it must be candidate, active or retired", r.Status)},
		{r.Trial.countsFit(), "trial", "has baseline counts below 0, or more breached sessions than sessions"},
	} {
		if !check.ok {
			line, _ := FindTOMLKey(data, "", check.field)
			return r, &Error{Code: CodeBrokenFile, File: rel, Line: line, Field: check.field, Message: check.wrong}
		}
	}
	r.Trial.BaselineRate = r.Trial.rate()
	r.Tags, r.Signatures = orEmpty(r.Tags), orEmpty(r.Signatures)
	r.Trial.ObservedSessions, r.Trial.BreachedSessions = []string{}, []string{}
	return r, nil
}

func (t Trial) countsFit() bool {
	return t.BaselineBreachedSessions >= 0 && t.BaselineWindow >= 0 && t.BaselineBreachedSessions <= t.BaselineSessions
}

// rate is 1 without history: the rule was written against a live failure.
func (t Trial) rate() float64 {
	if t.BaselineSessions == 0 {
		return 1
	}
	return float64(t.BaselineBreachedSessions) / float64(t.BaselineSessions)
}

func ruleTOMLError(rel string, data []byte, err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return tomlError(CodeBrokenFile, rel, data, err)
	}
	return &Error{Code: CodeBrokenFile, File: rel, Message: "cannot be read as a rule: " + strings.TrimPrefix(err.Error(), "toml: ")}
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}
