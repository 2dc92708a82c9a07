//go:build unix

package replayexec

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommandString(t *testing.T) {
	for want, command := range map[string]Command{
		"":                        {},
		"agent --replay | tail":   {Shell: " agent --replay | tail\n"},
		`sh -c "exit 7" ""`:       {Argv: []string{"sh", "-c", "exit 7", ""}},
		"uv run python replay.py": {Argv: []string{"uv", "run", "python", "replay.py"}, Shell: "unused"},
	} {
		if got := command.String(); got != want {
			t.Errorf("%#v: %s", command, got)
		}
		if command.IsZero() != (want == "") {
			t.Errorf("%#v: IsZero is %v", command, command.IsZero())
		}
	}
	if !(Command{Shell: " \n"}).IsZero() {
		t.Error("a blank shell string is a command")
	}
}

func TestCommandCheck(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]fs.FileMode{"agent": 0o755, "notes": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho s9\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + dir + ":/bin:/usr/bin"}
	argv := func(words ...string) Command { return Command{Argv: words} }
	shell := func(script string) Command { return Command{Shell: script} }
	for _, test := range []struct {
		name    string
		command Command
		want    string // part of the error; "" = none
	}{
		{"on PATH", argv("agent", "x"), ""},
		{"relative to the folder", argv("./agent"), ""},
		{"absolute", argv(filepath.Join(dir, "agent")), ""},
		{"not on PATH", argv("no-such-program"), `cannot start "no-such-program": not found on PATH`},
		{"not executable on PATH", argv("notes"), "not executable"},
		{"a folder on PATH", argv("folder"), "is a folder"},
		{"no such file", argv("./no/such/file"), "no such file"},
		{"absolute, no such file", argv("/no/such/file"), `cannot start "/no/such/file"`},
		{"not executable", argv("./notes"), "not executable"},
		{"a folder", argv("./folder"), "is a folder"},
		{"empty name", argv(""), "no command is given"},
		{"no command", Command{}, "no command is given"},

		{"shell: found", shell("agent x | tail -n 1"), ""},
		{"shell: path", shell("./agent"), ""},
		{"shell: not found", shell("  no-such-program --x"), `cannot start "no-such-program"`},
		{"shell: not executable", shell("./notes && echo s9"), "not executable"},
		{"shell: builtin", shell("cd sub && exec agent"), ""},
		{"shell: keyword", shell("if true; then agent; fi"), ""},
		{"shell: assignment", shell("MODE=x no-such-program"), ""},
		{"shell: variable", shell("$AGENT run"), ""},
		{"shell: quotes", shell("'no such' run"), ""},
		{"shell: subshell", shell("(no-such-program)"), ""},
		{"shell: glued list", shell("no-such-program;true"), ""},
		{"shell: redirection", shell(">out no-such-program"), ""},
		{"shell: function", shell("agent2 () { echo s9; }; agent2"), ""},
		{"shell: function, glued", shell("agent2() { echo s9; }; agent2"), ""},
		{"shell: home", shell("~/no-such-program"), ""},
		{"shell: comment", shell("# replay\nagent"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.command.Check(dir, env)
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var start *StartError
			if !errors.As(err, &start) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// What the look-up finds is what gets run, and what it cannot know comes out as
// the same kind of error.
func TestRunStart(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"agent": "#!/bin/sh\necho \"$0\"\n", "no-interpreter": "#!/no/such/interpreter\n", "garbage": "\x00\x01\x02",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := t.TempDir()
	for _, test := range []struct {
		name, dir, path, want string
		argv                  []string
	}{
		{name: "PATH of Env", path: dir, argv: []string{"agent"}},
		{name: "relative folder on PATH", dir: dir, path: ".", argv: []string{"agent"}},
		{name: "empty folder on PATH", dir: dir, path: ":/bin", argv: []string{"agent"}},
		{name: "relative to Dir", dir: dir, argv: []string{"./agent"}},
		{name: "not in another Dir", dir: elsewhere, argv: []string{"./agent"}, want: "no such file"},
		{name: "not on that PATH", path: elsewhere, argv: []string{"sh"}, want: "not found on PATH"},
		{name: "no such folder", dir: filepath.Join(dir, "none"), argv: []string{"/bin/sh"}, want: "working folder"},
		{name: "no interpreter", dir: dir, argv: []string{"./no-interpreter"}, want: "interpreter"},
		{name: "no program", dir: dir, argv: []string{"./garbage"}, want: "format"},
		{name: "nothing", want: "no command is given"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := Run(t.Context(), Process{Argv: test.argv, Dir: test.dir, Env: []string{"PATH=" + test.path}})
			if test.want == "" {
				if err != nil || !strings.HasSuffix(string(out.Stdout), "agent\n") {
					t.Errorf("%q, %v", out.Stdout, err)
				}
				return
			}
			var start *StartError
			if !errors.As(err, &start) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}
