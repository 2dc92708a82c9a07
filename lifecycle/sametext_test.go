package lifecycle

import "testing"

func TestSameTextKey(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"Stop then ask.", "stop\tTHEN \u00a0 ask ; !", true},
		{"Pr\u00fcfe die Stra\u00dfe", "PR\u00dcFE DIE STRASSE.", true},
		{"Stop then ask", "Stop, then ask", false},
		{"Stop then ask.", "Stop then ask?", false},
		{"Stop then ask", ".Stop then ask", false},
		{"a. b", "a b", false},
	} {
		if got := sameTextKey(tt.a) == sameTextKey(tt.b); got != tt.same {
			t.Errorf("%q and %q: same = %v, want %v", tt.a, tt.b, got, tt.same)
		}
	}
}

func FuzzSameText(f *testing.F) {
	for _, text := range []string{"Stop, then ask. !", "\u0130\u00df\u1e9e\ufb03 \u03a3\u03c2", "a\u3000\u00a0b;,", "\xff .", "\u1f88\u0345", "\u13a0\uab70"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		key := sameTextKey(text)
		for _, other := range []string{key, " " + text + " ", text + " .!;, ", fold(text)} {
			if got := sameTextKey(other); got != key {
				t.Errorf("sameTextKey(%q) = %q, but %q for %q", other, got, key, text)
			}
		}
	})
}
