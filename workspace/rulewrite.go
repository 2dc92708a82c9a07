package workspace

import (
	"fmt"
	"strings"
)

// AddRule writes the file of a new rule.
func (tx *Tx) AddRule(r Rule) error {
	if err := CheckRuleID(r.ID); err != nil {
		return err
	}
	dir := rulesDir
	if r.Status == Retired {
		dir = retiredDir
	}
	rel := dir + "/" + r.ID + ruleEnding
	if exists(tx.w.path(rel)) {
		return &Error{Code: CodeExists, File: rel, Message: "is there already"}
	}
	return tx.replace(rel, []byte(formatRule(r)))
}

// SetStatus changes the status and the verdict of a rule and nothing else in
// its file: comments, unknown keys and layout stay. A retired rule moves to the
// folder of the retired.
func (tx *Tx) SetStatus(id string, status Status, verdict string) error {
	if err := CheckRuleID(id); err != nil {
		return err
	}
	rel := rulesDir + "/" + id + ruleEnding
	src, err := readFile(tx.w.path(rel))
	if err != nil {
		return ioError("cannot read", rel, err)
	}
	edited, err := SetTOML(src, "", "status", TOMLString(string(status)))
	if err == nil {
		edited, err = SetTOML(edited, "trial", "verdict", TOMLString(verdict))
	}
	if err != nil {
		return &Error{Code: CodeBrokenFile, File: rel, Message: err.Error(), Err: err}
	}
	return tx.Atomically(func() error {
		if err := tx.replace(rel, edited); err != nil || status != Retired {
			return err
		}
		return tx.move(rel, retiredDir+"/"+id+ruleEnding)
	})
}

// FinishRetirement moves the file of a retired rule that a crash left among
// the live ones.
func (tx *Tx) FinishRetirement(id string) error {
	if err := CheckRuleID(id); err != nil {
		return err
	}
	return tx.move(rulesDir+"/"+id+ruleEnding, retiredDir+"/"+id+ruleEnding)
}

// formatRule lays a rule out for a reviewer and for merges: what is read stands
// at the end, and a verdict changes no line beside one that somebody may edit,
// which git would take for a conflict.
func formatRule(r Rule) string {
	var b strings.Builder
	set := func(key, literal string) { fmt.Fprintf(&b, "%s = %s\n", key, literal) }
	set("id", TOMLString(r.ID))
	set("status", TOMLString(string(r.Status)))
	set("created_at", r.CreatedAt.String())
	if r.Metric != "" {
		set("metric", TOMLString(string(r.Metric)))
	}
	if r.SourceNoticeID != "" {
		set("source_notice_id", TOMLString(string(r.SourceNoticeID)))
	}
	set("tags", tomlList(r.Tags))
	set("signatures", tomlList(r.Signatures))
	set("rule", TOMLString(r.Rule))
	set("rationale", TOMLString(r.Rationale))
	b.WriteString("\n[trial]\n")
	set("verdict", TOMLString(r.Trial.Verdict))
	set("baseline_breached_sessions", fmt.Sprint(r.Trial.BaselineBreachedSessions))
	set("baseline_sessions", fmt.Sprint(r.Trial.BaselineSessions))
	set("baseline_window", fmt.Sprint(r.Trial.BaselineWindow))
	set("trial_started_at", r.Trial.TrialStartedAt.String())
	return b.String()
}

func tomlList(items []string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		quoted[i] = TOMLString(item)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
