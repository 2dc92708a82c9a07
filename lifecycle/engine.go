package lifecycle

import (
	"context"
	"fmt"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/replayexec"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Agent runs the user's agent again for one eval case. CommandAgent runs a
// command; a Go program may bring its own.
type Agent interface {
	// Preflight says what keeps every replay from starting, before any is tried.
	Preflight() error
	// Replay runs the agent once. A *replayexec.Inconclusive is evidence of
	// nothing; any other error is a fault of the set-up or the end of ctx.
	Replay(ctx context.Context, req replayexec.Request, caseID, caseKind string) (replayexec.Answer, error)
}

// Scorer gives the scores of a session whose replay did not bring them. Its
// errors are those of Agent.Replay.
type Scorer interface {
	Score(ctx context.Context, sessionID string) (map[string]float64, error)
}

// Engine works on one workspace. The zero values of Agent and Scorer mean that
// there is no replay command and no way to score a session.
type Engine struct {
	Workspace *workspace.Workspace
	Config    workspace.Config
	Agent     Agent
	Scorer    Scorer
	Log       func(message string) // one line each, for people; nil = dropped
	InReplay  bool                 // this process runs inside a replay (docs/replay.md, "Inside a replay")

	redaction redaction
}

// CommandAgent is the Agent that runs the replay command.
type CommandAgent struct{ replayexec.Replayer }

// Preflight tells a command that cannot be started.
func (a CommandAgent) Preflight() error { return a.Command.Check(a.Dir, a.Env) }

// String names the command, so that a change of it is noticed.
func (a CommandAgent) String() string { return a.Command.String() }

func (e *Engine) log(message string) {
	if e.Log != nil {
		e.Log(message)
	}
}

// cleanText cleans a text and tells when it was cut.
func (e *Engine) cleanText(what, text string) string {
	cleaned := e.clean(text)
	if strings.HasSuffix(cleaned, truncationMark) && !strings.HasSuffix(text, truncationMark) {
		e.log(fmt.Sprintf("the %s was cut to %d characters (sanitize_max_len)", what, e.Config.SanitizeMaxLen))
	}
	return cleaned
}

// redacted redacts tags before they are case-folded, which no pattern expects.
func (e *Engine) redacted(tags []string) []string {
	clean := make([]string, len(tags))
	for i, tag := range tags {
		clean[i] = e.withoutSecrets(tag)
	}
	return clean
}

// clean makes a text from outside fit to be kept: redacted, then sanitized.
func (e *Engine) clean(text string) string {
	return sanitize(e.withoutSecrets(text), e.Config.SanitizeMaxLen)
}

// withoutSecrets redacts a text, and once more without the control characters
// that stand in it: they are not kept, and may have parted a secret.
func (e *Engine) withoutSecrets(text string) string {
	return e.Redact(stripControls(e.Redact(text)))
}
