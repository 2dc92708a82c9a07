package platformtest

import "strings"

// command is one command of the program.
type command struct {
	args  int    // ids that it wants
	auth  bool   // it makes a request
	flags string // their names; "#" behind one takes a whole number, "," a list
	run   func(*request) (any, error)
}

// globalFlags may stand anywhere; "!" behind one means that it takes no value.
const globalFlags = " format project endpoint api-key verbose! no-color! help! "

const scoreFilters = " limit# offset# session-id trace-id name source status data-type eval-run-id environment date-from date-to "

var commands = map[string]command{
	"version":     {run: (*request).version},
	"auth status": {run: (*request).authStatus},
	"evals runs batch": {
		auth: true, run: (*request).runsBatch,
		flags: " target trace-ids, session-ids, metrics, name model signal-weights ",
	},
	"evals runs get":    {args: 1, auth: true, flags: " target ", run: (*request).runsGet},
	"evals runs scores": {args: 1, auth: true, flags: " target ", run: (*request).runsScores},
	"evals scores list": {auth: true, flags: " target" + scoreFilters, run: (*request).scoresList},
	"evals scores get":  {args: 1, auth: true, flags: " target ", run: (*request).scoresGet},
	"traces get":        {args: 1, auth: true, flags: " kind status spans-only! ", run: (*request).tracesGet},
	"traces spans":      {args: 1, auth: true, flags: " kind status ", run: (*request).tracesSpans},
}

// isGroup says whether path is the beginning of commands and none itself.
func isGroup(path string) bool {
	for name := range commands {
		if path == "" || strings.HasPrefix(name, path+" ") {
			return true
		}
	}
	return false
}

// flagKind is the sign behind a flag's name in the lists above, " " for a text, "" for a flag that path does not have.
func flagKind(path, name string) string {
	flags := globalFlags + commands[path].flags
	if path == "evals" || strings.HasPrefix(path, "evals ") {
		flags += " target "
	}
	for _, kind := range []string{" ", "#", ",", "!"} {
		if strings.Contains(flags, " "+name+kind) {
			return kind
		}
	}
	return ""
}

// findCommand gives the command or group that the words name, and the other arguments.
func findCommand(args []string) (path string, rest []string, err error) {
	rest = append(rest, args...)
	for {
		at := nextWord(path, rest)
		if at < 0 {
			return path, rest, nil
		}
		child := strings.TrimSpace(path + " " + rest[at])
		if _, ok := commands[child]; !ok && !isGroup(child) {
			if path == "" {
				return "", nil, failf(exitGeneral, "unknown command %q for \"pandaprobe\"", rest[at])
			}
			return path, rest, nil
		}
		path, rest = child, append(rest[:at:at], rest[at+1:]...)
	}
}

// nextWord is the place of the first argument that is neither a flag nor a flag's value, -1 for none.
func nextWord(path string, args []string) int {
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "--":
			return -1
		case strings.HasPrefix(word, "--"):
			if !strings.Contains(word, "=") && flagKind(path, word[2:]) != "!" {
				i++
			}
		case strings.HasPrefix(word, "-") && len(word) == 2:
			i++
		case word != "" && !strings.HasPrefix(word, "-"):
			return i
		}
	}
	return -1
}
