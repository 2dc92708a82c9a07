package lifecycle

import (
	"slices"
	"sync"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// redaction keeps the redactor of the patterns that were configured last, whose
// compiled form is dear.
type redaction struct {
	mu       sync.Mutex
	patterns []string
	redactor workspace.Redactor
}

// Redact takes out of a text what the configured patterns match. The engine does
// that itself with all that it writes (docs/workspace.md, "Redaction"); what a
// caller writes elsewhere, as into a report for CI, is for the caller.
func (e *Engine) Redact(text string) string { return e.redactor().Text(text) }

func (e *Engine) redactor() workspace.Redactor {
	if len(e.Config.RedactPatterns) == 0 {
		return workspace.Redactor{}
	}
	r := &e.redaction
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(r.patterns, e.Config.RedactPatterns) {
		r.patterns = slices.Clone(e.Config.RedactPatterns)
		r.redactor = e.Config.Redactor()
	}
	return r.redactor
}
