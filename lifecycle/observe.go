package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Observation is what observing one report did.
type Observation struct {
	OK                bool           `json:"ok"`
	SessionID         string         `json:"session_id"`
	Signatures        []string       `json:"signatures"` // the conditions that it showed, sorted
	Resolved          bool           `json:"resolved"`   // it said something of the session
	Posted            bool           `json:"posted"`     // a notice was put into the mailbox
	Held              bool           `json:"held"`       // the circuit breaker held its notice back
	Recovered         bool           `json:"recovered"`
	Severity          workspace.Text `json:"severity"` // of the notice; null without one
	NoticeID          workspace.Text `json:"notice_id"`
	CaseID            workspace.Text `json:"case_id"` // the failure case that was captured
	ValidationStarted bool           `json:"validation_started"`
	Warnings          []string       `json:"warnings"`
}

// Observer handles reports one after the other and remembers between them what
// it read, so that a stream costs little. It is for one goroutine.
type Observer struct {
	engine   *Engine
	dry      bool
	sessions map[string]*sessionState
	trials   trialCache
	breaker  *breakerState // as the report under way leaves it; nil = as it was
}

// NewObserver returns an Observer of the engine's workspace.
func (e *Engine) NewObserver() *Observer {
	return &Observer{engine: e, sessions: map[string]*sessionState{}}
}

// NotObserved is the answer to a report under `validate --check`, where nothing
// is written and nothing is derived.
func NotObserved(r Report) Observation {
	return Observation{OK: true, SessionID: r.SessionID, Signatures: []string{}, Warnings: append([]string{}, r.Warnings...)}
}

// WriteNothing makes the observer answer every report with NotObserved.
func (o *Observer) WriteNothing() { o.dry = true }

// Observe handles reports in order, under one lock (docs/closed-loop.md, "What
// observing does"). The answers are in the order of the reports. On an error
// the answers say which reports were handled before it; there are none when it
// is a *workspace.UnsyncedError, for an answer says that its report is on disk.
func (o *Observer) Observe(ctx context.Context, reports []Report) (answers []Observation, err error) {
	defer func() { o.redactWarnings(answers) }()
	if o.dry {
		for _, r := range reports {
			answers = append(answers, NotObserved(r))
		}
		return answers, nil
	}
	err = o.engine.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		if err := o.trials.refresh(o.engine, tx); err != nil {
			return err
		}
		for _, r := range reports {
			var answer Observation
			err := tx.Atomically(func() (err error) {
				answer, err = o.observe(tx, r)
				return err
			})
			if err != nil {
				o.forget()
				return err
			}
			answers = append(answers, answer)
		}
		o.engine.renderIfStale(tx)
		return nil
	})
	var unsynced *workspace.UnsyncedError
	if errors.As(err, &unsynced) {
		answers = nil
	}
	return answers, err
}

// redactWarnings is there because they name what was not understood.
func (o *Observer) redactWarnings(answers []Observation) {
	for _, answer := range answers {
		for i, warning := range answer.Warnings {
			answer.Warnings[i] = o.engine.Redact(warning)
		}
	}
}

// WantsRound tells whether the reports handled so far call for a background
// round: there are candidates, and nothing forbids it.
func (o *Observer) WantsRound() bool {
	e := o.engine
	return e.Config.AutoValidate && e.Config.RuleValidation && !e.InReplay && len(o.trials.open) > 0
}

// forget drops what is remembered, after a failure left it uncertain.
func (o *Observer) forget() {
	o.sessions = map[string]*sessionState{}
	o.trials = trialCache{}
	o.breaker = nil
}

func (o *Observer) observe(tx *workspace.Tx, r Report) (Observation, error) {
	answer := NotObserved(r)
	line := workspace.SessionLine{SessionID: r.SessionID, ScoreTS: r.TS, TurnIndex: r.TurnIndex, RunID: r.RunID, Scores: lineScores(r), Replay: o.engine.InReplay}
	if !r.resolved() {
		line.Unresolved = true
		_, _, err := tx.AppendSession(line)
		return answer, err
	}
	session, err := o.session(tx, r.SessionID)
	if err != nil {
		return answer, err
	}
	signatures, averages := session.read(r, o.engine.Config)
	line.Signatures, line.EWMA = signatures, averages
	answer.Resolved = true
	answer.Signatures = signatures
	if !o.engine.InReplay {
		if err := o.handle(tx, session, r, &line, &answer); err != nil {
			return answer, err
		}
	}
	// Last of all: a report whose line is there was handled wholly.
	kept, size, err := tx.AppendSession(line)
	if err == nil {
		session.took(kept, size, o.engine.Config)
		err = o.keepBreaker(tx)
	}
	return answer, err
}

// handle does what a live report calls for: the open trials observe, and the
// gate decides on a notice.
func (o *Observer) handle(tx *workspace.Tx, session *sessionState, r Report, line *workspace.SessionLine, answer *Observation) error {
	if err := o.trials.observe(tx, r.SessionID, line.Signatures); err != nil {
		return err
	}
	decision := session.gate.next(line.Signatures, o.engine.Config.AlertCooldownTurns)
	switch {
	case decision.Recovered:
		return o.recover(tx, r, answer)
	case decision.Post:
		return o.alert(tx, session, r, line, answer)
	}
	return nil
}

func (o *Observer) recover(tx *workspace.Tx, r Report, answer *Observation) error {
	answer.Recovered = true
	if _, err := tx.Journal(workspace.Event{Type: EventRecovery, SessionID: r.SessionID}, nil); err != nil {
		return err
	}
	if !o.engine.Config.ObserveOnly {
		o.breaker = &breakerState{}
	}
	return nil
}

func lineScores(r Report) map[string]*float64 {
	if !r.HasScores {
		return nil
	}
	scores := map[string]*float64{}
	for _, s := range r.Scores {
		scores[s.Name] = s.Value
	}
	return scores
}

// summary tells a notice in one line.
func summary(metrics []workspace.NoticeMetric, signatures, traces []string) string {
	var parts []string
	for _, m := range metrics {
		part := fmt.Sprintf("%s=%s [%s", m.Name, num(*m.Value), strings.Join(m.Conditions, ", "))
		if slices.Contains(m.Conditions, "breach") {
			part += ", threshold " + num(*m.Threshold)
		}
		parts = append(parts, part+"]")
	}
	if len(parts) == 0 {
		parts = signatures
	}
	text := strings.Join(parts, "; ")
	if len(traces) > 0 {
		text += "; flagged traces: " + strings.Join(traces, ", ")
	}
	return text
}
