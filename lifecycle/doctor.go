package lifecycle

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Doctor examines a workspace and mends it (docs/doctor.md). It needs no
// configuration, which may be what is broken. The workspace's own Warn should
// say nothing: what it would say is a finding.
type Doctor struct {
	Workspace *workspace.Workspace
	Env       []string    // its knobs are checked too
	Warn      func(error) // told of what a repair had to leave alone; never nil
}

// Health is how a workspace is.
type Health struct {
	OK       bool                `json:"ok"` // no error and no warning is left
	Findings []workspace.Finding `json:"findings"`
	Repaired []workspace.Mended  `json:"repaired"` // empty without a repair
	Examined workspace.Examined  `json:"examined"`
}

// Examine looks at the working tree. It needs no lock, writes nothing, and may
// run while others write. The error is that of ctx or of a folder that cannot
// be read; what is wrong in the workspace is a finding.
func (d Doctor) Examine(ctx context.Context) (Health, error) {
	x, err := d.examine(ctx)
	if err != nil {
		return Health{}, err
	}
	return healthOf(x.Examination), nil
}

// ExamineStaged looks at what git would commit: tree is the content of the
// index, and of the evidence only the files that changed names are read. What
// may be committed apart is not compared. Of the findings only errors make the
// workspace not OK.
func (d Doctor) ExamineStaged(ctx context.Context, tree fs.FS, changed func(rel string) bool) (Health, error) {
	x, err := d.Workspace.Examine(ctx, workspace.ExamineOptions{Staged: tree, Changed: changed, Known: knownEvents})
	if err != nil {
		return Health{}, err
	}
	x.Findings = append(x.Findings, sameTexts(x)...)
	health := healthOf(x)
	health.OK = health.Count(workspace.SeverityError) == 0
	return health, nil
}

// Repair mends what can be mended without losing a record, under the write
// lock, and returns what was done and what is left. A second Repair finds
// nothing to do.
func (d Doctor) Repair(ctx context.Context) (Health, error) {
	d.Warn = once(d.Warn)
	var mended []workspace.Mended
	for range mostLooks {
		x, err := d.examine(ctx)
		if err != nil {
			return Health{Repaired: mended}, err
		}
		var done []workspace.Mended
		if x.repairable() {
			done, err = d.mend(ctx, x)
			mended = append(mended, done...)
		}
		if err != nil || len(done) == 0 {
			health := healthOf(x.Examination)
			health.Repaired = append(health.Repaired, mended...)
			return health, err
		}
	}
	health, err := d.Examine(ctx)
	health.Repaired = append(health.Repaired, mended...)
	return health, err
}

// mostLooks bounds how often a repair looks for what came to light by what it
// mended: lines that were glued together may belong into other files, and there
// be what the journal seemed to lack.
const mostLooks = 8

// mend mends the files. Only when nothing is wrong with them that it can mend, so
// that all records were read, does it compare them: what the journal lacks is
// journaled, and the rules are rendered.
func (d Doctor) mend(ctx context.Context, x diagnosis) (mended []workspace.Mended, err error) {
	err = d.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		if mended, err = tx.Mend(x.Examination, d.Warn); err != nil || len(mended) > 0 {
			return err
		}
		if mended, err = d.mendJournal(tx, x); err == nil {
			mended = append(mended, d.mendRendering(tx, x)...)
		}
		return err
	})
	return mended, err
}

// once tells of everything once: a repair looks more than once.
func once(warn func(error)) func(error) {
	told := map[string]bool{}
	return func(err error) {
		if !told[err.Error()] {
			told[err.Error()] = true
			warn(err)
		}
	}
}

// Count returns how many findings have one of the severities.
func (h Health) Count(severities ...workspace.Severity) (n int) {
	for _, f := range h.Findings {
		if slices.Contains(severities, f.Severity) {
			n++
		}
	}
	return n
}

// Repairable returns how many of the findings a repair would mend.
func (h Health) Repairable() (n int) {
	for _, f := range h.Findings {
		if f.Repairable {
			n++
		}
	}
	return n
}

func healthOf(x *workspace.Examination) Health {
	if x == nil {
		return Health{}
	}
	workspace.SortFindings(x.Findings)
	h := Health{Findings: x.Findings, Repaired: []workspace.Mended{}, Examined: x.Examined}
	h.OK = h.Count(workspace.SeverityError, workspace.SeverityWarning) == 0
	return h
}

// diagnosis is an examination with what only the lifecycle can tell.
type diagnosis struct {
	*workspace.Examination
	journal []journalFault
}

func (d Doctor) examine(ctx context.Context) (diagnosis, error) {
	found, err := d.Workspace.Examine(ctx, workspace.ExamineOptions{Env: d.Env, Types: transitionTypes, Known: knownEvents})
	if err != nil {
		return diagnosis{}, err
	}
	x := diagnosis{Examination: found}
	x.journal = d.journalFaults(ctx, found)
	for _, fault := range x.journal {
		x.Findings = append(x.Findings, fault.finding)
	}
	x.Findings = append(x.Findings, sameTexts(found)...)
	x.Findings = append(x.Findings, unknownEvents(found)...)
	x.Findings = append(x.Findings, d.rendering(ctx, found)...)
	x.Findings = append(x.Findings, d.roundFailure()...)
	return x, nil
}

func (x diagnosis) repairable() bool {
	return slices.ContainsFunc(x.Findings, func(f workspace.Finding) bool { return f.Repairable })
}

// sameTexts names live rules whose texts make the same rule, as when two
// branches added it.
func sameTexts(x *workspace.Examination) (findings []workspace.Finding) {
	oldest := map[string]workspace.Rule{}
	for _, r := range rulesByAge(x) {
		if !r.Status.Live() {
			continue
		}
		key := sameTextKey(r.Rule)
		first, known := oldest[key]
		if !known {
			oldest[key] = r
			continue
		}
		findings = append(findings, workspace.Finding{Kind: workspace.KindSameText, File: x.RuleFiles[r.ID], Severity: workspace.SeverityWarning,
			Message: fmt.Sprintf("has the same text as the live rule %s (%s)", first.ID, first.Status),
			Mend:    "retire one of them: `pandaprobe-harness rule retire " + r.ID + " --reason duplicate`"})
	}
	return findings
}

func rulesByAge(x *workspace.Examination) []workspace.Rule {
	rules := make([]workspace.Rule, 0, len(x.Rules))
	for _, r := range x.Rules {
		rules = append(rules, r)
	}
	slices.SortFunc(rules, byAge)
	return rules
}
