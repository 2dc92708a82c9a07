package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// maxReplayAttempts is how many inconclusive replay rounds a candidate gets
// before the forward trial alone judges it.
const maxReplayAttempts = 3

// RoundOptions says how a round is run. The zero value waits for a round that
// is under way without a bound and applies the verdicts.
type RoundOptions struct {
	DryRun     bool                // judge, write nothing
	Gates      Gates               // which outcomes trip the gate
	Wait       time.Duration       // bound of the wait for a round under way; 0 = none
	Background bool                // leave out replays that were inconclusive a short while ago
	Waiting    func(holder string) // told once when another round is waited for; may be nil
	Progress   func(Progress)      // told before each replay; may be nil
}

// Progress says what a round is about to replay. Numbers count from 1.
type Progress struct {
	Candidate, Candidates int
	RuleID                string
	Case, Cases           int
	CaseID                string
}

// Round is what one round of validation came to.
type Round struct {
	OK       bool      `json:"ok"`
	Mode     string    `json:"mode"` // ValidatorReplay with a replay command, else ValidatorTrial
	DryRun   bool      `json:"dry_run"`
	Checked  int       `json:"checked"` // candidates judged
	Gate     []string  `json:"gate"`    // the gates that tripped, or empty
	Verdicts []Verdict `json:"verdicts"`
	Notes    []string  `json:"notes"` // what a reader should know beside the verdicts
}

// Validate runs one round over all candidates, oldest first, each judged on its
// state at that moment (docs/replay.md, "A round"). An error ends the round:
// what was decided before it stands in the Round that is returned beside it.
// After a round with broken rule or case files the error is a *BrokenFilesError.
func (e *Engine) Validate(ctx context.Context, o RoundOptions) (Round, error) {
	if !o.DryRun {
		release, err := e.lockRound(ctx, o)
		if err != nil {
			return e.newRound(o).result, err
		}
		defer release()
	}
	return e.validateLocked(ctx, o)
}

// validateLocked runs a round; the caller has the round lock, or writes nothing.
func (e *Engine) validateLocked(ctx context.Context, o RoundOptions) (Round, error) {
	r := e.newRound(o)
	err := r.run(ctx)
	r.result.OK = err == nil
	r.result.Gate = o.Gates.tripped(r.result.Verdicts)
	e.keepFailure(ctx, o, err)
	return r.result, err
}

func (e *Engine) newRound(o RoundOptions) *round {
	return &round{Engine: e, options: o, result: Round{Mode: e.mode(), DryRun: o.DryRun, Gate: []string{}, Verdicts: []Verdict{}, Notes: []string{}}}
}

func (e *Engine) mode() string {
	if e.Agent != nil {
		return ValidatorReplay
	}
	return ValidatorTrial
}

func (e *Engine) lockRound(ctx context.Context, o RoundOptions) (release func(), err error) {
	if e.InReplay {
		// The round that runs this replay waits for it.
		return nil, workspace.Errorf(workspace.CodeRefused, "a replay cannot start a round of its own (HARNESS_IN_REPLAY is set)")
	}
	if err := e.Workspace.MakeLocal(); err != nil {
		return nil, err
	}
	wait := o.Wait
	if wait == 0 {
		wait = -1
	}
	return e.Workspace.RoundLock().Acquire(ctx, "the round lock of "+e.Workspace.Root, wait, o.Waiting)
}

// BrokenFilesError says that a round judged what it could read.
type BrokenFilesError struct{ Files []error }

func (b *BrokenFilesError) Error() string {
	return fmt.Sprintf("%s could not be read; what is in it played no part in the round: %v", plural(len(b.Files), "state file"), b.Files[0])
}

// round is one round under way.
type round struct {
	*Engine
	options RoundOptions
	result  Round
	active  []workspace.Rule // in force when the round began
	named   map[string]bool  // sessions that replays of this round named
	failed  []error          // candidates that could not be judged
	render  rendering
}

func (r *round) run(ctx context.Context) error {
	if !r.Config.RuleValidation {
		r.result.Notes = append(r.result.Notes, "rule_validation is off: new rules are active at once and nothing is judged")
		return nil
	}
	live, broken, err := r.Workspace.LiveRules()
	if err != nil {
		return err
	}
	if !r.options.Background { // it costs a look at every retired rule
		lost, err := r.Workspace.LostRules()
		if err != nil {
			return err
		}
		broken = append(broken, lost...)
	}
	var candidates []workspace.Rule
	r.active, candidates = byStatus(live)
	r.named = map[string]bool{}
	if err := r.prepare(ctx, candidates); err != nil {
		return err
	}
	defer r.renderLate(ctx)
	for i, candidate := range candidates {
		if err := r.judge(ctx, candidate.ID, i+1, len(candidates)); err != nil {
			return err
		}
	}
	return r.incomplete(broken)
}

// incomplete says why a round that went to its end did not judge everything on
// everything.
func (r *round) incomplete(broken []error) error {
	if r.Agent != nil && r.result.Checked > 0 {
		_, cases, err := r.Workspace.Cases()
		if err != nil {
			return err
		}
		broken = append(broken, cases...)
	}
	switch {
	case len(broken) > 0:
		r.result.Notes = append(r.result.Notes, (&BrokenFilesError{broken}).Error())
		return &BrokenFilesError{broken}
	case len(r.failed) > 0:
		return fmt.Errorf("%s could not be judged: %w", plural(len(r.failed), "candidate"), r.failed[0])
	}
	return nil
}

// prepare finds the faults of the set-up before anything is replayed.
func (r *round) prepare(ctx context.Context, candidates []workspace.Rule) error {
	if len(candidates) == 0 {
		return nil
	}
	if r.Agent != nil {
		if err := r.Agent.Preflight(); err != nil {
			return &SetupError{err}
		}
	}
	return r.announce(ctx)
}

// SetupError is a fault of the set-up, not of a candidate: a replay command
// that cannot be started, a missing platform client, a refused key.
type SetupError struct{ Err error }

func (s *SetupError) Error() string { return s.Err.Error() }

func (s *SetupError) Unwrap() error { return s.Err }

// judge gives one candidate its verdict. A failure that concerns only this
// candidate becomes a pending verdict and the round goes on.
func (r *round) judge(ctx context.Context, id string, number, of int) error {
	rule, err := r.Rule(id)
	if workspace.CodeOf(err) == workspace.CodeNotFound || err == nil && rule.Status != workspace.Candidate {
		return nil // decided by somebody else since the round began
	}
	var verdict Verdict
	var judged bool
	if err == nil {
		verdict, judged, err = r.verdictFor(ctx, rule, Progress{Candidate: number, Candidates: of, RuleID: id})
	}
	if endsRound(ctx, err) {
		if verdict.Applied { // it stands; only its durability may be in doubt
			r.keep(verdict)
		}
		return err
	}
	if err != nil {
		r.failed = append(r.failed, err)
		verdict = Verdict{RuleID: id, Outcome: Pending, Validator: ValidatorNone, ReasonCode: "error", Reason: "could not be judged: " + err.Error()}
		judged = true
	}
	if judged {
		r.keep(verdict)
	}
	return nil
}

func (r *round) keep(v Verdict) {
	r.result.Checked++
	r.result.Verdicts = append(r.result.Verdicts, v)
}

// endsRound tells the errors that concern more than one candidate.
func endsRound(ctx context.Context, err error) bool {
	var setup *SetupError
	var start *replayexec.StartError
	var held *workspace.LockHeldError
	return ctx.Err() != nil || errors.As(err, &setup) || errors.As(err, &start) || errors.As(err, &held) ||
		workspace.CodeOf(err) == workspace.CodeIO
}

// verdictFor asks replay, and the forward trial where replay has nothing to say.
func (r *round) verdictFor(ctx context.Context, rule workspace.Rule, p Progress) (v Verdict, judged bool, err error) {
	switch {
	case r.Agent == nil:
		v, err = r.judgeByTrial(ctx, rule, "")
		return v, true, err
	case rule.Trial.ReplayAttempts >= maxReplayAttempts:
		v, err = r.judgeByTrial(ctx, rule, "three replay rounds were inconclusive")
		return v, true, err
	}
	cases, unread, err := r.Workspace.Cases()
	if err != nil {
		return v, false, err
	}
	selected := selectCases(rule, cases)
	if len(selected) == 0 && len(unread) > 0 {
		return Verdict{RuleID: rule.ID, Validator: ValidatorReplay}.withheld(unread), true, nil
	}
	if len(selected) == 0 {
		v, err = r.judgeByTrial(ctx, rule, noMatchReason(rule))
		return v, true, err
	}
	tested := testedDigest(rule, selected, r.Agent)
	if r.options.Background && !r.replayIsDue(rule.ID, tested) {
		return v, false, nil
	}
	p.Cases = len(selected)
	v, err = r.judgeByReplay(ctx, rule, selected, unread, tested, p)
	return v, true, err
}

// withheld is the verdict on a candidate while a case cannot be read: that may be
// the failure it must help with, or the win that it breaks.
func (v Verdict) withheld(unread []error) Verdict {
	v.Outcome, v.ReasonCode = Pending, CodeUnreadableCase
	v.Reason = fmt.Sprintf("replay: nothing is promoted while %s cannot be read: %v", plural(len(unread), "eval case"), unread[0])
	return v
}

// judgeByTrial judges and applies under one lock, since observations may come
// in at any time. why says what kept replay from judging, "" without a command.
func (r *round) judgeByTrial(ctx context.Context, tested workspace.Rule, why string) (v Verdict, err error) {
	decide := func(rule workspace.Rule) Verdict {
		v := Verdict{RuleID: rule.ID, Validator: ValidatorTrial, Details: Details{TrialDetails: trialDetails(rule)}}
		v.Outcome, v.ReasonCode, v.Reason = judgeTrial(rule, r.Config.RuleTrialMinSessions, r.Config.RulePromoteMargin)
		if why != "" {
			v.Reason += "; not replayed: " + why
		}
		return v
	}
	v = decide(tested)
	if r.options.DryRun || v.Outcome == Pending {
		return v, nil
	}
	if err := r.Workspace.SyncTrial(tested.ID); err != nil {
		return v, err
	}
	err = r.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		rule, err := r.Rule(tested.ID)
		if err != nil {
			return err
		}
		if !sameTested(rule, tested) {
			v = v.passedOver(rule)
			return nil
		}
		if v = decide(rule); v.Outcome == Pending {
			return nil
		}
		return tx.Atomically(func() error {
			if err := r.noteBreaches(tx, rule); err != nil {
				return err
			}
			return r.apply(tx, rule, &v)
		})
	})
	return v, err
}

// apply carries out a verdict that is not pending.
func (r *round) apply(tx *workspace.Tx, rule workspace.Rule, v *Verdict) error {
	to := workspace.Active
	if v.Outcome == Retire {
		to = workspace.Retired
	}
	_, err := r.transit(tx, rule, to, transition{Reason: r.Redact(v.Reason), Validator: v.Validator, Details: v.Details.committed()})
	v.Applied = err == nil
	if v.Applied {
		r.renderSoon(tx)
	}
	return err
}

// sameTested tells whether a rule is still what was tested: a candidate of the
// same text, on the same targets.
func sameTested(now, tested workspace.Rule) bool {
	return now.Status == workspace.Candidate && now.Rule == tested.Rule && now.Rationale == tested.Rationale &&
		now.Metric == tested.Metric && slices.Equal(now.Tags, tested.Tags) && slices.Equal(now.Signatures, tested.Signatures)
}

// passedOver turns a verdict on a rule that is no longer the one tested into
// none.
func (v Verdict) passedOver(now workspace.Rule) Verdict {
	v.Outcome, v.ReasonCode = Pending, CodeChanged
	v.Reason = "passed over: the rule was edited while it was tested; the next round judges the new text"
	if now.Status != workspace.Candidate {
		v.Reason = fmt.Sprintf("passed over: the rule became %s while it was tested", now.Status)
	}
	return v
}

// caseChanged turns a verdict into none when a case is not what was replayed.
func (v Verdict) caseChanged(id string) Verdict {
	v.Outcome, v.ReasonCode = Pending, CodeChanged
	v.Reason = fmt.Sprintf("passed over: case %s was changed or removed while the rule was tested; the next round judges anew", id)
	return v
}

// committed is what of the details goes into the journal: no output of the
// user's command, which may hold anything.
func (d Details) committed() Details {
	if d.ReplayDetails == nil {
		return d
	}
	kept := *d.ReplayDetails
	kept.Cases = slices.Clone(kept.Cases)
	for i := range kept.Cases {
		kept.Cases[i].StderrTail, kept.Cases[i].Reason = "", ""
	}
	d.ReplayDetails = &kept
	return d
}
