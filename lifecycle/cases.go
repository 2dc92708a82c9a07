package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// AddCase captures a session as an eval case. Capturing is idempotent per
// session, kind and set of signatures: the case that is there already is
// returned with created false. At eval_case_max the oldest failures make room;
// when only wins are left the capture is refused (CodeRefused) and journaled
// (docs/replay.md, "The eval set"). An empty ID and CreatedAt are filled in.
func (e *Engine) AddCase(ctx context.Context, c workspace.Case) (kept workspace.Case, created bool, err error) {
	if c, err = e.prepareCase(c); err != nil {
		return c, false, err
	}
	err = e.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		kept, created, err = e.capture(tx, c)
		return err
	})
	return kept, created, err
}

// prepareCase redacts a case and fills in what it may leave out.
func (e *Engine) prepareCase(c workspace.Case) (workspace.Case, error) {
	if c.ID == "" {
		c.ID = workspace.NewCaseID()
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = workspace.NewTime(e.Workspace.Now())
	}
	c.Notes = e.clean(c.Notes)
	if err := c.Check(); err != nil {
		return c, err
	}
	input, err := e.redactor().JSON(c.ReplayInput)
	c.ReplayInput = input
	return c, err
}

// capture adds a prepared case under the lock.
func (e *Engine) capture(tx *workspace.Tx, c workspace.Case) (workspace.Case, bool, error) {
	cases, _, err := e.Workspace.Cases()
	if err != nil {
		return c, false, err
	}
	same := func(other workspace.Case) bool { return other.Identity() == c.Identity() }
	if i := slices.IndexFunc(cases, same); i >= 0 {
		return cases[i], false, nil
	}
	if slices.ContainsFunc(cases, func(other workspace.Case) bool { return other.ID == c.ID }) {
		return c, false, &workspace.Error{Code: workspace.CodeExists, Field: "id", Message: "case " + c.ID + " is another case; leave the id out to get a fresh one"}
	}
	evict, fits := e.makeRoom(cases)
	if !fits {
		return c, false, e.refuseCapture(tx, c)
	}
	err = tx.Atomically(func() error {
		if err := tx.PutCase(c); err != nil {
			return err
		}
		if _, err := tx.Journal(workspace.Event{Type: EventCapture, SessionID: c.SessionID}, captured(c, "")); err != nil {
			return err
		}
		return evictAll(tx, evict)
	})
	for _, old := range evict {
		if err == nil {
			e.log(fmt.Sprintf("case %s of session %s was evicted: the eval set may hold %d cases (eval_case_max)", old.ID, quote(old.SessionID), e.Config.EvalCaseMax))
		}
	}
	return c, err == nil, err
}

// makeRoom names the cases that must go so that one more fits.
func (e *Engine) makeRoom(cases []workspace.Case) (evict []workspace.Case, fits bool) {
	most := e.Config.EvalCaseMax
	if most == 0 {
		return nil, true
	}
	excess := len(cases) + 1 - most
	for _, c := range cases {
		if excess > len(evict) && c.Kind == workspace.Failure {
			evict = append(evict, c)
		}
	}
	return evict, len(evict) >= excess
}

// evictAll journals what goes before anything does, so that neither a crash nor
// a full disk loses a case unseen.
func evictAll(tx *workspace.Tx, cases []workspace.Case) error {
	for _, c := range cases {
		if _, err := tx.Journal(workspace.Event{Type: EventEvict, SessionID: c.SessionID}, captured(c, "cap")); err != nil {
			return err
		}
	}
	for _, c := range cases {
		if err := tx.RemoveCase(c.ID); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) refuseCapture(tx *workspace.Tx, c workspace.Case) error {
	data := captured(c, "")
	data.Skipped = "cap"
	if _, err := tx.Journal(workspace.Event{Type: EventCapture, SessionID: c.SessionID}, data); err != nil {
		return err
	}
	return workspace.Errorf(workspace.CodeRefused,
		"the eval set may hold %d cases (eval_case_max), and there are not enough failures that could make room; remove a win or raise the cap", e.Config.EvalCaseMax)
}

type captureEvent struct {
	CaseID     string   `json:"case_id"`
	Kind       string   `json:"kind"`
	Signatures []string `json:"signatures"`
	Replayable bool     `json:"replayable"`
	Reason     string   `json:"reason,omitempty"`
	Skipped    string   `json:"skipped,omitempty"`
}

func captured(c workspace.Case, reason string) captureEvent {
	return captureEvent{CaseID: c.ID, Kind: c.Kind, Signatures: slices.Concat([]string{}, c.Signature), Replayable: c.Replayable(), Reason: reason}
}

// AttachCase gives a case its replay input, any JSON value but null.
func (e *Engine) AttachCase(ctx context.Context, id string, input jsontext.Value) (c workspace.Case, err error) {
	if input.Kind() == 'n' || len(input) == 0 {
		return c, &workspace.Error{Code: workspace.CodeBadInput, Field: "replay_input", Message: "is null; give any other JSON value"}
	}
	if input, err = e.redactor().JSON(input); err != nil {
		return c, err
	}
	err = e.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		if c, err = e.Workspace.Case(id); err != nil {
			return err
		}
		c.ReplayInput = input
		return tx.Atomically(func() error { return tx.PutCase(c) })
	})
	return c, err
}

// Cases returns the eval set, oldest first; kind "" takes both kinds.
func (e *Engine) Cases(kind string) ([]workspace.Case, error) {
	cases, _, err := e.Workspace.Cases()
	return slices.DeleteFunc(cases, func(c workspace.Case) bool { return kind != "" && c.Kind != kind }), err
}

// RemoveCase removes a case from the eval set, whatever its kind, and journals
// that first.
func (e *Engine) RemoveCase(ctx context.Context, id string) (c workspace.Case, err error) {
	err = e.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		if c, err = e.Workspace.Case(id); err != nil {
			return err
		}
		return tx.Atomically(func() error {
			if _, err := tx.Journal(workspace.Event{Type: EventRemove, SessionID: c.SessionID}, captured(c, "")); err != nil {
				return err
			}
			return tx.RemoveCase(id)
		})
	})
	return c, err
}
