package tool

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// journalLast is how many events an agent gets that names no number: its
// context is not to be flooded.
const journalLast = 50

func historyOperations() []operation {
	return []operation{
		{
			name:  "harness_journal",
			about: "Read what happened, oldest first: notices, recoveries, acknowledgements, and what became of rules and eval cases.",
			params: []param{
				{name: "types", kind: texts, about: "only events of these types, such as notice, recovery, rule_add, rule_promote, rule_retire"},
				{name: "session_id", kind: text, about: "only events of this session"},
				{name: "rule_id", kind: text, about: "only events of this rule"},
				{name: "since", kind: text, about: "only events since then: 2026-01-31T09:30:00Z, 2026-01-31, or how long ago, such as 12h or 7d"},
				{name: "last", kind: whole, about: "only so many, the newest ones; 50 when left out, 0 = all"},
			},
			returns:  []param{{name: "events", kind: list, about: "the events"}},
			examples: []string{`{}`, `{"types": ["rule_promote", "rule_retire"], "since": "7d", "last": 20}`, `{"rule_id": "r-0123456789", "last": 0}`},
			run:      readJournal,
		},
		{
			name:   "harness_history",
			about:  "Read what one session scored, metric by metric, oldest first, with the running averages.",
			params: []param{{name: "session_id", kind: text, required: true, about: "the session"}},
			returns: []param{
				{name: "session_id", kind: text, about: "the session"},
				{name: "metrics", kind: list, about: "for each metric its series of scores and the averages after the last"},
			},
			examples: []string{`{"session_id": "chat-7"}`},
			run:      readHistory,
		},
		{
			name:  "harness_reflect",
			about: "Look back: the recent notices, your rules in force, which rules were promoted or retired and why, and for each rule how many notices of its family came before and after it was added.",
			returns: []param{
				{name: "notices", kind: list, about: "the last 20, oldest first"},
				{name: "active", kind: list, about: "the active rules"},
				{name: "candidates", kind: list, about: "the candidate rules"},
				{name: "transitions", kind: list, about: "the last 20 rule_promote and rule_retire events"},
				{name: "window", kind: object, about: "the notices that the effects were counted over"},
				{name: "effects", kind: list, about: "for each live rule notices_before and notices_after"},
			},
			examples: []string{`{}`},
			run:      reflect,
		},
	}
}

type journalResult struct {
	Events []workspace.Event `json:"events"`
	OK     bool              `json:"ok"` // behind the events, as the command has it
}

func readJournal(_ context.Context, s Set, a arguments) (any, error) {
	events, err := s.Engine.Journal(lifecycle.JournalQuery{
		Types: a.texts("types"), SessionID: a.text("session_id"), RuleID: a.text("rule_id"),
		Since: a.text("since"), Last: a.whole("last", journalLast),
	})
	return journalResult{OK: true, Events: append([]workspace.Event{}, events...)}, err
}

func readHistory(ctx context.Context, s Set, a arguments) (any, error) {
	return s.Engine.History(ctx, a.text("session_id"))
}

func reflect(_ context.Context, s Set, _ arguments) (any, error) { return s.Engine.Reflect() }
