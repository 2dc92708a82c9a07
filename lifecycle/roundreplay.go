package lifecycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// judgeByReplay replays the selected cases with the candidate in force and
// judges what came back. Nothing is locked while the agent runs.
func (r *round) judgeByReplay(ctx context.Context, rule workspace.Rule, selected []workspace.Case, unread []error, tested string, p Progress) (Verdict, error) {
	rendered := renderRules(r.active, []workspace.Rule{rule}, nil)
	details := &ReplayDetails{Cases: []CaseResult{}, ContextRules: ruleIDs(append(r.active[:len(r.active):len(r.active)], rule)), ContextSHA256: digest(rendered)}
	for i, c := range selected {
		p.Case, p.CaseID = i+1, c.ID
		if r.options.Progress != nil {
			r.options.Progress(p)
		}
		result, err := r.replay(ctx, c, rule.ID, rendered, r.named)
		if err != nil {
			return Verdict{}, err
		}
		if result.ReasonCode != "" {
			details.Inconclusive++
		}
		details.Cases = append(details.Cases, result)
	}
	v := Verdict{RuleID: rule.ID, Validator: ValidatorReplay, Details: Details{ReplayDetails: details}}
	v.Outcome, v.ReasonCode, v.Reason = judgeReplay(details.Cases, targetMetric(rule, selected), r.Config.RulePromoteMargin, r.Config.RuleRegressMargin)
	switch {
	case v.Outcome == Promote && len(unread) > 0:
		v = v.withheld(unread)
	case v.Outcome == Pending:
		v.Reason += fmt.Sprintf(" (attempt %d of %d)", rule.Trial.ReplayAttempts+1, maxReplayAttempts)
		if rule.Trial.ReplayAttempts+1 >= maxReplayAttempts {
			v.Reason += "; from now on its forward trial judges: retire the rule and add it again to have it replayed"
		}
	}
	if r.options.DryRun {
		return v, nil
	}
	return r.applyReplay(ctx, rule, selected, v, tested)
}

// applyReplay looks again at what the verdict rests on, for a replay takes long.
func (r *round) applyReplay(ctx context.Context, tested workspace.Rule, selected []workspace.Case, v Verdict, digest string) (Verdict, error) {
	err := r.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		rule, err := r.Workspace.Rule(tested.ID)
		if err != nil {
			return err
		}
		cases, unread, err := r.Workspace.Cases()
		if err != nil {
			return err
		}
		changed := changedCase(selected, cases)
		switch {
		case !sameTested(rule, tested):
			v = v.passedOver(rule)
			return nil
		case v.Outcome == Promote && len(unread) > 0:
			v = v.withheld(unread)
			return nil
		case changed != "":
			v = v.caseChanged(changed)
			return nil
		case v.ReasonCode == CodeUnreadableCase:
			return nil // the workspace is at fault, so it is no attempt
		case v.Outcome == Pending:
			_, err := tx.AppendTrial(rule.ID, workspace.TrialLine{Type: workspace.Attempt, Reason: v.ReasonCode, Tested: digest})
			return err
		}
		return r.apply(tx, rule, &v)
	})
	return v, err
}

// changedCase names a case that is no longer what was replayed, or "".
func changedCase(replayed, now []workspace.Case) string {
	for _, c := range replayed {
		same := func(other workspace.Case) bool { return other.ID == c.ID && reflect.DeepEqual(other, c) }
		if !slices.ContainsFunc(now, same) {
			return c.ID
		}
	}
	return ""
}

// replay runs one case and compares its scores. What makes a case inconclusive
// is part of the result; an error ends the round.
func (e *Engine) replay(ctx context.Context, c workspace.Case, ruleID, rendered string, named map[string]bool) (CaseResult, error) {
	result := CaseResult{CaseID: c.ID, Kind: c.Kind, Deltas: map[string]float64{}, baseline: c.BaselineScores, began: e.Workspace.Now().Truncate(time.Microsecond)}
	doc, err := json.Marshal(c, json.Deterministic(true))
	if err != nil {
		return result, workspace.Errorf(workspace.CodeBrokenFile, "case %s cannot be encoded: %v", c.ID, err)
	}
	began := time.Now()
	answer, err := e.Agent.Replay(ctx, replayexec.Request{Protocol: 1, Case: doc, RuleID: ruleID, Context: rendered}, c.ID, c.Kind)
	result.SessionID = e.Redact(answer.SessionID)
	if err == nil {
		err = e.score(ctx, c, answer, named, &result)
	}
	result.DurationS = time.Since(began).Seconds()
	if err != nil {
		return result, result.settle(ctx, err, e.Redact)
	}
	result.Deltas = deltas(c.BaselineScores, result.scores)
	if len(result.Deltas) == 0 {
		result.ReasonCode, result.Reason = replayexec.NoScores, noScoresReason(c, result.scores)
	}
	return result, nil
}

func noScoresReason(c workspace.Case, scores map[string]float64) string {
	if len(scores) == 0 {
		return "got no score"
	}
	if len(c.BaselineScores) == 0 {
		return "has no baseline scores to compare with"
	}
	return "scored none of the metrics of its baseline"
}

// score gives the result the scores of its session: those of the answer, else
// those of the scorer. Of an old session they would say what it was without the
// candidate.
func (e *Engine) score(ctx context.Context, c workspace.Case, answer replayexec.Answer, named map[string]bool, result *CaseResult) (err error) {
	repeated := named[answer.SessionID]
	named[answer.SessionID] = true
	switch {
	case answer.HasScores:
		result.scores = answer.Scores
		return nil
	case answer.SessionID == c.SessionID:
		return &replayexec.Inconclusive{Code: replayexec.OwnSession, Detail: "named the captured session " + quote(c.SessionID) + ", not a new one"}
	case repeated:
		return &replayexec.Inconclusive{Code: replayexec.RepeatedSession, Detail: "named the session " + quote(answer.SessionID) + ", as an earlier replay of this round did"}
	case e.Scorer == nil:
		return &SetupError{errors.New("a replay named a session without scores, and there is no way to score it; answer with scores, or set [score] command")}
	}
	known, err := e.knownSession(answer.SessionID, result.began)
	if err != nil {
		return err
	}
	if known != "" {
		return &replayexec.Inconclusive{Code: replayexec.KnownSession, Detail: "named the session " + quote(answer.SessionID) + ", which " + known}
	}
	result.scores, err = e.Scorer.Score(ctx, answer.SessionID)
	result.unscored = err != nil
	var setup *SetupError
	if errors.As(err, &setup) {
		err = &SetupError{fmt.Errorf("the replay of %s named the session %s without scores, and it cannot be scored: %w", c.ID, quote(answer.SessionID), setup.Err)}
	}
	return err
}

// settle makes an inconclusive error part of the result and returns any other.
func (result *CaseResult) settle(ctx context.Context, err error, redact func(string) string) error {
	var inconclusive *replayexec.Inconclusive
	if ctx.Err() != nil || !errors.As(err, &inconclusive) {
		return err
	}
	result.ReasonCode, result.Reason = inconclusive.Code, redact(inconclusive.Detail)
	result.StderrTail = redact(inconclusive.StderrTail)
	if result.SessionID == "" {
		result.SessionID = redact(inconclusive.SessionID)
	}
	return nil
}

// Inconclusive replays are tried again in the background after this long, and
// twice as long each time after that.
const replayBackoff = 10 * time.Minute

// replayIsDue tells whether a background round replays the candidate: always at
// first, later after a pause or once something that was tested has changed.
func (r *round) replayIsDue(ruleID, tested string) bool {
	lines, err := r.Workspace.TrialLines(ruleID)
	if err != nil {
		return true
	}
	pause := replayBackoff / 2
	var last workspace.TrialLine
	for _, line := range lines {
		if line.Type == workspace.Attempt {
			last = line
			pause *= 2
		}
	}
	return last.ID == "" || last.Tested != tested || !r.Workspace.Now().Before(last.TS.Std().Add(pause))
}

// testedDigest changes whenever the rule's text, its cases or the command does.
func testedDigest(rule workspace.Rule, cases []workspace.Case, agent Agent) string {
	text := rule.Rule + "\x00" + rule.Rationale
	for _, c := range cases {
		doc, _ := json.Marshal(c, json.Deterministic(true))
		text += "\x00" + string(doc)
	}
	if named, ok := agent.(fmt.Stringer); ok {
		text += "\x00" + named.String()
	}
	return digest(text)[:16]
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func ruleIDs(rules []workspace.Rule) []string {
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	return ids
}

func quote(s string) string { return fmt.Sprintf("%q", s) }
