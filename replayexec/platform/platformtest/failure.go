package platformtest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Exit statuses of the real program.
const (
	exitGeneral    = 1
	exitAuth       = 2
	exitNotFound   = 3
	exitValidation = 4
	exitAPI        = 5
)

// requestID stands for the platform's id of a request, as in the recordings.
const requestID = "00000000-0000-4000-8000-000000000000"

// failure is an end with an error document on standard error.
type failure struct {
	code    int
	message string
	status  int // HTTP status; 0 when the platform did not answer
	details []detail
}

func (f *failure) Error() string { return f.message }

func failf(code int, format string, args ...any) error {
	return &failure{code: code, message: fmt.Sprintf(format, args...)}
}

// spoken is an end with exactly these streams, whatever the real program would print.
type spoken struct {
	stdout, stderr string
	code           int
}

func (*spoken) Error() string { return "scripted output" }

type detail struct {
	Loc  jsontext.Value `json:"loc,omitzero"`
	Msg  string         `json:"msg"`
	Type string         `json:"type,omitzero"`
}

type errorBody struct {
	Code      string   `json:"code"`
	Message   string   `json:"message"`
	Status    int      `json:"status,omitzero"`
	RequestID string   `json:"request_id,omitzero"`
	Details   []detail `json:"details,omitempty"`
}

type errorDocument struct {
	Error errorBody `json:"error"`
}

func (f *failure) document() errorDocument {
	body := errorBody{Code: "error", Message: f.message, Status: f.status, Details: f.details}
	switch f.code {
	case exitAuth:
		body.Code = "auth_error"
	case exitNotFound:
		body.Code = "not_found"
	case exitValidation:
		body.Code = "validation_error"
	case exitAPI:
		body.Code = "api_error"
	}
	if f.status != 0 {
		body.RequestID = requestID
	}
	return errorDocument{body}
}

// refused is what the program makes of an HTTP status that is no success, and its body.
func refused(status int, body string) error {
	f := &failure{code: exitAPI, status: status}
	switch status {
	case 401, 403:
		f.code = exitAuth
	case 404:
		f.code = exitNotFound
	case 400, 422:
		f.code = exitValidation
	}
	var answer struct {
		Detail jsontext.Value `json:"detail"`
	}
	var text string
	_ = json.Unmarshal([]byte(body), &answer) // a body of another kind is the message as it is
	switch {
	case json.Unmarshal(answer.Detail, &f.details) == nil && len(f.details) > 0:
		f.message = fmt.Sprintf("validation error (HTTP %d): [%s]: %s", status, place(f.details[0].Loc), f.details[0].Msg)
		return f
	case json.Unmarshal(answer.Detail, &text) == nil:
		body = text
	}
	f.message = fmt.Sprintf("%s (HTTP %d)", body, status)
	if body == "" {
		f.message = fmt.Sprintf("request failed with HTTP %d", status)
	}
	return f
}

// place is the path of a refused value, its parts separated by spaces.
func place(loc jsontext.Value) string {
	var parts []any
	_ = json.Unmarshal(loc, &parts) // a place of another kind is none
	words := make([]string, len(parts))
	for i, part := range parts {
		words[i] = fmt.Sprint(part)
	}
	return strings.Join(words, " ")
}

// render gives a value as the real program prints it: indented by two, null for a missing list, a newline at the end.
func render(value any) []byte {
	var out bytes.Buffer
	if err := json.MarshalWrite(&out, value, jsontext.WithIndent("  "), json.FormatNilSliceAsNull(true)); err != nil {
		panic(err) // only our own types and valid raw values come here
	}
	return append(out.Bytes(), '\n')
}
