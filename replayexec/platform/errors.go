package platform

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Class says what kind of failure an Error is. Its text serves as a reason code; docs/platform.md lists what each means and
// which are asked again.
type Class string

// Faults of the set-up: every call fails in the same way until a person mends it. See IsSetup.
const (
	Missing  Class = "missing"  // the program is not there or cannot be executed
	Auth     Class = "auth"     // no key, or the platform refused it (HTTP 401, 403)
	Settings Class = "settings" // the program refuses its settings: project, endpoint, format, settings file
	Usage    Class = "usage"    // the program does not understand the call; it is of another version, or HOME is not set
)

// Failures of a single question.
const (
	NotFound    Class = "not_found"    // HTTP 404
	Invalid     Class = "invalid"      // HTTP 400 or 422, or an argument that this package refuses
	RateLimited Class = "rate_limited" // HTTP 429: too many calls a minute
	Quota       Class = "quota"        // HTTP 429: the plan's quota is used up
	Unavailable Class = "unavailable"  // HTTP 500, 502, 503, 504
	Network     Class = "network"      // no usable answer from the platform
	Timeout     Class = "timeout"      // no answer in time, from the platform or the program
	Malformed   Class = "malformed"    // an answer that is none
	Killed      Class = "killed"       // the program died by a signal
	Other       Class = "other"        // anything else
)

// Evaluations that say nothing about a session.
const (
	RunFailed   Class = "run_failed"   // the run ended as FAILED
	NoScores    Class = "no_scores"    // the run ended without a usable score
	NotFinished Class = "not_finished" // the run had not ended after the last look at it, or within the bound
)

// Error is why a question has no answer.
type Error struct {
	Class    Class
	Call     string // the command, such as "evals runs get"; "" when none was made
	ExitCode int    // of the program; 0 when it says nothing
	Status   int    // HTTP status; 0 when the platform did not answer
	Message  string // what was said, one line of at most 300 characters
	Tries    int    // calls made for this question
	RunID    string // the evaluation run concerned, when there is one
	cause    error
}

// Error puts it in one line: the call, what happened, what was said, and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Call != "" {
		fmt.Fprintf(&b, "pandaprobe %s: ", e.Call)
	}
	text := texts[e.Class]
	b.WriteString(text.what)
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	if e.Tries > 1 {
		fmt.Fprintf(&b, " (after %d tries)", e.Tries)
	}
	if text.advice != "" {
		fmt.Fprintf(&b, "; %s", text.advice)
	}
	return b.String()
}

// Unwrap gives the cause, such as a *replayexec.StartError.
func (e *Error) Unwrap() error { return e.cause }

// Transient says whether the failure may pass by itself, so that the same question is worth asking again.
func (e *Error) Transient() bool {
	switch e.Class {
	case RateLimited, Unavailable, Network, Timeout, Malformed:
		return true
	}
	return false
}

// IsSetup says whether err is a fault of the set-up (a missing program, a refused key), which fails every call alike and says
// nothing about what was asked.
func IsSetup(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Class {
	case Missing, Auth, Settings, Usage:
		return true
	}
	return false
}

// texts say what a class means to a person, and what to do about it.
var texts = map[Class]struct{ what, advice string }{
	Missing:     {"the platform client cannot be started", "install pandaprobe, or set cli_binary to its path"},
	Auth:        {"signing in to the platform failed", "set PANDAPROBE_API_KEY, or run `pandaprobe auth login`"},
	Settings:    {"the platform client refuses its settings", "see `pandaprobe auth status` and the PANDAPROBE_* variables"},
	Usage:       {"the platform client does not understand the call", "check its version with `pandaprobe version`"},
	NotFound:    {"not found on the platform", "check the id and the endpoint; a trace just sent may take a moment to appear"},
	Invalid:     {"refused as invalid", ""},
	RateLimited: {"too many calls", "try again in a minute"},
	Quota:       {"the plan's quota is used up", "raise the quota or wait for its renewal"},
	Unavailable: {"the platform is not available", "try again later"},
	Network:     {"the platform cannot be reached", "check the network, proxy and endpoint"},
	Timeout:     {"no answer in time", "try again later, or raise cli_timeout_s"},
	Malformed:   {"not a usable answer", "a proxy may stand in between, or the platform speaks another version"},
	Killed:      {"the platform client was killed", ""},
	Other:       {"the call failed", ""},
	RunFailed:   {"the evaluation run failed", "see it on the platform"},
	NoScores:    {"the evaluation run gave no usable score", "check that the session has traces"},
	NotFinished: {"the evaluation run has not finished", "raise poll_max_attempts or poll_interval_s"},
}

// maxMessage is the length of Error.Message in characters. An answer may be a whole HTML page.
const maxMessage = 300

// keyPattern is the form of the platform's keys, which a proxy's page may echo.
var keyPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`sk_[A-Za-z0-9_-]{6,}`) })

// oneLine cuts what another program said to one line that shows no key and no control character.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	runes := []rune(keyPattern().ReplaceAllString(text, "sk_..."))
	if len(runes) > maxMessage {
		return string(runes[:maxMessage-3]) + "..."
	}
	return string(runes)
}
