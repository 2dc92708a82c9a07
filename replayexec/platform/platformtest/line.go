package platformtest

import (
	"encoding/csv"
	"strconv"
	"strings"
)

// line is an understood command line: the flags that were given, each under its name, and what stands beside them.
type line struct {
	command string
	texts   map[string]string
	numbers map[string]int
	lists   map[string][]string
	words   []string
}

// parseLine reads the arguments as the real program does.
func parseLine(args []string) (*line, error) {
	path, rest, err := findCommand(args)
	if err != nil {
		return nil, err
	}
	l := &line{command: path, texts: map[string]string{}, numbers: map[string]int{}, lists: map[string][]string{}}
	if err := l.read(rest); err != nil {
		return nil, err
	}
	if _, ok := commands[path]; !ok {
		return nil, errHelp
	}
	want, got := commands[path].args, len(l.words)
	if want == 0 && got > 0 {
		return nil, failf(exitGeneral, "unknown command %q for %q", l.words[0], "pandaprobe "+path)
	}
	if want != got {
		return nil, failf(exitGeneral, "accepts %d arg(s), received %d", want, got)
	}
	if want == 1 && l.words[0] == "" {
		return nil, cannotf("an empty id; no caller may pass one")
	}
	return l, nil
}

func (l *line) read(args []string) error {
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "--":
			l.words = append(l.words, args[i+1:]...)
			return nil
		case word == "-h":
			return errHelp
		case !strings.HasPrefix(word, "-") || word == "-":
			l.words = append(l.words, word)
			continue
		case !strings.HasPrefix(word, "--"):
			return failf(exitGeneral, "unknown shorthand flag: '%s' in %s", word[1:2], word)
		}
		name, value, given := strings.Cut(word[2:], "=")
		kind := flagKind(l.command, name)
		if kind == "" {
			return failf(exitGeneral, "unknown flag: --%s", name)
		}
		if !given && kind != "!" {
			if i++; i == len(args) {
				return failf(exitGeneral, "flag needs an argument: --%s", name)
			}
			value = args[i]
		}
		if err := l.set(name, kind, value); err != nil {
			return err
		}
	}
	return nil
}

// set takes a flag's value; of a repeated flag the last wins, lists add up.
func (l *line) set(name, kind, value string) error {
	switch kind {
	case "!":
		if name == "help" {
			return errHelp
		}
		l.texts[name] = "true"
	case "#":
		number, err := strconv.ParseInt(value, 0, 64)
		if err != nil {
			return badValue(name, value, err)
		}
		l.numbers[name] = int(number)
	case ",":
		fields, err := splitList(value)
		if err != nil {
			return badValue(name, value, err)
		}
		l.lists[name] = append(l.lists[name], fields...)
	default:
		l.texts[name] = value
	}
	return nil
}

// splitList reads one line of comma-separated values; double quotes protect commas.
func splitList(value string) ([]string, error) {
	if value == "" {
		return nil, nil
	}
	return csv.NewReader(strings.NewReader(value)).Read()
}

func badValue(name, value string, err error) error {
	return failf(exitGeneral, "invalid argument %q for %q flag: %v", value, "--"+name, err)
}
