package platform

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Evaluation is what a run found out about one session.
type Evaluation struct {
	RunID  string
	Scores map[string]float64 // by metric, 0 to 1; never a metric without a usable score
	Absent map[string]string  // metrics without one, and why
}

// Evaluate has the platform score a session: it starts a run, looks at the run itself until it is COMPLETED or FAILED, and reads
// its scores once. It takes at most EvaluateBound. The run is started again only after a rate limit, since a lost answer may
// hide a run that exists and is billed.
//
// Errors: ctx's, or *Error; then the session has no score of this run, which says nothing about the session. Those of class
// RunFailed, NoScores and NotFinished name the run. IsSetup tells the faults that every session would meet. The rules stand in
// docs/platform.md.
func (c *Client) Evaluate(ctx context.Context, sessionID string, metrics []string) (Evaluation, error) {
	if err := checkTarget(sessionID, metrics); err != nil {
		return Evaluation{}, err
	}
	var e Evaluation
	over := &Error{Class: NotFinished, Message: fmt.Sprintf("not within %v", c.EvaluateBound())}
	err := within(ctx, c.EvaluateBound()-callGrace, over, func(ctx context.Context) (err error) {
		if e.RunID, err = c.startRun(ctx, sessionID, metrics); err != nil {
			return err
		}
		if err = c.awaitRun(ctx, e.RunID); err != nil {
			return err
		}
		return c.readScores(ctx, &e, sessionID, metrics)
	})
	if failed := (*Error)(nil); errors.As(err, &failed) {
		failed.RunID = e.RunID
	}
	return e, err
}

func checkTarget(sessionID string, metrics []string) error {
	for _, text := range append([]string{sessionID}, metrics...) {
		if text == "" || strings.ContainsFunc(text, unicode.IsControl) {
			return &Error{Class: Invalid, Message: fmt.Sprintf(
				"session %q, metrics %q: an empty one or one with control characters cannot be passed on", sessionID, metrics)}
		}
	}
	if len(metrics) == 0 {
		return &Error{Class: Invalid, Message: "no metrics to evaluate; set session_metrics"}
	}
	return nil
}

func (c *Client) startRun(ctx context.Context, sessionID string, metrics []string) (string, error) {
	run, err := ask(ctx, c, question{
		command: "evals runs batch",
		args:    []string{"--target", "session", "--session-ids", csvList([]string{sessionID}), "--metrics", csvList(metrics)},
		repeat:  rateLimited,
	}, parseRun)
	return run.ID, err
}

// awaitRun returns when the run is COMPLETED. An unknown status is that of a run under way.
func (c *Client) awaitRun(ctx context.Context, id string) error {
	status := ""
	for n := range c.polls() {
		if n > 0 {
			if err := c.sleep(ctx, c.PollInterval); err != nil {
				return err
			}
		}
		run, err := c.lookAt(ctx, id)
		if err != nil {
			return err
		}
		switch status = run.Status; status {
		case "COMPLETED":
			return nil
		case "FAILED":
			message := fmt.Sprintf("run %q", id)
			if run.ErrorMessage != nil {
				message += ": " + *run.ErrorMessage
			}
			return &Error{Class: RunFailed, Message: oneLine(message)}
		}
	}
	return &Error{Class: NotFinished, Message: oneLine(fmt.Sprintf("run %q is %q after %d looks", id, status, c.polls()))}
}

func (c *Client) lookAt(ctx context.Context, id string) (evalRun, error) {
	q := question{command: "evals runs get", args: []string{"--target", "session", "--", id}, repeat: transient}
	return ask(ctx, c, q, func(text []byte) (evalRun, error) {
		run, err := parseRun(text)
		if err == nil && run.ID != id {
			err = fmt.Errorf("the run %q instead of %q", run.ID, id)
		}
		return run, err
	})
}

// readScores fills in the scores of a run that is over.
func (c *Client) readScores(ctx context.Context, e *Evaluation, sessionID string, metrics []string) error {
	q := question{command: "evals runs scores", args: []string{"--target", "session", "--", e.RunID}, repeat: transient}
	scores, err := ask(ctx, c, q, parseScores)
	if err != nil {
		return err
	}
	e.Scores, e.Absent = ofRun(scores, e.RunID, sessionID, metrics)
	if len(e.Scores) > 0 {
		return nil
	}
	var reasons []string
	for _, metric := range slices.Sorted(maps.Keys(e.Absent)) {
		reasons = append(reasons, metric+" "+e.Absent[metric])
	}
	return &Error{
		Class:   NoScores,
		Message: oneLine(fmt.Sprintf("run %q, session %q: %s", e.RunID, sessionID, strings.Join(reasons, ", "))),
	}
}

// ofRun gives the usable scores that a run gave one session, the newest of each metric, and why the other metrics have none.
func ofRun(scores []sessionScore, runID, sessionID string, metrics []string) (values map[string]float64, absent map[string]string) {
	newest, absent := map[string]Score{}, map[string]string{}
	for _, metric := range metrics {
		absent[metric] = "no score"
	}
	for _, s := range scores {
		if s.SessionID != sessionID {
			continue
		}
		score, left := s.usable()
		if left == "" && score.RunID != "" && score.RunID != runID {
			left = "of another run"
		}
		switch have, ok := newest[s.Name]; {
		case left != "":
			absent[s.Name] = left
			if s.Reason != nil && *s.Reason != "" {
				absent[s.Name] += ": " + oneLine(*s.Reason)
			}
		case !ok || score.newerThan(have):
			newest[s.Name] = score
		}
	}
	values = map[string]float64{}
	for metric, score := range newest {
		values[metric] = score.Value
		delete(absent, metric)
	}
	return values, absent
}
