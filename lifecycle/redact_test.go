package lifecycle_test

import (
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// TestAnEngineRedactsByItsConfigurationAlone: a program that uses the library
// need do nothing more than configure the patterns.
func TestAnEngineRedactsByItsConfigurationAlone(t *testing.T) {
	e := newEngine(t, nil)
	for _, test := range []struct {
		patterns []string
		want     string
	}{
		{nil, "the keys sk-1 and pk-2"},
		{[]string{"sk-[0-9]"}, "the keys [redacted] and pk-2"},
		{[]string{"sk-[0-9]", "pk-[0-9]"}, "the keys [redacted] and [redacted]"},
		{[]string{"pk-[0-9]"}, "the keys sk-1 and [redacted]"},
	} {
		e.Config.RedactPatterns = test.patterns
		if got := e.Redact("the keys sk-1 and pk-2"); got != test.want {
			t.Errorf("%q: got %q, want %q", test.patterns, got, test.want)
		}
		rule, _, err := e.AddRule(t.Context(), lifecycle.NewRule{Rule: test.want[:len(test.want)-1], Rationale: "the keys sk-1 and pk-2"})
		if err != nil || string(rule.Rationale) != test.want {
			t.Errorf("%q: kept %q, %v", test.patterns, rule.Rationale, err)
		}
	}
}
