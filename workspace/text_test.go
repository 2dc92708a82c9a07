package workspace

import "testing"

func TestTrimBOM(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "\xef\xbb\xbfa": "a", "\xef\xbb": "\xef\xbb", "a\xef\xbb\xbf": "a\xef\xbb\xbf"} {
		if got := string(TrimBOM([]byte(in))); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestConflictLine(t *testing.T) {
	tests := map[string]int{
		"":                             0,
		"<<<<<<< a\n":                  1,
		"a\n<<<<<<< a\n":               2,
		"a\r\n\r\n>>>>>>> a\r\n":       3,
		">>>>>>> a\nx\n<<<<<<< a\n":    1,
		"a <<<<<<< a\n":                0,
		"a\n=======\n":                 0,
		"<<<<<<<\n<<<<<< a\n >>>>>>> ": 0,
	}
	for text, want := range tests {
		if got := conflictLine([]byte(text)); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}
