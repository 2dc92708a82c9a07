package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// blameSearch looks for what makes one win regress.
type blameSearch struct {
	*regression
	win    workspace.Case
	fell   []string // metrics that fell by more than the margin
	result BlamedWin
}

func (b *blameSearch) run(ctx context.Context) error {
	suspects := b.suspects()
	if len(suspects) == 0 {
		b.settle(BlameNone, "no rule is in force, so the agent itself has changed")
		return nil
	}
	again, err := b.without(ctx, suspect{})
	switch {
	case again == nil || err != nil:
		return err
	case again.ReasonCode != "":
		b.settle(BlameInconclusive, "it could not be replayed again ("+again.ReasonCode+")")
		return nil
	case len(b.fallen(again.Deltas)) == 0:
		b.settle(BlameNotConfirmed, "it did not regress when it was replayed again: "+b.compared(again))
		return nil
	}
	unclear := 0
	for _, s := range suspects {
		replay, err := b.without(ctx, s)
		if replay == nil || err != nil {
			return err
		}
		if replay.Restored {
			return b.repeat(ctx, s, again)
		}
		if len(b.fallen(replay.Deltas)) == 0 {
			unclear++
		}
	}
	b.settle(BlameNone, noSuspect(len(suspects), unclear))
	return nil
}

// repeat leaves the suspect out a second time.
func (b *blameSearch) repeat(ctx context.Context, s suspect, with *BlameReplay) error {
	replay, err := b.without(ctx, s)
	if replay == nil || err != nil {
		return err
	}
	if !replay.Restored {
		b.settle(BlameUnsteady, fmt.Sprintf("it was restored once without %s and not the second time: its replays are too unsteady to blame a rule", s))
		return nil
	}
	if s.outcome == BlameFound {
		b.result.RuleID = workspace.Text(s.rules[0].ID)
	}
	b.settle(s.outcome, fmt.Sprintf("%s with %s, %s without; each seen twice", b.compared(with), s, b.compared(replay)))
	return nil
}

// without replays the win with a suspect left out; nil when the limit of
// replays does not allow that, which is settled here.
func (b *blameSearch) without(ctx context.Context, s suspect) (*BlameReplay, error) {
	blame := b.regression.result.Blame
	if blame.Replays == blame.Limit {
		b.settle(BlameLimited, fmt.Sprintf("the limit of %s was reached; raise --blame-limit to look further", plural(blame.Limit, "replay")))
		return nil, nil
	}
	blame.Replays++
	replay := BlameReplay{LeftOut: ruleIDs(s.rules)}
	rendered := renderRules(except(b.active, s.rules), except(b.candidates, s.rules), nil)
	step := RegressStep{Number: blame.Replays, Of: blame.Limit, CaseID: b.win.ID, Blame: true, LeftOut: replay.LeftOut}
	var err error
	if replay.CaseResult, err = b.replayStep(ctx, b.win, rendered, step); err != nil {
		return nil, err
	}
	replay.Restored = b.isRestored(&replay)
	b.result.Replays++
	b.result.Tried = append(b.result.Tried, replay)
	return &replay, nil
}

func except(rules, leftOut []workspace.Rule) []workspace.Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r workspace.Rule) bool {
		return slices.ContainsFunc(leftOut, func(l workspace.Rule) bool { return l.ID == r.ID })
	})
}

// isRestored tells whether nothing falls any more. A metric that had fallen and
// was not measured this time, as in a replay that failed, proves nothing.
func (b *blameSearch) isRestored(replay *BlameReplay) bool {
	if len(b.fallen(replay.Deltas)) > 0 {
		return false
	}
	return !slices.ContainsFunc(b.fell, func(metric string) bool {
		_, measured := replay.Deltas[metric]
		return !measured
	})
}

// compared shows the metrics that had fallen.
func (b *blameSearch) compared(replay *BlameReplay) (text string) {
	for i, metric := range b.fell {
		if i > 0 {
			text += ", "
		}
		delta, measured := replay.Deltas[metric]
		if !measured {
			text += metric + " was not measured"
			continue
		}
		text += fmt.Sprintf("%s %s (%s to %s)", metric, signed(delta), num(replay.baseline[metric]), num(replay.scores[metric]))
	}
	return text
}

func (b *blameSearch) settle(outcome, reason string) {
	b.result.Outcome, b.result.Reason = outcome, reason
}

func noSuspect(tried, unclear int) string {
	text := "leaving out the one suspect did not restore it: it is the agent itself"
	if tried > 1 {
		text = fmt.Sprintf("leaving out each of %d suspects in turn did not restore it: several rules together, or the agent itself", tried)
	}
	if unclear > 0 {
		text += fmt.Sprintf(" (%s could not be compared)", plural(unclear, "replay"))
	}
	return text
}
