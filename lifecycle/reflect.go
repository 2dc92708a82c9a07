package lifecycle

import (
	"github.com/go-json-experiment/json"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// How far Reflect looks back. The bounds on the journal's events keep it cheap
// whatever the journal holds; they are in whole days.
const (
	reflectNotices     = 20     // notices that are shown
	reflectWindow      = 1_000  // notices that are counted
	noticesWithin      = 20_000 // events among which they are looked for
	reflectTransitions = 20     // promotions and retirements that are shown
	transitionsWithin  = 10_000 // events among which they are looked for
)

// Reflection is what an agent, or a person, needs to learn from the recent past:
// what went wrong, which rules are in force, which were proven or retired, and
// whether failures of a rule's family became rarer with it
// (docs/cli.md, "reflect").
type Reflection struct {
	OK          bool              `json:"ok"`
	Notices     []ReflectedNotice `json:"notices"`     // the last 20, oldest first
	Active      []workspace.Rule  `json:"active"`      // oldest first
	Candidates  []workspace.Rule  `json:"candidates"`  // oldest first
	Transitions []workspace.Event `json:"transitions"` // the last 20 rule_promote and rule_retire events, oldest first
	Window      NoticeWindow      `json:"window"`
	Effects     []RuleEffect      `json:"effects"` // one for each live rule, oldest first
}

// ReflectedNotice is a notice as the journal has it.
type ReflectedNotice struct {
	TS          workspace.Time `json:"ts"`
	NoticeID    string         `json:"notice_id"`
	SessionID   string         `json:"session_id"`
	Severity    string         `json:"severity"`
	Signatures  []string       `json:"signatures"`
	Summary     string         `json:"summary"`
	ObserveOnly bool           `json:"observe_only"` // it was not put into the mailbox
}

// NoticeWindow is what the effects rest on.
type NoticeWindow struct {
	Notices int             `json:"notices"` // how many, at most 1,000
	Since   *workspace.Time `json:"since"`   // of the oldest; null without any
}

// RuleEffect counts the window's notices of a rule's family: all of them when
// the rule has no metric.
type RuleEffect struct {
	RuleID        string           `json:"rule_id"`
	Status        workspace.Status `json:"status"`
	Metric        workspace.Text   `json:"metric"`
	AddedAt       workspace.Time   `json:"added_at"`
	NoticesBefore int              `json:"notices_before"` // before the rule was added
	NoticesAfter  int              `json:"notices_after"`
}

// Reflect looks at the recent past. Its cost does not grow with the journal.
func (e *Engine) Reflect() (Reflection, error) {
	rules, err := e.Rules()
	if err != nil {
		return Reflection{}, err
	}
	var reader noticeReader
	notices, err := workspace.EventsBy(e.Workspace, workspace.JournalFilter{
		Types: []string{EventNotice}, Last: reflectWindow, Within: noticesWithin,
	}, reader.read)
	if err != nil {
		return Reflection{}, err
	}
	transitions, err := e.Workspace.Events(workspace.JournalFilter{
		Types: []string{EventPromote, EventRetire}, Last: reflectTransitions, Within: transitionsWithin,
	})
	if err != nil {
		return Reflection{}, err
	}
	active, candidates := byStatus(rules)
	return Reflection{
		OK:          true,
		Notices:     reader.reflected(notices[max(0, len(notices)-reflectNotices):]),
		Active:      append([]workspace.Rule{}, active...),
		Candidates:  append([]workspace.Rule{}, candidates...),
		Transitions: append([]workspace.Event{}, transitions...),
		Window:      windowOf(notices),
		Effects:     reader.effects(rules, notices),
	}, nil
}

// reflected takes from each line what it has: another writer's may lack fields.
func (r *noticeReader) reflected(notices []countedNotice) []ReflectedNotice {
	all := make([]ReflectedNotice, len(notices))
	for i, n := range notices {
		if json.Unmarshal(n.line, &all[i]) != nil {
			all[i] = ReflectedNotice{}
		}
		all[i].TS, all[i].Signatures = n.at, r.sets[n.set]
	}
	return all
}

func windowOf(notices []countedNotice) NoticeWindow {
	if len(notices) == 0 {
		return NoticeWindow{}
	}
	return NoticeWindow{Notices: len(notices), Since: &notices[0].at}
}

func (r *noticeReader) effects(rules []workspace.Rule, notices []countedNotice) []RuleEffect {
	all := []RuleEffect{}
	for _, rule := range rules {
		hits := make([]bool, len(r.sets))
		for i, signatures := range r.sets {
			hits[i] = hitsFamily(signatures, string(rule.Metric))
		}
		effect := RuleEffect{RuleID: rule.ID, Status: rule.Status, Metric: rule.Metric, AddedAt: rule.CreatedAt}
		for _, n := range notices {
			switch {
			case !hits[n.set]:
			case n.at.Compare(rule.CreatedAt) > 0:
				effect.NoticesAfter++
			default:
				effect.NoticesBefore++
			}
		}
		all = append(all, effect)
	}
	return all
}
