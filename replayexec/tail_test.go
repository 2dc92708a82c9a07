package replayexec

import (
	"strings"
	"testing"
)

func TestTheTailBeginsWithAWord(t *testing.T) {
	long := strings.Repeat("x", tailSize)
	for _, test := range []struct{ name, text, want string }{
		{"short", "a secret", "a secret"},
		{"from a line", long + "\nsecret one\ntwo", "secret one\ntwo"},
		{"from a word", long[10:] + "a secret and more", "secret and more"},
		{"from a word, the line ends", long[10:] + "a secret and more\n", "secret and more\n"},
		{"one word", long + "x", long},
	} {
		var tail tail
		for i := range len(test.text) {
			tail.Write([]byte(test.text[i : i+1]))
		}
		if got := tail.String(); got != test.want {
			t.Errorf("%s: %.40q, want %.40q", test.name, got, test.want)
		}
	}
}
