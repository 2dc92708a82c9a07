package platformtest

import (
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Fault is something that goes wrong with the calls that it matches, the first of a scenario's faults that fits. Kinds:
//
//	status     the platform answers with an HTTP status, with Body or a usual one
//	body       status 200 (or Status) with this Body
//	malformed  status 200, no JSON; empty: no body
//	truncated, drop, reset, refused: the connection breaks
//	delay      the answer starts after DelayS, stall: ends after it; a time-out when that is the program's limit or more
//	hang       the program never ends, whatever its limit
//	output     the program prints Stdout and Stderr and ends with ExitCode
//	killed     the program dies by a signal of its own (Windows: exit status 1)
type Fault struct {
	Endpoint      string         `json:"endpoint"` // runs.batch, runs.get, runs.scores, scores.list, scores.get, traces.get; "" or "*": any
	Target        string         `json:"target"`   // session or trace; "": any
	ID            string         `json:"id"`       // "": any
	Skip          int            `json:"skip"`     // calls spared first
	Times         *int           `json:"times"`    // calls struck then; nil = 1, negative = all
	Processed     bool           `json:"processed"`
	DelayS        float64        `json:"delay_s"`
	Kind          string         `json:"kind"` // "" = status
	Status        int            `json:"status"`
	Body          jsontext.Value `json:"body"` // a text stands for itself
	ClientMessage string         `json:"client_message"`
	Stdout        string         `json:"stdout"`
	Stderr        string         `json:"stderr"`
	ExitCode      int            `json:"exit_code"`
}

// pick gives the fault that strikes this call, nil for none, and counts.
func (s *state) pick(faults []Fault, endpoint, target string, ids []string) *Fault {
	for i := range faults {
		f := &faults[i]
		if or(f.Endpoint, "*") != "*" && f.Endpoint != endpoint || or(f.Target, target) != target ||
			f.ID != "" && !slices.Contains(ids, f.ID) {
			continue
		}
		times := 1
		if f.Times != nil {
			times = *f.Times
		}
		count := s.Faults[strconv.Itoa(i)]
		count[0]++
		strikes := count[0] > f.Skip && (times < 0 || count[1] < times)
		if strikes {
			count[1]++
		}
		s.Faults[strconv.Itoa(i)] = count
		if strikes {
			return f
		}
	}
	return nil
}

// carriedOut says whether the platform does what was asked although the fault strikes.
func (f *Fault) carriedOut() bool {
	return f == nil || f.Processed || slices.Contains([]string{"delay", "stall", "truncated"}, f.Kind)
}

// strike plays the fault's waiting and its failures; nil when an answer comes through all the same.
func (f *Fault) strike(p *program, c call, limit time.Duration) error {
	delay := time.Duration(f.DelayS * float64(time.Second))
	p.sleep(min(delay, limit))
	switch {
	case delay >= limit && f.Kind == "stall":
		return failf(exitGeneral, "read response body: context deadline exceeded (Client.Timeout or context cancellation while "+
			"reading body)")
	case delay >= limit:
		return c.broken("context deadline exceeded (Client.Timeout exceeded while awaiting headers)")
	case f.ClientMessage != "":
		return failf(exitGeneral, "%s", f.ClientMessage)
	}
	switch f.Kind {
	case "drop":
		return c.broken("EOF")
	case "reset":
		return c.broken("read tcp " + c.host() + "->" + c.host() + ": read: connection reset by peer")
	case "refused":
		return c.broken("dial tcp " + c.host() + ": connect: connection refused")
	case "truncated":
		return failf(exitGeneral, "read response body: unexpected EOF")
	case "output":
		return &spoken{stdout: f.Stdout, stderr: f.Stderr, code: f.ExitCode}
	case "hang", "killed":
		return p.vanish(f.Kind == "hang")
	case "", "status", "body", "malformed", "empty", "delay", "stall":
		return nil
	}
	return cannotf("scenario: fault kind %q", f.Kind)
}

// vanish notes the call, since it will not come to its end, and hangs or dies.
func (p *program) vanish(hang bool) error {
	if err := p.note(-1); err != nil {
		return err
	}
	for hang {
		p.sleep(time.Hour)
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	p.sleep(time.Minute)
	return err
}

// answer gives the HTTP status and body of the fault; ok is false when it has none.
func (f *Fault) answer() (status int, body string, ok bool) {
	if f == nil || !slices.Contains([]string{"", "status", "body", "malformed", "empty"}, f.Kind) {
		return 0, "", false
	}
	status, body = f.Status, usualBody(f.Status)
	if f.Kind != "" && f.Kind != "status" {
		status, body = max(f.Status, 200), ""
	}
	if f.Kind == "malformed" {
		body = "<html>this is not json</html>"
	}
	if f.Body != nil && json.Unmarshal(f.Body, &body) != nil {
		body = string(f.Body)
	}
	return status, body, true
}

// usualBody is what the platform, or the proxy in front of it, sends with a status.
func usualBody(status int) string {
	bodies := map[int]string{
		400: `{"detail":"Bad request."}`,
		401: `{"detail":"Invalid or revoked API key."}`,
		402: `{"detail":"Payment required."}`,
		403: `{"detail":"Insufficient permissions."}`,
		404: `{"detail":"Resource not found."}`,
		409: `{"detail":"Resource conflict."}`,
		422: `{"detail":"Validation error"}`,
		429: `{"error":"Rate limit exceeded: 50 per 1 minute"}`,
		500: `Internal Server Error`,
		502: `<html><head><title>502 Bad Gateway</title></head></html>`,
		503: `<html><head><title>503 Service Temporarily Unavailable</title></head></html>`,
		504: `<html><head><title>504 Gateway Time-out</title></head></html>`,
	}
	return or(bodies[status], `{"detail":"status `+strconv.Itoa(status)+`"}`)
}
