package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// rulesAreKnown tells whether harness_rules.md can be rendered: while a rule's
// file is broken nobody can say what belongs into it, and without the state it
// may be the last that is left of the rules.
func rulesAreKnown(x *workspace.Examination) bool {
	isGone := func(f workspace.Finding) bool { return f.Kind == workspace.KindNoState }
	return len(x.Rules) == len(x.RuleFiles) && !slices.ContainsFunc(x.Findings, isGone)
}

// rendering tells whether harness_rules.md holds the rules as they are.
func (d Doctor) rendering(ctx context.Context, x *workspace.Examination) []workspace.Finding {
	if !rulesAreKnown(x) {
		return nil
	}
	have, err := d.Workspace.Rendered()
	if err != nil || string(have) == renderedFrom(rulesByAge(x)) || !d.staysStale(ctx) {
		return nil
	}
	f := workspace.Finding{Kind: workspace.KindStaleRendering, File: workspace.RenderedName, Severity: workspace.SeverityWarning,
		Message: "does not hold the rules as they are", Mend: "render it, as every writing command does", Repairable: true}
	if have == nil {
		f.Kind, f.Severity, f.Message = workspace.KindNotRendered, workspace.SeverityNote, "was not rendered in this clone yet"
	}
	return []workspace.Finding{f}
}

// staysStale tells a rendering that nobody mends from one that a writer is about
// to: it looks twice, with no writer at work in between. Where each look finds
// other rules, writers come one after the other, and the next renders.
func (d Doctor) staysStale(ctx context.Context) bool {
	const mostTries = 20
	before := ""
	for range mostTries {
		d.Workspace.Settle(ctx)
		live, _, err := d.Workspace.LiveRules()
		if err != nil {
			return false
		}
		have, err := d.Workspace.Rendered()
		want := renderedFrom(live)
		if err != nil || string(have) == want {
			return false
		}
		seen := string(have) + "\x00" + want
		if seen == before {
			return true
		}
		before = seen
	}
	return false
}

func renderedFrom(live []workspace.Rule) string {
	active, candidates := byStatus(live)
	return renderRules(active, candidates, nil)
}

func (d Doctor) mendRendering(tx *workspace.Tx, x diagnosis) []workspace.Mended {
	if !rulesAreKnown(x.Examination) {
		return nil
	}
	engine := &Engine{Workspace: d.Workspace}
	before, _ := d.Workspace.Rendered()
	engine.renderNow(tx)
	after, _ := d.Workspace.Rendered()
	if slices.Equal(before, after) {
		return nil
	}
	return []workspace.Mended{{Kind: workspace.KindStaleRendering, File: workspace.RenderedName, Done: "rendered"}}
}

// knownEvents are the types that this version writes, and those of the Python
// harness that an import brings.
var knownEvents = []string{
	EventNotice, EventRecovery, EventAck, EventRuleAdd, EventPromote, EventRetire, EventVoid, EventValidation,
	EventCapture, EventEvict, EventRemove, EventRegression, "reflect", "health", "skip",
}

// unknownEvents tells of types that another version may have written.
func unknownEvents(x *workspace.Examination) (findings []workspace.Finding) {
	for kind, seen := range x.EventTypes {
		if slices.Contains(knownEvents, kind) {
			continue
		}
		findings = append(findings, workspace.Finding{Kind: workspace.KindUnknownEvent, File: seen.File, Line: seen.Line, Severity: workspace.SeverityNote,
			Message: fmt.Sprintf("has the type %q, which this version does not know (%s of it)", kind, plural(seen.Count, "event")),
			Mend:    "a newer version may know it"})
	}
	return findings
}
