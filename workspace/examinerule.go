package workspace

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
)

// ruleFile is a rule file as it was found.
type ruleFile struct {
	rel    string
	data   []byte
	rule   Rule
	broken bool
}

// rules reads both folders, the live one first: a rule that is retired meanwhile
// is found in one of them.
func (x *examiner) rules() {
	live := x.rulesIn(rulesDir, "retired")
	retired := x.rulesIn(retiredDir)
	for id, f := range retired {
		x.keep(id, f)
		if _, twice := live[id]; !twice && !f.broken && f.rule.Status.Live() {
			x.misplaced(id, f)
		}
	}
	for id, f := range live {
		x.keep(id, f)
		twin, twice := retired[id]
		switch {
		case twice:
			x.twice(id, f, twin)
		case !f.broken && f.rule.Status == Retired:
			x.halfRetired(id, f)
		}
	}
}

func (x *examiner) keep(id string, f ruleFile) {
	x.found.RuleFiles[id] = f.rel
	if !f.broken {
		x.found.Rules[id] = f.rule
	}
}

func (x *examiner) rulesIn(dir string, others ...string) map[string]ruleFile {
	found := map[string]ruleFile{}
	for _, name := range x.folder(dir, ruleEnding, others...) {
		id := strings.TrimSuffix(name, ruleEnding)
		f := ruleFile{rel: dir + "/" + name}
		var ok bool
		if f.data, ok = x.read(f.rel); !ok {
			if st, err := fs.Stat(x.tree, f.rel); err == nil {
				f.broken = true // there, but not to be read
				found[id], x.found.NoFiles[id] = f, !st.Mode().IsRegular()
			}
			continue
		}
		rule, err := parseRule(f.rel, id, f.data)
		if f.rule = rule; err != nil {
			f.broken = true
			x.brokenRule(f, id, err)
		} else {
			x.ruleContent(f)
		}
		found[id] = f
	}
	return found
}

func (x *examiner) brokenRule(f ruleFile, id string, err error) {
	ours, theirs, ok := differentVerdicts(f.rel, id, f.data)
	if !ok {
		x.broken(f.rel, f.data, err)
		return
	}
	x.add(Finding{Kind: KindDifferentVerdicts, File: f.rel, Line: conflictLine(f.data), Severity: SeverityError,
		Message: fmt.Sprintf("two branches gave this rule different verdicts: %s, and %s", ours, theirs),
		Mend: "keep the lines of one side, in every place of the file, and remove the markers; " +
			"the file belongs into " + rulesDir + " while the rule is in force, else into " + retiredDir})
}

func (x *examiner) ruleContent(f ruleFile) {
	line := func(table, key string) int { n, _ := FindTOMLKey(f.data, table, key); return n }
	x.add(x.future(f.rel, line("", "created_at"), "created_at", f.rule.CreatedAt)...)
	x.add(x.future(f.rel, line("trial", "trial_started_at"), "trial_started_at", f.rule.Trial.TrialStartedAt)...)
	said, _, _ := strings.Cut(f.rule.Trial.Verdict, ":")
	if status := map[string]Status{"": f.rule.Status, "promoted": Active, "retired": Retired}[said]; status != f.rule.Status {
		at, _ := FindTOMLKey(f.data, "trial", "verdict")
		x.add(Finding{Kind: KindVerdictMismatch, File: f.rel, Line: at, Severity: SeverityError,
			Message: fmt.Sprintf("the verdict says %q but the status is %s, as when a merge took them from different sides", clip(f.rule.Trial.Verdict), f.rule.Status),
			Mend:    "give both the values of one side; the status is what counts"})
	}
}

// twice tells of a rule in both folders. What lies among the live ones counts.
func (x *examiner) twice(id string, live, retired ruleFile) {
	f := Finding{Kind: KindRuleTwice, File: live.rel, Severity: SeverityError}
	still := func() bool { return exists(x.w.path(live.rel)) && exists(x.w.path(retired.rel)) }
	same := bytes.Equal(live.data, retired.data)
	bothRetired := live.rule.Status == Retired && retired.rule.Status == Retired
	switch {
	case live.broken || retired.broken:
		delete(x.found.Rules, id)
		f.Message, f.Mend = "is there a second time as "+retired.rel, "mend or remove one of the two"
	case same || bothRetired:
		extra := live
		if live.rule.Status.Live() {
			extra = retired
		}
		f.Severity, f.File = SeverityWarning, extra.rel
		f.Message, f.Mend = "is a second file of this rule, which the other folder holds too", "set this one aside"
		x.suspect(f, still, func(tx *Tx) (string, error) {
			now, _ := tx.w.readOptional(extra.rel)
			if !still() || !bytes.Equal(now, extra.data) {
				return "", nil
			}
			return tx.setAside(extra.rel)
		})
		return
	default:
		delete(x.found.Rules, id) // nobody can tell what it is
		if live.rule.Trial.Verdict != "" && retired.rule.Trial.Verdict != "" {
			f.Kind = KindDifferentVerdicts
		}
		f.Message = fmt.Sprintf("two branches went different ways with this rule: here it is %s, in %s it is %s",
			ruleState(live.rule), retired.rel, ruleState(retired.rule))
		f.Mend = "remove the file of the way that is not to hold; until then the rule is in force"
	}
	x.suspect(f, still, nil)
}

// halfRetired tells of a retirement whose second step is missing.
func (x *examiner) halfRetired(id string, f ruleFile) {
	still := func() bool { return exists(x.w.path(f.rel)) && !exists(x.w.path(retiredDir+"/"+id+ruleEnding)) }
	x.suspect(Finding{Kind: KindHalfRetired, File: f.rel, Severity: SeverityWarning,
		Message: "is retired but still lies among the live rules", Mend: "move it to " + retiredDir},
		still,
		func(tx *Tx) (string, error) {
			if r, err := tx.w.readRule(rulesDir, id+ruleEnding); err != nil || r.Status != Retired || !still() {
				return "", nil
			}
			return "moved to " + retiredDir, tx.FinishRetirement(id)
		})
}

// misplaced tells of a live rule among the retired ones, where it is not in
// force.
func (x *examiner) misplaced(id string, f ruleFile) {
	to := rulesDir + "/" + id + ruleEnding
	still := func() bool { return exists(x.w.path(f.rel)) && !exists(x.w.path(to)) }
	x.suspect(Finding{Kind: KindMisplacedRule, File: f.rel, Severity: SeverityError,
		Message: fmt.Sprintf("is %s but lies among the retired rules, where it is not in force", f.rule.Status), Mend: "move it to " + rulesDir},
		still,
		func(tx *Tx) (string, error) {
			if r, err := tx.w.readRule(retiredDir, id+ruleEnding); err != nil || !r.Status.Live() || !still() {
				return "", nil
			}
			return "moved to " + rulesDir, tx.move(f.rel, to)
		})
}

// ruleState tells in words where a rule stands and why.
func ruleState(r Rule) string {
	if r.Trial.Verdict == "" {
		return string(r.Status)
	}
	return fmt.Sprintf("%s (%q)", r.Status, clip(r.Trial.Verdict))
}
