package replayexec

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Scorer runs the score command, which gives the scores of one session. Its
// fields are those of Replayer.
type Scorer Replayer

// Score runs the command once. The map may be empty: the session has no scores.
//
// Errors: *StartError for a fault of the set-up; *Inconclusive when there is no
// usable answer (timed_out, output_too_large, bad_scores, else scorer_failed);
// ctx.Err(), wrapped, when ctx ended it.
// The rules stand in docs/replay.md.
func (s Scorer) Score(ctx context.Context, sessionID string) (map[string]float64, error) {
	input, err := document(scoreRequest{Protocol: Protocol, SessionID: sessionID})
	if err != nil {
		return nil, fmt.Errorf("session id %q: %w", sessionID, err)
	}
	out, err := Replayer(s).run(ctx, "score command", input, "HARNESS_SESSION_ID="+sessionID)
	var fault *Inconclusive
	if errors.As(err, &fault) {
		fault.SessionID = sessionID
		if fault.Code != TimedOut && fault.Code != OutputTooLarge {
			fault.Code = ScorerFailed
		}
	}
	if err != nil {
		return nil, err
	}
	scores, err := parseScorerAnswer(out.Stdout)
	if err != nil {
		return nil, explain(err, "score command", out, sessionID)
	}
	return scores, nil
}

// scoreRequest is the document that the score command gets on standard input.
type scoreRequest struct {
	Protocol  int    `json:"protocol"`
	SessionID string `json:"session_id"`
}

// parseScorerAnswer reads what a score command printed: its last non-empty
// line, or all of it, is an object metric -> number. The error is an
// *Inconclusive with code and detail.
func parseScorerAnswer(stdout []byte) (map[string]float64, error) {
	text, line := lastLine(stdout)
	if len(line) == 0 {
		return nil, &Inconclusive{Code: ScorerFailed, Detail: "nothing was printed on standard output"}
	}
	var object jsontext.Value
	if err := decodeObject(text, line, &object); err != nil {
		return nil, &Inconclusive{Code: ScorerFailed, Detail: fmt.Sprintf("the answer is no JSON object: %v", err)}
	}
	return parseScores(object, nullIsAbsent)
}
