package tool

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func evalsetOperations() []operation {
	return []operation{
		{
			name:  "harness_evalset_list",
			about: "List the captured sessions that validation replays, oldest first. Each says whether it can be replayed.",
			params: []param{
				{name: "kind", kind: text, oneOf: []string{workspace.Failure, workspace.Win}, about: "only cases of this kind"},
			},
			returns:  []param{{name: "cases", kind: list, about: "the cases, with replayable in place of the replay input"}},
			examples: []string{`{}`, `{"kind": "failure"}`},
			run:      listCases,
		},
		{
			name:  "harness_evalset_attach",
			about: "Give a captured case what it takes to run its session again. Without that it cannot be replayed.",
			params: []param{
				{name: "case_id", kind: text, required: true, about: "the case's id, such as c-0123456789"},
				{name: "replay_input", kind: value, required: true, about: "any JSON value but null; the replay command gets it as it is"},
			},
			returns: []param{
				{name: "case", kind: object, about: "the case"},
				{name: "created", kind: flag, about: "always false: the case was there"},
			},
			examples: []string{`{"case_id": "c-0123456789", "replay_input": {"request": "refund", "days_since_purchase": 45}}`},
			run:      attachInput,
		},
	}
}

type casesResult struct {
	OK    bool                   `json:"ok"`
	Cases []lifecycle.ListedCase `json:"cases"`
}

type caseResult struct {
	OK      bool           `json:"ok"`
	Case    workspace.Case `json:"case"`
	Created bool           `json:"created"`
}

func listCases(_ context.Context, s Set, a arguments) (any, error) {
	cases, err := s.Engine.Cases(a.text("kind"))
	return casesResult{OK: true, Cases: lifecycle.ListCases(cases)}, err
}

func attachInput(ctx context.Context, s Set, a arguments) (any, error) {
	c, err := s.Engine.AttachCase(ctx, a.text("case_id"), a["replay_input"])
	return caseResult{OK: true, Case: c}, err
}
