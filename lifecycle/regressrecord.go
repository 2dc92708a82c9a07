package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// ValidatorRegression stands in the journal for a rule that a regression run
// retired.
const ValidatorRegression = "regression"

// regressionEvent is what the journal keeps of a regression run: no output of
// the user's command, which may hold anything.
type regressionEvent struct {
	RegressionCounts
	ContextRules  []string         `json:"context_rules"`
	ContextSHA256 string           `json:"context_sha256"`
	Results       []regressionLine `json:"results"`
	Blame         *Blame           `json:"blame,omitempty"`
}

type regressionLine struct {
	CaseID          string             `json:"case_id"`
	Kind            string             `json:"kind"`
	Status          string             `json:"status"`
	ReplaySessionID workspace.Text     `json:"replay_session_id"`
	Deltas          map[string]float64 `json:"deltas"`
	ReasonCode      string             `json:"reason_code,omitempty"`
}

// journal keeps what the run found, if it replayed anything; also when it was
// interrupted while it looked for the rules behind it: the cases all had their
// turn.
func (r *regression) journal() error {
	if r.options.DryRun || r.replays == 0 {
		return nil
	}
	event := regressionEvent{
		RegressionCounts: r.result.RegressionCounts,
		ContextRules:     r.result.ContextRules, ContextSHA256: r.result.ContextSHA256,
		Results: []regressionLine{}, Blame: r.result.Blame.committed(),
	}
	for _, c := range r.result.Results {
		event.Results = append(event.Results, regressionLine{c.CaseID, c.Kind, c.Status, c.ReplaySessionID, c.Deltas, c.ReasonCode})
	}
	return r.Workspace.Update(context.Background(), func(tx *workspace.Tx) error {
		_, err := tx.Journal(workspace.Event{Type: EventRegression}, event)
		return err
	})
}

func (b *Blame) committed() *Blame {
	if b == nil {
		return nil
	}
	kept := *b
	kept.Wins = committedWins(b.Wins)
	return &kept
}

func committedWins(wins []BlamedWin) []BlamedWin {
	kept := slices.Clone(wins)
	for i := range kept {
		kept[i].Tried = slices.Clone(kept[i].Tried)
		for j := range kept[i].Tried {
			kept[i].Tried[j].Reason, kept[i].Tried[j].StderrTail = "", ""
		}
	}
	return kept
}

// retireBlamed retires the rules that blame found, each once, for the wins that
// it broke.
func (r *regression) retireBlamed(ctx context.Context) error {
	if !r.options.Retire || r.options.DryRun || r.result.Blame == nil {
		return nil
	}
	for _, tested := range r.active {
		wins := r.result.Blame.winsOf(tested.ID)
		if len(wins) == 0 {
			continue
		}
		if err := r.retireTested(ctx, tested, wins); err != nil {
			return err
		}
	}
	return nil
}

func (b *Blame) winsOf(ruleID string) (wins []*BlamedWin) {
	for i := range b.Wins {
		if string(b.Wins[i].RuleID) == ruleID {
			wins = append(wins, &b.Wins[i])
		}
	}
	return wins
}

// blameDetails is the evidence in the journal line of a retirement.
type blameDetails struct {
	Wins          []BlamedWin `json:"wins"`
	ContextRules  []string    `json:"context_rules"`
	ContextSHA256 string      `json:"context_sha256"`
}

// retireTested retires the rule when it still is what was tested.
func (r *regression) retireTested(ctx context.Context, tested workspace.Rule, wins []*BlamedWin) error {
	reason := fmt.Sprintf("regression run: win %s: %s", wins[0].CaseID, wins[0].Reason)
	if more := len(wins) - 1; more > 0 {
		reason += fmt.Sprintf(" (and %s)", plural(more, "more win"))
	}
	details := blameDetails{Wins: committedWins(values(wins)), ContextRules: r.result.ContextRules, ContextSHA256: r.result.ContextSHA256}
	passedOver := ""
	err := r.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		now, err := r.Workspace.Rule(tested.ID)
		if workspace.CodeOf(err) == workspace.CodeNotFound {
			passedOver = "it was removed meanwhile"
			return nil
		}
		if err != nil {
			return err
		}
		cases, _, err := r.Workspace.Cases()
		if err != nil {
			return err
		}
		if passedOver = r.passedOver(tested, now, wins, cases); passedOver != "" {
			return nil
		}
		_, err = r.transit(tx, now, workspace.Retired, transition{Reason: r.Redact(reason), Validator: ValidatorRegression, Details: details})
		if err == nil {
			r.renderNow(tx)
		}
		return err
	})
	for _, win := range wins {
		win.Retired = err == nil && passedOver == ""
		if passedOver != "" {
			win.Reason += fmt.Sprintf("; rule %s was not retired: %s", tested.ID, passedOver)
		}
	}
	return err
}

// passedOver says what of that on which the blame rests is no longer so, or "".
func (r *regression) passedOver(tested, now workspace.Rule, wins []*BlamedWin, cases []workspace.Case) string {
	if changed := changedSince(tested, now); changed != "" {
		return changed
	}
	for _, win := range wins {
		if id := changedCase([]workspace.Case{r.replayed(win.CaseID)}, cases); id != "" {
			return "case " + id + " was changed or removed meanwhile"
		}
	}
	return ""
}

// changedSince says what happened to an active rule since it was tested, or "".
func changedSince(tested, now workspace.Rule) string {
	switch {
	case now.Status != tested.Status:
		return "it became " + string(now.Status) + " meanwhile"
	case now.Rule != tested.Rule || now.Rationale != tested.Rationale:
		return "it was edited meanwhile"
	}
	return ""
}

func values(wins []*BlamedWin) []BlamedWin {
	all := make([]BlamedWin, len(wins))
	for i, w := range wins {
		all[i] = *w
	}
	return all
}
