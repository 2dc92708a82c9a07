package platform

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The program prints the fields that it knows, and "", 0 or null for one that the platform did not send. So each parser checks
// what its caller needs: exit status 0 alone is no answer.

// evalRun is an evaluation run as it stands.
type evalRun struct {
	ID           string  `json:"id"`
	Status       string  `json:"status"`
	ErrorMessage *string `json:"error_message"`
}

func parseRun(text []byte) (evalRun, error) {
	var run evalRun
	if err := unmarshal(text, &run); err != nil {
		return evalRun{}, err
	}
	if run.ID == "" {
		return evalRun{}, errors.New("a run without an id")
	}
	return run, nil
}

// sessionScore is a score as the platform gives it, see Score for a usable one.
type sessionScore struct {
	ID        string  `json:"id"`
	SessionID string  `json:"session_id"`
	Name      string  `json:"name"`
	DataType  string  `json:"data_type"`
	Value     *string `json:"value"`
	Status    string  `json:"status"`
	EvalRunID *string `json:"eval_run_id"`
	Reason    *string `json:"reason"`
	CreatedAt string  `json:"created_at"`
}

// parseScores reads a bare list of scores; null is an empty one.
func parseScores(text []byte) ([]sessionScore, error) {
	var scores []sessionScore
	if err := unmarshal(text, &scores); err != nil {
		return nil, err
	}
	return scores, nil
}

// scorePage is one page of the list of scores.
type scorePage struct {
	Items      []sessionScore `json:"items"`
	Pagination struct {
		Total  int `json:"total"`
		Limit  int `json:"limit"`
		Offset int `json:"offset"`
	} `json:"pagination"`
}

func parsePage(text []byte) (scorePage, error) {
	var page scorePage
	if err := unmarshal(text, &page); err != nil {
		return scorePage{}, err
	}
	at := page.Pagination
	if at.Limit <= 0 || at.Total < 0 || at.Offset < 0 {
		return scorePage{}, fmt.Errorf("a page of limit %d, offset %d, total %d", at.Limit, at.Offset, at.Total)
	}
	return page, nil
}

// complaint is the error document of a failed call.
type complaint struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

func parseComplaint(text []byte) (complaint, error) {
	var document struct {
		Error complaint `json:"error"`
	}
	if err := unmarshal(text, &document); err != nil {
		return complaint{}, err
	}
	if document.Error.Code == "" {
		return complaint{}, errors.New("an error document without a code")
	}
	return document.Error, nil
}

// parseTrace takes a trace as it is.
func parseTrace(text []byte) (jsontext.Value, error) {
	var trace struct {
		ID string `json:"trace_id"`
	}
	if err := unmarshal(text, &trace); err != nil {
		return nil, err
	}
	if trace.ID == "" {
		return nil, errors.New("a trace without an id")
	}
	return withoutBOM(text), nil
}

// parseList takes a list as it is; null is an empty one.
func parseList(text []byte) (jsontext.Value, error) {
	var items []jsontext.Value
	if err := unmarshal(text, &items); err != nil {
		return nil, err
	}
	if items == nil {
		return jsontext.Value("[]"), nil
	}
	return withoutBOM(text), nil
}

func unmarshal(text []byte, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("nothing on standard output")
	}
	return json.Unmarshal(withoutBOM(text), into)
}

func withoutBOM(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }
