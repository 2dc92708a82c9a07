package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// DefaultBlameLimit bounds the replays that blame takes for all wins together.
const DefaultBlameLimit = 100

// What blame came to for one regressed win.
const (
	BlameFound        = "found"         // leaving out one active rule restores the win
	BlameCandidates   = "candidates"    // leaving out the candidates does, which `validate` judges
	BlameNone         = "none"          // no rule alone makes the difference
	BlameNotConfirmed = "not_confirmed" // the win did not regress when it was replayed again
	BlameUnsteady     = "unsteady"      // it was restored without a rule, and not the second time
	BlameInconclusive = "inconclusive"  // it could not be replayed again
	BlameLimited      = "limit"         // the limit of replays was reached
)

// BlamePlan is what blame is about to do.
type BlamePlan struct {
	Wins   int // regressed wins
	Rules  int // active rules, of which one at a time is left out
	Needed int // replays that it takes at most
	Limit  int // replays that it may take; at most Needed
}

// Blame says which active rules make wins regress.
type Blame struct {
	Limit   int         `json:"limit"`   // replays that it was allowed, as was said beforehand
	Replays int         `json:"replays"` // replays that it took
	Wins    []BlamedWin `json:"wins"`    // in the order of the results
}

// BlamedWin is one regressed win.
type BlamedWin struct {
	CaseID  string         `json:"case_id"`
	Outcome string         `json:"outcome"`
	RuleID  workspace.Text `json:"rule_id"` // the rule that was found
	Reason  string         `json:"reason"`
	Retired bool           `json:"retired"` // the rule was retired for it
	Replays int            `json:"replays"`
	Tried   []BlameReplay  `json:"tried"` // in the order replayed
}

// BlameReplay is one replay of a regressed win.
type BlameReplay struct {
	LeftOut  []string `json:"left_out"` // rules that were not in the context; none when it is only repeated
	Restored bool     `json:"restored"` // nothing fell by more than the margin, and all that had fallen was measured
	CaseResult
}

// blame looks for the active rule behind each regressed win: the win is
// replayed once more as it was; then with the candidates left out, where there
// are any, and with one active rule left out at a time, newest first, until that
// restores it; and what restored it is done a second time. So whoever is blamed
// was seen twice on both sides. An error ends the search; wins that it was not
// done with stay out of the result.
func (r *regression) blame(ctx context.Context) error {
	wins := r.regressedWins()
	if !r.options.Blame || len(wins) == 0 {
		return nil
	}
	plan := r.blamePlan(len(wins))
	r.result.Blame = &Blame{Limit: plan.Limit, Wins: []BlamedWin{}}
	if r.options.Planned != nil {
		r.options.Planned(plan)
	}
	for _, outcome := range wins {
		c := r.replayed(outcome.CaseID)
		search := &blameSearch{regression: r, win: c, fell: r.fallen(outcome.Deltas), result: BlamedWin{CaseID: c.ID, Tried: []BlameReplay{}}}
		if err := search.run(ctx); err != nil {
			return err
		}
		r.result.Blame.Wins = append(r.result.Blame.Wins, search.result)
	}
	return nil
}

// replayed is the case as it was when the run began.
func (r *regression) replayed(id string) workspace.Case {
	return r.cases[slices.IndexFunc(r.cases, func(c workspace.Case) bool { return c.ID == id })]
}

func (r *regression) regressedWins() (wins []CaseOutcome) {
	for _, outcome := range r.result.Results {
		if outcome.Status == Regressed && outcome.Kind == workspace.Win {
			wins = append(wins, outcome)
		}
	}
	return wins
}

func (r *regression) blamePlan(wins int) BlamePlan {
	perWin := 2 + len(r.active) // confirming and repeating
	if len(r.candidates) > 0 {
		perWin++
	}
	if len(r.active)+len(r.candidates) == 0 {
		perWin = 0
	}
	plan := BlamePlan{Wins: wins, Rules: len(r.active), Needed: wins * perWin, Limit: r.options.BlameLimit}
	if plan.Limit == 0 {
		plan.Limit = DefaultBlameLimit
	}
	if plan.Limit < 0 || plan.Limit > plan.Needed {
		plan.Limit = plan.Needed
	}
	return plan
}

// fallen are the metrics that fell by more than the margin, by name.
func (r *regression) fallen(deltas map[string]float64) (metrics []string) {
	for _, metric := range sortedKeys(deltas) {
		if droppedBeyond(deltas[metric], r.Config.RuleRegressMargin) {
			metrics = append(metrics, metric)
		}
	}
	return metrics
}

// suspect is what is left out of the context at a time.
type suspect struct {
	rules   []workspace.Rule
	outcome string // what it means when the win is restored without them
}

// suspects are the candidates together, then the active rules: those that were
// found guilty before, then the newest first.
func (r *regression) suspects() []suspect {
	var all, known []suspect
	if len(r.candidates) > 0 {
		known = append(known, suspect{r.candidates, BlameCandidates})
	}
	for _, rule := range slices.Backward(r.active) {
		s := suspect{[]workspace.Rule{rule}, BlameFound}
		if r.result.Blame.blames(rule.ID) {
			known = append(known, s)
		} else {
			all = append(all, s)
		}
	}
	return append(known, all...)
}

func (b *Blame) blames(ruleID string) bool {
	return slices.ContainsFunc(b.Wins, func(w BlamedWin) bool { return string(w.RuleID) == ruleID })
}

func (s suspect) String() string {
	if s.outcome == BlameCandidates {
		return "the " + plural(len(s.rules), "candidate")
	}
	return fmt.Sprintf("rule %s", s.rules[0].ID)
}
