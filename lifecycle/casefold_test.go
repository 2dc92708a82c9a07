package lifecycle

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
)

func TestFoldAgreesWithUnicode(t *testing.T) {
	reference := cases.Fold()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || unicode.Is(unicode.Cherokee, r) {
			continue // the reference swaps the two cases of Cherokee and so never joins them
		}
		if got, want := fold(string(r)), reference.String(string(r)); got != want {
			t.Errorf("fold(%U) = %q, want %q", r, got, want)
		}
	}
}

func TestFoldWords(t *testing.T) {
	for _, words := range [][]string{
		{"Agent_Reliability", "agent_reliability"},
		{"Stra\u00dfe", "STRASSE", "stra\u1e9ee"},
		{"\u03a3\u03c9\u03c3\u03c4\u03cc\u03c2", "\u03a3\u03a9\u03a3\u03a4\u038c\u03a3"},
		{"\ufb01nd", "FIND"},
		{"\u13a0\u13f0", "\uab70\u13f8"},
	} {
		for _, word := range words[1:] {
			if fold(word) != fold(words[0]) {
				t.Errorf("fold(%q) = %q, fold(%q) = %q, want them equal", word, fold(word), words[0], fold(words[0]))
			}
		}
	}
	if fold("\u0131") == fold("i") {
		t.Error("the dotless i folds to i, which only Turkish wants")
	}
}
