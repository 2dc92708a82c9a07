package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// EventVoid says that an earlier event did not come about: its field voids is
// the id of that event (docs/doctor.md).
const EventVoid = "rule_void"

type voided struct {
	Voids  string `json:"voids"`
	Reason string `json:"reason"`
}

// transitionTypes are the events that the doctor compares with the files.
var transitionTypes = []string{EventRuleAdd, EventPromote, EventRetire, EventVoid, EventAck}

// journalFault is where the journal and the files disagree. The files are the
// truth.
type journalFault struct {
	finding workspace.Finding
	kind    faultKind
	ruleID  string
	status  workspace.Status     // of the rule as it was found; "" without a file
	event   workspace.FoundEvent // the one concerned
}

type faultKind int

const (
	faultVoid   faultKind = iota // an event that did not come about
	faultRecord                  // a transition without its event
	faultAck                     // an acknowledgement whose notice is still pending
	faultLost                    // a rule that is gone
)

// journalFaults compares the transitions in the journal with the rule files and
// the mailbox. While a part of the journal is not read, what it seems to lack may
// stand there.
func (d Doctor) journalFaults(ctx context.Context, x *workspace.Examination) (faults []journalFault) {
	histories := ruleHistories(x.Events)
	for _, id := range slices.Sorted(maps.Keys(histories)) {
		faults = append(faults, histories[id].faults(id, x)...)
	}
	for id, r := range x.Rules {
		if histories[id] == nil {
			faults = append(faults, (&ruleHistory{}).notJournaled(id, r, x)...)
		}
	}
	faults = append(faults, ackFaults(x)...)
	if slices.ContainsFunc(x.Findings, isUnreadJournal) {
		faults = slices.DeleteFunc(faults, journalFault.needsAll)
	}
	if len(faults) == 0 {
		return nil
	}
	d.Workspace.Settle(ctx)
	return slices.DeleteFunc(faults, func(f journalFault) bool { return !d.holds(f) })
}

func isUnreadJournal(f workspace.Finding) bool {
	return f.Severity == workspace.SeverityError && strings.HasPrefix(f.File+"/", "state/journal/")
}

// needsAll tells what rests on something that the journal does not say: that a
// rule came to where it is, or that one without a file was retired.
func (f journalFault) needsAll() bool {
	return f.kind == faultRecord || f.kind == faultLost || f.kind == faultVoid && f.status == ""
}

// holds looks again at what a writer may have been half-way through.
func (d Doctor) holds(f journalFault) bool {
	if f.kind == faultAck {
		n, err := d.Workspace.Notice(ackedNotice(f.event))
		return err == nil && n.Status == workspace.Pending
	}
	rule, err := d.Workspace.Rule(f.ruleID)
	if workspace.CodeOf(err) == workspace.CodeBrokenFile && f.status != "" {
		rule.Status, err = f.status, nil // it lies in the wrong folder, which is mended first
	}
	switch f.kind {
	case faultVoid:
		return workspace.CodeOf(err) == workspace.CodeNotFound || err == nil && !cameAbout(f.event.Type, rule)
	case faultRecord:
		return err == nil && rule.Status == f.status
	}
	return workspace.CodeOf(err) == workspace.CodeNotFound || errors.Is(err, workspace.ErrIrregular)
}

// cameAbout tells whether the rule is where the event says, or went on from
// there as the rule's own words do not deny.
func cameAbout(kind string, rule workspace.Rule) bool {
	switch kind {
	case EventPromote:
		return rule.Status == workspace.Active
	case EventRetire:
		return rule.Status == workspace.Retired
	}
	return true
}

// ruleHistory is what the journal says of one rule, in order.
type ruleHistory struct {
	add               *workspace.FoundEvent
	promotes, retires []workspace.FoundEvent
}

// ruleHistories sorts the events by rule, without those that were voided.
func ruleHistories(events []workspace.FoundEvent) map[string]*ruleHistory {
	slices.SortFunc(events, func(a, b workspace.FoundEvent) int {
		return workspace.CompareTimeID(a.TS, a.ID, b.TS, b.ID)
	})
	void := map[string]bool{}
	for _, e := range events {
		var v voided
		if e.Type == EventVoid && e.Decode(&v) == nil {
			void[v.Voids] = true
		}
	}
	all := map[string]*ruleHistory{}
	for i, e := range events {
		repeated := i > 0 && events[i-1].ID == e.ID
		if e.RuleID == "" || e.Type == EventAck || e.Type == EventVoid || repeated || void[e.ID] {
			continue
		}
		h := all[e.RuleID]
		if h == nil {
			h = &ruleHistory{}
			all[e.RuleID] = h
		}
		switch e.Type {
		case EventRuleAdd:
			h.add = &e
		case EventPromote:
			h.promotes = append(h.promotes, e)
		case EventRetire:
			h.retires = append(h.retires, e)
		}
	}
	return all
}

func (h *ruleHistory) faults(id string, x *workspace.Examination) []journalFault {
	rule, readable := x.Rules[id]
	switch {
	case readable && rule.Status.Live():
		faults := h.deny(id, x, h.retires, "retired")
		if rule.Status == workspace.Candidate {
			faults = append(faults, h.deny(id, x, h.promotes, "promoted")...)
		}
		return append(faults, h.notJournaled(id, rule, x)...)
	case readable:
		faults := h.notJournaled(id, rule, x)
		if h.retiredFrom(rule) == workspace.Candidate {
			faults = append(faults, h.deny(id, x, h.promotes, "promoted")...)
		}
		return faults
	case x.NoFiles[id]:
		return h.replaced(id)
	case x.RuleFiles[id] != "":
		return nil // broken, which is told already
	}
	return h.lost(id)
}

// retiredFrom is the status that the rule had when it was retired, "" when the
// journal does not say.
func (h *ruleHistory) retiredFrom(rule workspace.Rule) workspace.Status {
	var from workspace.Status
	for _, e := range h.retires {
		var t transition
		if e.Decode(&t) == nil && (from == "" || "retired:"+t.Reason == rule.Trial.Verdict) {
			from = t.From
		}
	}
	return from
}

// deny tells of events that the rule file contradicts.
func (h *ruleHistory) deny(id string, x *workspace.Examination, events []workspace.FoundEvent, claim string) (faults []journalFault) {
	for _, e := range events {
		faults = append(faults, journalFault{kind: faultVoid, ruleID: id, status: x.Rules[id].Status, event: e, finding: workspace.Finding{
			Kind: workspace.KindNoTransition, File: e.File, Line: e.Line, Severity: workspace.SeverityWarning,
			Message:    fmt.Sprintf("says that rule %s was %s, but its file says %s: a crash or a merge came between", id, claim, x.Rules[id].Status),
			Mend:       "the file is the truth: void the line with a journal event",
			Repairable: true}})
	}
	return faults
}

// wantedEvent is the type of the event that a rule's status rests on, "" when
// it needs none.
func wantedEvent(rule workspace.Rule, addedAsCandidate bool) string {
	switch {
	case rule.Status == workspace.Retired:
		return EventRetire
	case rule.Status == workspace.Active && (addedAsCandidate || strings.HasPrefix(rule.Trial.Verdict, "promoted:")):
		return EventPromote
	}
	return ""
}

func (h *ruleHistory) notJournaled(id string, rule workspace.Rule, x *workspace.Examination) []journalFault {
	wanted := wantedEvent(rule, h.addedAs() == workspace.Candidate)
	if wanted == "" || wanted == EventRetire && len(h.retires) > 0 || wanted == EventPromote && len(h.promotes) > 0 {
		return nil
	}
	return []journalFault{{kind: faultRecord, ruleID: id, status: rule.Status, finding: workspace.Finding{
		Kind: workspace.KindNotJournaled, File: x.RuleFiles[id], Severity: workspace.SeverityWarning,
		Message:    fmt.Sprintf("is %s, but the journal has no %s for it", rule.Status, wanted),
		Mend:       "journal it now, with what the file says",
		Repairable: true}}}
}

// addedAs is the status with which the rule came to be, "" when the journal
// does not say.
func (h *ruleHistory) addedAs() workspace.Status {
	var added ruleAdded
	if h.add == nil || h.add.Decode(&added) != nil {
		return ""
	}
	return added.Status
}

// lost tells of a rule without a file. One that was only added never came to be;
// one that was retired may have been pruned.
func (h *ruleHistory) lost(id string) []journalFault {
	switch {
	case len(h.retires) > 0:
		return nil
	case len(h.promotes) == 0:
		return []journalFault{{kind: faultVoid, ruleID: id, event: *h.add, finding: workspace.Finding{
			Kind: workspace.KindNoTransition, File: h.add.File, Line: h.add.Line, Severity: workspace.SeverityWarning,
			Message:    fmt.Sprintf("says that rule %s was added, but there is no file of it: a crash came between, or the file was removed", id),
			Mend:       "bring the file back from git if it was there; else void the line with a journal event",
			Repairable: true}}}
	}
	return lostFrom(id, h.promotes[len(h.promotes)-1], "was promoted")
}

// replaced tells of a rule in whose place something lies that is no file: nobody
// removed it on purpose.
func (h *ruleHistory) replaced(id string) []journalFault {
	switch {
	case len(h.retires) > 0:
		return nil
	case len(h.promotes) > 0:
		return h.lost(id)
	case h.addedAs() == workspace.Active:
		return lostFrom(id, *h.add, "was added as active")
	}
	return nil // told already
}

func lostFrom(id string, last workspace.FoundEvent, claim string) []journalFault {
	return []journalFault{{kind: faultLost, ruleID: id, event: last, finding: workspace.Finding{
		Kind: workspace.KindLostRule, File: last.File, Line: last.Line, Severity: workspace.SeverityWarning,
		Message: fmt.Sprintf("says that rule %s %s, but there is no file of it", id, claim),
		Mend:    "bring state/rules/" + id + ".toml back from git; to be rid of a rule, `pandaprobe-harness rule retire`"}}}
}
