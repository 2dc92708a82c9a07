package workspace

import "testing"

func TestNearest(t *testing.T) {
	commands := []string{"init", "rule", "context", "case", "observe", "validate", "drain", "regress", "calibrate", "notice",
		"journal", "reflect", "history", "tool", "config", "doctor", "import", "completion", "version"}
	tests := []struct {
		word, want string
		close      bool
	}{
		{"validte", "validate", true},
		{"valdiate", "validate", true},
		{"Rules", "rule", true},
		{"rul", "rule", true},
		{"calibration", "calibrate", true},
		{"cse", "case", true},
		{"jornal", "journal", true},
		{"", "init", false},
		{"xyzzy", "", false},
		{"frobnicate", "", false},
	}
	for _, test := range tests {
		got, close := Nearest(test.word, commands)
		if close != test.close || test.want != "" && got != test.want {
			t.Errorf("Nearest(%q) = %q, %v", test.word, got, close)
		}
	}
	if got, close := Nearest("x", nil); got != "" || close {
		t.Errorf("of nothing: %q, %v", got, close)
	}
}

// A knob with one letter left out, doubled or swapped with the next is told
// from all others.
func TestNearestKnobOfATypingError(t *testing.T) {
	for _, name := range knobNames() {
		for i := range len(name) - 1 {
			for _, typo := range []string{
				name[:i] + name[i+1:],
				name[:i+1] + name[i:],
				name[:i] + name[i+1:i+2] + name[i:i+1] + name[i+2:],
				name[:i] + "x" + name[i+1:],
			} {
				if got, close := Nearest(typo, knobNames()); got != name || !close {
					t.Errorf("%s: nearest is %s (%v), not %s", typo, got, close, name)
				}
			}
		}
	}
}
