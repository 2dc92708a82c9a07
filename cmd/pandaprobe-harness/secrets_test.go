//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// planted is a secret of which the configuration says how it looks; ambient is
// one that only stands in the environment.
const (
	planted = "sk-PLANTEDabcdef0123456789"
	ambient = "ambient-TOKEN-9f8e7d6c"
)

const secretKnobs = `auto_validate = false
capture_eval_cases = true
circuit_breaker_max_notices = 0
rule_trial_min_sessions = 1

[redact]
patterns = ["sk-[A-Za-z0-9]{8,}"]
`

// TestASecretIsWrittenNowhere plants a secret in everything that comes in and
// looks for it in every file that is there afterwards, in reports for CI, and in
// what the program said.
func TestASecretIsWrittenNowhere(t *testing.T) {
	t.Parallel()
	p := newProgram(t, secretKnobs)
	p.env = append(p.env, "API_TOKEN="+ambient, "PANDAPROBE_API_KEY="+ambient, "GITHUB_ACTIONS=true",
		"GITHUB_STEP_SUMMARY="+filepath.Join(p.dir, "step.md"), "GITHUB_WORKSPACE="+p.dir)
	said := &strings.Builder{}
	say := func(stdin string, args ...string) ending {
		out := p.pipe(strings.ReplaceAll(stdin, "SECRET", planted), each(args, "SECRET", planted)...)
		fmt.Fprintln(said, out.stdout, out.stderr)
		return out
	}

	say(`{"session_id": "s-1", "run_id": "run-1", "scores": [{"name": "m", "value": 0.1, "reason": "the key SECRET was in it",
	  "metadata": {"per_trace_signals": {"t-1": {"note": "SECRET", "SECRET": 1}}, "key": "SECRET"}}],
	  "flagged_traces": ["trace SECRET"], "the SECRET": 1, "replay_input": {"prompt": "my key is SECRET", "SECRET": ["SECRET"]}}`, "observe")
	say(`{"session_id": "s-2", "scores": {"m": 0.2}, "replay_input": "SECRET"}`+"\n"+`{"session_id": "s-2", "scores": {"m": "SECRET"}}`+"\n",
		"observe", "--stream", "--json")
	say(`{"session_id": "s-3", "kind": "win", "signature": ["x"], "baseline_scores": {"m": 0.9}, "replay_input": {"k": "SECRET"}, "notes": "see SECRET"}`, "case", "add")
	say("", "case", "add", "--kind", "failure", "--session", "s-4", "--signature", "breach:m", "--score", "m=0.1", "--notes", "SECRET", "--input", `{"k":"SECRET"}`)
	say(`["SECRET"]`, "case", "attach", p.caseOf("s-3"))
	say("", "rule", "add", "--metric", "m", "--rule", "Never say SECRET.", "--rationale", "It said SECRET.", "--tag", "SECRET", "--tag", "fine")
	retired := p.addRule("to be retired", "--metric", "n")
	say("", "rule", "retire", retired, "--reason", "it leaked SECRET")
	say("", "notice", "ack", p.noticeIDs()[0], "--note", "rotated SECRET")

	// A replay and a scorer that print it, fail with it, and answer with it.
	const leak = `echo "stderr SECRET" >&2; `
	for _, command := range []string{leak + "exit 7", leak + `echo "SECRET: not json {"`, leak + `echo '{"session_id": "SECRET"'`,
		leak + `echo '{"session_id": "new", "scores": {"m": "SECRET"}}'`, leak + `echo new-$$`} {
		command = strings.ReplaceAll(command, "SECRET", planted)
		for _, score := range []string{leak + "exit 9", leak + `echo '{"m": "SECRET"}'`} {
			p.write("harness.toml", secretKnobs+"\n[score]\ncommand = '''"+strings.ReplaceAll(score, "SECRET", planted)+"'''\n")
			say("", "validate", "--junit", "junit.xml", "--summary", "summary.md", "--", "sh", "-c", command)
			say("", "validate", "--check", "--json", "--", "sh", "-c", command)
			say("", "regress", "--junit", "junit2.xml", "--summary", "summary2.md", "--blame", "--", "sh", "-c", command)
		}
	}

	// The platform's client complains with it, also in the background.
	p.write("client", "#!/bin/sh\necho 'Error: 401 key SECRET refused' | sed 's/SECRET/"+planted+"/' >&2\nexit 3\n")
	if err := os.Chmod(filepath.Join(p.dir, "client"), 0o777); err != nil {
		t.Fatal(err)
	}
	p.write("harness.toml", strings.Replace(secretKnobs, "auto_validate = false", "auto_validate = true", 1)+
		"\n[replay]\ncommand = 'echo stderr "+planted+" >&2; echo new-$$'\n")
	say(`{"session_id": "s-5", "scores": {"m": 0.1}}`, "observe", "--set", "cli_binary=./client")
	say("", "observe", "--evaluate", "s-6", "--set", "cli_binary=./client")
	say("", "drain", "--set", "cli_binary=./client")
	say("", "validate", "--set", "cli_binary=./client")
	say("", "history", "sync")
	for _, reader := range []string{"journal", "reflect", "rule list", "notice list --all", "case list", "context", "doctor", "config"} {
		if reader != "config" { // which shows the commands that the file holds
			say("", strings.Fields(reader)...)
		}
	}
	for _, w := range []string{"client", "harness.toml"} {
		if err := os.Remove(filepath.Join(p.dir, w)); err != nil {
			t.Fatal(err)
		}
	}
	p.checkSecretFree(said.String())
}

func (p *program) checkSecretFree(said string) {
	p.t.Helper()
	files := 0
	err := filepath.WalkDir(filepath.Dir(p.dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		for _, secret := range []string{planted, strings.ToLower(planted), ambient} {
			if at := strings.Index(path+"\n"+string(data), secret); at >= 0 {
				p.t.Errorf("%s holds %s: ...%s", path, secret, around(path+"\n"+string(data), at))
			}
		}
		return err
	})
	if err != nil || files < 15 {
		p.t.Errorf("%d files, %v", files, err)
	}
	for _, secret := range []string{planted, ambient} {
		if at := strings.Index(said, secret); at >= 0 {
			p.t.Errorf("the program said %s: ...%s", secret, around(said, at))
		}
	}
	if log := p.read("state/local/logs/replay.log"); !strings.Contains(log, "[redacted]") {
		p.t.Errorf("the log of replays has no trace of them: %q", log)
	}
}

// TestMessagesAreRedacted: what the system or another program complains of may
// hold a secret, which must not get into a log.
func TestMessagesAreRedacted(t *testing.T) {
	t.Parallel()
	root := newWorkspace(t, map[string]string{"harness.toml": secretKnobs})
	refused := `{"session_id": "s", "scores": {"` + planted + `": 2}}`
	for _, args := range [][]string{
		{"observe", "--file", "none/" + planted}, {"observe", "--json", "--file", "none/" + planted},
		{"observe"}, {"observe", "--json"}, {"observe", "--stream"}, {"observe", "--stream", "--json"},
	} {
		o := call(t, refused, append(args, "--workspace", root)...)
		if o.code != exitFailed || strings.Contains(o.stdout+o.stderr, planted) || !strings.Contains(o.stdout+o.stderr, "[redacted]") {
			t.Errorf("%q: exit code %d\n%s%s", args, o.code, o.stdout, o.stderr)
		}
	}
	var log strings.Builder
	e := &env{stderr: &log, redact: strings.NewReplacer(planted, "[redacted]").Replace}
	e.noteRound(lifecycle.Round{Verdicts: []lifecycle.Verdict{{Reason: "it said " + planted}}}, errors.New("no key "+planted))
	if strings.Contains(log.String(), planted) || strings.Count(log.String(), "[redacted]") != 2 {
		t.Errorf("the log of the background:\n%s", &log)
	}
}

func around(text string, at int) string {
	return text[max(0, at-150):min(len(text), at+60)]
}

func (p *program) caseOf(session string) string {
	p.t.Helper()
	var list struct {
		Cases []struct {
			ID        string
			SessionID string `json:"session_id"`
		}
	}
	p.ask(&list, "", []string{"case", "list"})
	for _, c := range list.Cases {
		if c.SessionID == session {
			return c.ID
		}
	}
	p.t.Fatalf("no case of %s", session)
	return ""
}

func (p *program) noticeIDs() (ids []string) {
	p.t.Helper()
	var list struct{ Notices []struct{ ID string } }
	p.ask(&list, "", []string{"notice", "list"})
	for _, n := range list.Notices {
		ids = append(ids, n.ID)
	}
	return ids
}

// TestModesAreNeverWidened: under a strict umask everything is private, and a
// private file stays so under a lax one.
func TestModesAreNeverWidened(t *testing.T) {
	t.Parallel()
	p := newProgram(t, secretKnobs)
	under := func(umask, stdin string, args ...string) {
		t.Helper()
		c := p.command()
		c.Path, c.Args = "/bin/sh", append([]string{"sh", "-c", "umask " + umask + ` && exec "$0" "$@"`, p.exe}, args...)
		c.Stdin = strings.NewReader(stdin)
		if out := c.begin().wait(); out.code != 0 {
			t.Fatalf("%q: %s", args, out.stderr)
		}
	}
	private := func(when string) {
		t.Helper()
		err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %s has mode %v", when, path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	use := func(umask, session string) {
		t.Helper()
		breach := `{"session_id": "` + session + `", "scores": {"m": 0.1}, "replay_input": 1}`
		under(umask, `{"session_id": "`+session+`", "scores": {"m": 0.9}}`, "observe")
		under(umask, breach, "observe")
		under(umask, "", "rule", "add", "--rule", "Rule of "+session, "--metric", "m")
		under(umask, "", "rule", "retire", p.rulesOf("candidate")[0], "--reason", "x")
		under(umask, `[1]`, "case", "attach", p.caseOf(session))
		under(umask, "", "notice", "ack", p.noticeIDs()[0])
		under(umask, "", "history", "sync")
		under(umask, "", "validate", "--junit", "junit.xml", "--summary", "summary.md", "--", "sh", "-c", "echo x >&2; exit 1")
		under(umask, "", "doctor", "--repair")
	}
	under("077", "", "init", "private")
	p.dir = filepath.Join(p.dir, "private")
	if err := os.WriteFile(filepath.Join(p.dir, "harness.toml"), []byte(secretKnobs), 0o600); err != nil {
		t.Fatal(err)
	}
	under("077", "", "rule", "add", "--rule", "stays", "--metric", "m")
	use("077", "s-1")
	private("umask 077")

	// What is made under a lax umask may be open; what is there stays private.
	before := p.modes()
	use("000", "s-1")
	for path, mode := range p.modes() {
		if old, known := before[path]; known && mode&^old != 0 {
			t.Errorf("%s had mode %v and has %v", path, old, mode)
		}
	}
	for _, pair := range [][2]string{{"rules", "rules/retired"}, {"mailbox/pending", "mailbox/processed"}} {
		p.movedKeepsMode(under, pair[0], pair[1])
	}
}

// movedKeepsMode makes a record private and has it moved under a lax umask.
func (p *program) movedKeepsMode(under func(umask, stdin string, args ...string), from, to string) {
	p.t.Helper()
	under("000", "", "rule", "add", "--rule", "to be moved", "--metric", "m")
	under("000", `{"session_id": "s-moved", "scores": {"m": 0.9}}`, "observe")
	under("000", `{"session_id": "s-moved", "scores": {"m": 0.1}}`, "observe")
	var id string
	if from == "rules" {
		id = p.rulesOf("candidate")[0]
	} else {
		id = p.noticeIDs()[0]
	}
	file := p.files("state/" + from + "/" + id + ".*")[0]
	if err := os.Chmod(filepath.Join(p.dir, file), 0o600); err != nil {
		p.t.Fatal(err)
	}
	if from == "rules" {
		under("000", "", "rule", "retire", id, "--reason", "x")
	} else {
		under("000", "", "notice", "ack", id)
	}
	moved := filepath.Join("state", filepath.FromSlash(to), filepath.Base(file))
	if mode := p.modes()[moved]; mode != 0o600 {
		p.t.Errorf("%s was private and has mode %v", moved, mode)
	}
}

func (p *program) modes() map[string]fs.FileMode {
	p.t.Helper()
	modes := map[string]fs.FileMode{}
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			name, _ := filepath.Rel(p.dir, path)
			modes[name] = info.Mode().Perm()
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return modes
}

func (p *program) rulesOf(status string) (ids []string) {
	p.t.Helper()
	var list struct{ Rules []struct{ ID string } }
	if err := json.Unmarshal([]byte(p.must("rule", "list", "--status", status, "--json")), &list); err != nil {
		p.t.Fatal(err)
	}
	for _, r := range list.Rules {
		ids = append(ids, r.ID)
	}
	return ids
}
