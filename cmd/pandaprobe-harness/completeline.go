package main

import "strings"

// cutLine cuts a command line into its words as a shell does, as far as that
// goes without running it: quotes, backslashes, and ~/ in front of a word. The
// last word is the one that is not finished; it is empty after a blank.
func cutLine(line, home string) (words []string, last string) {
	var word strings.Builder
	var quote rune
	begun, escaped := false, false
	for i, r := range line {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			begun, escaped = true, true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			begun, quote = true, r
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		case r == '~' && !begun && home != "" && strings.HasPrefix(line[i:], "~/"):
			begun = true
			word.WriteString(home)
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	return words, word.String()
}
