package replayexec

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// Command is a command as the user configures it (docs/replay.md): a list that
// is executed as it is, or one string for the shell. Argv wins over Shell.
type Command struct {
	Argv  []string
	Shell string
}

// IsZero says that no command is configured.
func (c Command) IsZero() bool { return len(c.Argv) == 0 && strings.TrimSpace(c.Shell) == "" }

// String shows the command to a reader; it is not meant to be parsed again.
func (c Command) String() string {
	if len(c.Argv) == 0 {
		return strings.TrimSpace(c.Shell)
	}
	words := make([]string, len(c.Argv))
	for i, word := range c.Argv {
		words[i] = word
		if !isPlain(word) {
			words[i] = fmt.Sprintf("%q", word)
		}
	}
	return strings.Join(words, " ")
}

// Check finds out, before anything is run, that the command cannot be started
// with working folder dir and environment env: not found, not executable, a
// folder. Of a shell string only a first word is checked that cannot mean
// anything but a program. The error is a *StartError; nil promises nothing.
func (c Command) Check(dir string, env []string) error {
	if _, err := lookPath(c.argv(), dir, env); err != nil {
		return err
	}
	word := c.program()
	if word == "" {
		return nil
	}
	_, err := lookPath([]string{word}, dir, env)
	return err
}

func (c Command) argv() []string {
	switch {
	case len(c.Argv) > 0:
		return c.Argv
	case c.IsZero():
		return nil
	case runtime.GOOS == "windows":
		return []string{"cmd", "/s", "/c", c.Shell}
	default:
		return []string{"/bin/sh", "-c", c.Shell}
	}
}

// commandLine is what cmd must get, which does not read quotes as others do.
func (c Command) commandLine() string {
	if len(c.Argv) > 0 {
		return ""
	}
	return `cmd /s /c "` + c.Shell + `"`
}

// usesShell tells whose exit code 126 or 127 it is: a shell says so that what it
// was given could not be started.
func (c Command) usesShell() bool { return len(c.Argv) == 0 }

// program is the program that a shell string begins with, "" when it is not
// sure to be one.
func (c Command) program() string {
	if !c.usesShell() || runtime.GOOS == "windows" {
		return ""
	}
	words := strings.Fields(c.Shell)
	switch {
	case len(words) == 0, !isPlain(words[0]), slices.Contains(shellWords, words[0]):
		return ""
	case len(words) > 1 && strings.HasPrefix(words[1], "("): // defines a function
		return ""
	}
	return words[0]
}

// isPlain says that no shell sees more in the word than its letters.
func isPlain(word string) bool {
	special := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_./+-@%,:", r))
	}
	return word != "" && strings.IndexFunc(word, special) < 0
}

// shellWords are what sh, or a shell that stands in for it, understands itself.
var shellWords = strings.Fields(`
	. : [ alias bg bind break builtin caller case cd chdir command compgen
	complete continue coproc declare dirs disown do done echo elif else enable
	esac eval exec exit export false fc fg fi for function getopts hash help
	history if in jobs kill let local logout mapfile popd print printf pushd pwd
	read readarray readonly return select set shift shopt source suspend test
	then time times trap true type typeset ulimit umask unalias unset until wait
	whence while`)
