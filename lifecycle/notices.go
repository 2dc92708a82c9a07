package lifecycle

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// SeverityNeedsHuman is that of the one notice that stands for a flood.
const SeverityNeedsHuman = "needs_human"

// alert posts a notice on a report that showed something new, unless the
// circuit breaker holds it back.
func (o *Observer) alert(tx *workspace.Tx, session *sessionState, r Report, line *workspace.SessionLine, answer *Observation) error {
	e := o.engine
	severity := severityOf(line.Signatures)
	if !e.Config.ObserveOnly {
		switch o.askBreaker() {
		case breakerHold:
			line.Held, answer.Held = true, true
			session.gate.held()
			return nil
		case breakerNeedsHuman:
			severity = SeverityNeedsHuman
		}
	}
	notice := e.newNotice(r, line.Signatures, severity)
	if err := e.post(tx, notice); err != nil {
		return err
	}
	line.NoticeID = notice.ID
	answer.Posted, answer.NoticeID, answer.Severity = !e.Config.ObserveOnly, workspace.Text(notice.ID), workspace.Text(severity)
	return o.captureFailure(tx, r, notice, answer)
}

func (e *Engine) newNotice(r Report, signatures []string, severity string) workspace.Notice {
	now := e.Workspace.Now()
	metrics := e.noticeMetrics(r, signatures)
	traces := slices.Clone(r.FlaggedTraces)
	for i, trace := range traces {
		traces[i] = e.clean(trace)
	}
	return workspace.Notice{
		ID:              workspace.NewNoticeID(now),
		CreatedAt:       workspace.NewTime(now),
		SessionID:       r.SessionID,
		TurnIndex:       r.TurnIndex,
		Severity:        severity,
		Status:          workspace.Pending,
		Summary:         e.clean(summary(metrics, signatures, traces)),
		Signatures:      signatures,
		Metrics:         metrics,
		FlaggedTraces:   traces,
		SignalBreakdown: r.signals(e.redactor()),
	}
}

// noticeMetrics describes the metrics of the report that showed a condition.
func (e *Engine) noticeMetrics(r Report, signatures []string) []workspace.NoticeMetric {
	metrics := []workspace.NoticeMetric{}
	for _, s := range r.Scores {
		var conditions []string
		for _, condition := range []string{"breach", "relative", "trend", "percentile"} {
			if slices.Contains(signatures, signatureOf(condition, s.Name)) {
				conditions = append(conditions, condition)
			}
		}
		if s.Value == nil || conditions == nil {
			continue
		}
		threshold := e.Config.Threshold(s.Name)
		metrics = append(metrics, workspace.NoticeMetric{Name: s.Name, Value: s.Value, Threshold: &threshold, Reason: e.clean(s.Reason), Conditions: conditions})
	}
	return metrics
}

type noticeEvent struct {
	NoticeID        string                               `json:"notice_id"`
	Severity        string                               `json:"severity"`
	Signatures      []string                             `json:"signatures"`
	Metrics         []workspace.NoticeMetric             `json:"metrics"`
	FlaggedTraces   []string                             `json:"flagged_traces"`
	SignalBreakdown map[string]map[string]jsontext.Value `json:"signal_breakdown"`
	Summary         string                               `json:"summary"`
	TurnIndex       *int64                               `json:"turn_index"`
	ObserveOnly     bool                                 `json:"observe_only"`
}

// post journals the notice, then puts it into the mailbox, which shadow mode
// leaves alone.
func (e *Engine) post(tx *workspace.Tx, n workspace.Notice) error {
	_, err := tx.Journal(workspace.Event{Type: EventNotice, SessionID: n.SessionID}, noticeEvent{
		NoticeID: n.ID, Severity: n.Severity, Signatures: n.Signatures, Metrics: n.Metrics, FlaggedTraces: n.FlaggedTraces,
		SignalBreakdown: n.SignalBreakdown, Summary: n.Summary, TurnIndex: n.TurnIndex, ObserveOnly: e.Config.ObserveOnly,
	})
	if err != nil || e.Config.ObserveOnly {
		return err
	}
	return tx.PutNotice(n)
}

// captureFailure keeps a breaching session as a failure case. A full eval set
// is said in the answer and loses no observation.
func (o *Observer) captureFailure(tx *workspace.Tx, r Report, n workspace.Notice, answer *Observation) error {
	e := o.engine
	if !e.Config.CaptureEvalCases || e.Config.ObserveOnly || n.Severity != "breach" {
		return nil
	}
	c, err := e.prepareCase(workspace.Case{
		SessionID: r.SessionID, Kind: workspace.Failure, Signature: n.Signatures, BaselineScores: r.values(),
		ReplayInput: r.ReplayInput, Notes: n.Summary,
	})
	if err != nil {
		return err
	}
	kept, created, err := e.capture(tx, c)
	switch {
	case workspace.CodeOf(err) == workspace.CodeRefused:
		answer.Warnings = append(answer.Warnings, "no case was captured: "+err.Error())
		return nil
	case err == nil && created:
		answer.CaseID = workspace.Text(kept.ID)
	}
	return err
}

// breakerMark holds the circuit breaker of this clone.
const breakerMark = "breaker"

func (e *Engine) breaker() breakerState { return parseBreaker(e.Workspace.Mark(breakerMark)) }

// parseBreaker takes a mark that is missing or torn for a closed breaker.
func parseBreaker(mark string) breakerState {
	var b breakerState
	if mark == "" || json.Unmarshal([]byte(mark), &b) != nil {
		return breakerState{}
	}
	return b
}

// askBreaker decides on a notice that is due. What it comes to is kept with the
// report, and not before: a report that fails has told nobody anything.
func (o *Observer) askBreaker() breakerDecision {
	b, cfg := o.engine.breaker(), o.engine.Config
	decision := b.admit(workspace.NewTime(o.engine.Workspace.Now()), cfg.CircuitBreakerMaxNotices, cfg.CircuitBreakerWindowS)
	o.breaker = &b
	return decision
}

func (o *Observer) keepBreaker(tx *workspace.Tx) error {
	if o.breaker == nil {
		return nil
	}
	b := *o.breaker
	o.breaker = nil
	return o.engine.putBreaker(tx, b)
}

func (e *Engine) putBreaker(tx *workspace.Tx, b breakerState) error {
	note, err := json.Marshal(b, json.Deterministic(true))
	if err != nil {
		return err
	}
	return tx.PutMark(breakerMark, string(note))
}
