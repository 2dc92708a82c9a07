package platform

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
)

// The program's exit statuses.
const (
	exitGeneral    = 1
	exitAuth       = 2
	exitNotFound   = 3
	exitValidation = 4
	exitAPI        = 5
)

// classify tells how a call failed; nil means that it did not. The table stands in docs/platform.md.
func classify(out replayexec.Output, complaint []byte) *Error {
	switch {
	case out.TimedOut:
		return &Error{Class: Timeout, Message: "the platform client did not end and was stopped"}
	case out.Overflow:
		return &Error{Class: Malformed, Message: fmt.Sprintf("the answer is larger than %d MiB", maxAnswer>>20)}
	case out.Signal != "":
		return &Error{Class: Killed, Message: "by " + out.Signal}
	case out.ExitCode == 0:
		return nil
	}
	e := &Error{Class: Other, ExitCode: out.ExitCode}
	said, err := parseComplaint(complaint)
	if err != nil {
		// A crashed Go program ends with 2 as well, so without the document the status says nothing.
		e.Message = fmt.Sprintf("exit status %d: %s", out.ExitCode, cmp.Or(out.StderrTail, "it said nothing"))
		return e
	}
	e.Status, e.Message = said.Status, said.Message
	switch out.ExitCode {
	case exitGeneral:
		e.Class = withoutAnswer(said.Message)
	case exitAuth:
		e.Class = Auth
	case exitNotFound:
		e.Class = NotFound
	case exitValidation:
		e.Class = Invalid
		if said.Status == 0 {
			e.Class = Settings // refused before any request, and the other values are ours
		}
	case exitAPI:
		e.Class = byStatus(said.Status, said.Message)
	}
	return e
}

// withoutAnswer tells the failures that all end with 1 by the beginning of their message.
func withoutAnswer(message string) Class {
	switch {
	case strings.HasPrefix(message, "request to "), strings.HasPrefix(message, "read response body: "):
		// Both pass by themselves; telling a time-out apart only helps the reader.
		if strings.Contains(message, "deadline exceeded") || strings.Contains(message, "Client.Timeout") {
			return Timeout
		}
		return Network
	case strings.HasPrefix(message, "decode response: "):
		return Malformed
	}
	return Usage
}

func byStatus(status int, message string) Class {
	switch status {
	case 429:
		if strings.Contains(message, "Rate limit exceeded") {
			return RateLimited
		}
		return Quota
	case 500, 502, 503, 504:
		return Unavailable
	}
	return Other
}
