package replayexec

import (
	"runtime"
	"slices"
	"strings"
)

// changed is env with changes applied: "NAME=value" sets, "NAME" alone removes.
// No name is in the result twice, for programs differ in which one they take;
// the last one counts.
func changed(env []string, changes ...string) []string {
	seen := map[string]bool{}
	result := make([]string, 0, len(env)+len(changes))
	for _, entry := range slices.Backward(slices.Concat(env, changes)) {
		name, _, sets := cutVariable(entry)
		if !seen[name] && sets {
			result = append(result, entry)
		}
		seen[name] = true
	}
	slices.Reverse(result)
	return result
}

// variable is the value that env gives name.
func variable(env []string, name string) (value string, set bool) {
	for _, entry := range slices.Backward(env) {
		if own, value, sets := cutVariable(entry); sets && own == foldName(name) {
			return value, true
		}
	}
	return "", false
}

// cutVariable passes over a leading "=", with which Windows begins hidden names.
func cutVariable(entry string) (name, value string, sets bool) {
	at := strings.Index(strings.TrimPrefix(entry, "="), "=")
	if at < 0 {
		return foldName(entry), "", false
	}
	at += len(entry) - len(strings.TrimPrefix(entry, "="))
	return foldName(entry[:at]), entry[at+1:], true
}

func foldName(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}
