package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// program is the built program and a workspace for it, in an environment that
// holds nothing of the tester's.
type program struct {
	t   testing.TB
	exe string
	dir string // the workspace, in which processes start
	env []string
}

// ending is what one process came to.
type ending struct {
	stdout, stderr string
	code           int // -1 when a signal ended it
}

// newProgram makes a workspace whose harness.toml is config, for the program
// that builtProgram names, else the one that is in the test binary.
func newProgram(t testing.TB, config string) *program {
	t.Helper()
	exe := os.Getenv(builtProgram)
	if exe == "" {
		exe = programName
	}
	exe, err := exec.LookPath(exe)
	if err != nil {
		t.Fatal(err)
	}
	return newProgramAt(t, exe, config)
}

func newProgramAt(t testing.TB, exe, config string) *program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("its replay commands need a POSIX shell")
	}
	base := t.TempDir()
	p := &program{t: t, exe: exe, dir: filepath.Join(base, "workspace")}
	for _, name := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(base, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	p.env = []string{
		"PATH=" + filepath.Dir(exe) + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"HOME=" + filepath.Join(base, "home"),
		"TMPDIR=" + filepath.Join(base, "tmp"),
		"TZ=America/St_Johns", // half an hour off: local time must show nowhere
		"LANG=C.UTF-8",
		"GORACE=atexit_sleep_ms=0", // else each process of a race-enabled binary ends a second late
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1",
	}
	p.command("init", p.dir).mustRun(filepath.Dir(p.dir))
	p.write("harness.toml", config)
	return p
}

// run runs the program with nothing on standard input.
func (p *program) run(args ...string) ending {
	p.t.Helper()
	return p.command(args...).begin().wait()
}

// pipe runs the program with a text on standard input.
func (p *program) pipe(stdin string, args ...string) ending {
	p.t.Helper()
	c := p.command(args...)
	c.Stdin = strings.NewReader(stdin)
	return c.begin().wait()
}

// must runs the program, which must succeed, and returns its standard output.
func (p *program) must(args ...string) string {
	p.t.Helper()
	return p.command(args...).mustRun(p.dir)
}

// ask runs the program with --json and reads the document that it prints, for
// which the exit code must be among codes, or 0.
func (p *program) ask(doc any, stdin string, args []string, codes ...int) ending {
	p.t.Helper()
	out := p.pipe(stdin, append([]string{"--json"}, args...)...)
	if out.code != 0 && !slices.Contains(codes, out.code) {
		p.t.Fatalf("%q: exit code %d\n%s%s", args, out.code, out.stdout, out.stderr)
	}
	p.decode(out.stdout, doc)
	return out
}

func (p *program) decode(text string, doc any) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(text), doc); err != nil {
		p.t.Fatalf("not one JSON document: %v\n%s", err, text)
	}
}

// write puts a file into the workspace.
func (p *program) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// read returns a file of the workspace, "" when it is not there.
func (p *program) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return string(data)
}

func (p *program) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(p.dir, filepath.FromSlash(name)))
	return err == nil
}

// files are the files of the workspace that a pattern names.
func (p *program) files(pattern string) []string {
	found, err := filepath.Glob(filepath.Join(p.dir, filepath.FromSlash(pattern)))
	if err != nil {
		p.t.Fatal(err)
	}
	for i, path := range found {
		found[i], _ = filepath.Rel(p.dir, path)
	}
	return found
}

// tree is every file of the workspace but what belongs to the clone, with its
// content.
func (p *program) tree() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(p.dir, path)
		switch {
		case err != nil:
			return err
		case name == ".git" || name == filepath.Join("state", "local"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

// until waits for something that another process does.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(longest); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain until %s", longest, what)
		}
	}
}

// git runs git in the workspace.
func (p *program) git(args ...string) string {
	p.t.Helper()
	c := &process{Cmd: exec.Command("git", args...), t: p.t}
	c.Env = append(p.env, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org")
	c.Stdout, c.Stderr = &c.stdout, &c.stderr
	return c.mustRun(p.dir)
}

// commit makes the workspace a repository whose only commit holds it.
func (p *program) commit() {
	p.t.Helper()
	p.git("init", "-q", "-b", "main")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "workspace")
}

// lines are the JSON lines of a file of the workspace, each of which must be
// whole.
func lines[T any](p *program, name string) (all []T) {
	p.t.Helper()
	for number, line := range strings.Split(strings.TrimSuffix(p.read(name), "\n"), "\n") {
		var record T
		if line == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			p.t.Errorf("%s:%d: no whole record: %v", name, number+1, err)
		}
		all = append(all, record)
	}
	return all
}
