//go:build unix

package replayexec

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var testRequest = Request{
	Case:    jsontext.Value(`{"id": "c-1", "replay_input": {"n": 1.10e+2, "big": 12345678901234567890, "t": "<\u0026>"}}`),
	RuleID:  "r-1",
	Context: "## Rules\n- \u201cquoted\u201d <b>&\n",
}

// testReplayer runs a script with the shell, as an array.
func testReplayer(t *testing.T, script string) Replayer {
	t.Helper()
	return Replayer{
		Command: Command{Argv: []string{"/bin/sh", "-c", script}},
		Dir:     t.TempDir(), Env: os.Environ(), Timeout: hanging, Root: "/the/workspace",
	}
}

func TestReplayHandsOver(t *testing.T) {
	r := testReplayer(t, `cat > stdin; cat "$HARNESS_CASE_FILE" > case; cat "$HARNESS_CONTEXT_FILE" > context
		ls -ld "$(dirname "$HARNESS_CASE_FILE")" > mode; env | grep '^HARNESS' | grep -v -e _FILE= -e _RUN= | sort > env
		echo "$HARNESS_CASE_FILE" > name; echo s9`)
	r.Env = append(r.Env, "HARNESS_CHECK=1", "HARNESS_SESSION_ID=outer", "HARNESS_RULE_ID=outer", "HARNESS_KNOB=kept")
	r.Timeout = 90500 * time.Millisecond
	if _, err := r.Replay(t.Context(), testRequest, "c-1", "failure"); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(r.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const compact = `{"id":"c-1","replay_input":{"n":1.10e+2,"big":12345678901234567890,"t":"<\u0026>"}}`
	for name, want := range map[string]string{
		"stdin":   `{"protocol":1,"case":` + compact + `,"rule_id":"r-1","context":"## Rules\n- “quoted” <b>&\n"}` + "\n",
		"case":    string(testRequest.Case) + "\n",
		"context": testRequest.Context,
		"env": `HARNESS_CASE_ID=c-1
HARNESS_CASE_KIND=failure
HARNESS_IN_REPLAY=1
HARNESS_KNOB=kept
HARNESS_REPLAY_TIMEOUT_S=90.5
HARNESS_ROOT=/the/workspace
HARNESS_RULE_ID=r-1
`,
	} {
		if diff := cmp.Diff(want, read(name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if !strings.HasPrefix(read("mode"), "drwx------") {
		t.Errorf("the folder of the files is open to others: %s", read("mode"))
	}
	if _, err := os.Stat(filepath.Dir(strings.TrimSpace(read("name")))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the files is left: %v", err)
	}
}

func TestReplayUnderCheckAndWithoutRule(t *testing.T) {
	r := testReplayer(t, `set -u; echo "check=$HARNESS_CHECK rule=$HARNESS_RULE_ID"`)
	r.Check = true
	answer, err := r.Replay(t.Context(), Request{}, "c-1", "win")
	if err != nil || answer.SessionID != "check=1 rule=" {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestReplayAnswer(t *testing.T) {
	r := testReplayer(t, `echo log >&2; echo progress; echo '{"session_id":"s9","scores":{"m":0.9}}'`)
	answer, err := r.Replay(t.Context(), testRequest, "c-1", "failure")
	if err != nil {
		t.Fatal(err)
	}
	if answer.Duration <= 0 {
		t.Error("no duration")
	}
	answer.Duration = 0
	want := Answer{SessionID: "s9", Scores: map[string]float64{"m": 0.9}, HasScores: true, StderrTail: "log\n"}
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Error(diff)
	}
}

// TestR11 has the ways in which nothing was evaluated: each is told as what it
// is, and a command that cannot be started is none of them.
func TestR11NothingWasEvaluated(t *testing.T) {
	for _, test := range []struct {
		script, code, detail string
	}{
		{"exit 7", ExitNonzero, "replay command ended with exit code 7"},
		{"echo s9; exit 1", ExitNonzero, "replay command ended with exit code 1"},
		{"exit 127", ExitNonzero, "replay command ended with exit code 127"},
		{"kill -SEGV $$", KilledBySignal, "replay command was killed by SIGSEGV after 0"},
		{"sleep 300", TimedOut, "replay command timed out: it was still running after 0.2 s"},
		{"echo s9; sleep 300", TimedOut, "still running after 0.2 s, so what it printed does not count"},
		{"while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", OutputTooLarge, "printed more than 1048576 bytes"},
		{"true", NoSessionID, "replay command: nothing was printed on standard output"},
		{"echo '{'", BadAnswer, "replay command: the last line looks like JSON"},
		{`echo '{"session_id":"s9","scores":{"m":2}}'`, BadScores, `replay command: score "m" is 2, outside [0, 1]`},
	} {
		t.Run(test.script, func(t *testing.T) {
			r := testReplayer(t, "echo why >&2; "+test.script)
			if test.code == TimedOut {
				r.Timeout = 200 * time.Millisecond
			}
			_, err := r.Replay(t.Context(), testRequest, "c-1", "failure")
			var fault *Inconclusive
			if !errors.As(err, &fault) {
				t.Fatalf("error %v", err)
			}
			if fault.Code != test.code || !strings.Contains(fault.Detail, test.detail) {
				t.Errorf("%s: %s", fault.Code, fault.Detail)
			}
			if fault.StderrTail != "why\n" || fault.Duration <= 0 {
				t.Errorf("tail %q, duration %v", fault.StderrTail, fault.Duration)
			}
			if wantID := map[string]string{BadScores: "s9"}[test.code]; fault.SessionID != wantID {
				t.Errorf("session %q", fault.SessionID)
			}
		})
	}
}

func TestReplayThatCannotBeStarted(t *testing.T) {
	for _, test := range []struct {
		command Command
		tail    string
	}{
		{Command{Argv: []string{"/no/such/file"}}, ""},
		{Command{Argv: []string{"no-such-program"}}, ""},
		{Command{Shell: "MODE=x no-such-program"}, "not found"},
		{Command{Shell: "MODE=x ./notes"}, "denied"},
	} {
		r := testReplayer(t, "")
		r.Command, r.Env = test.command, []string{"PATH=/bin:/usr/bin"}
		if err := os.WriteFile(filepath.Join(r.Dir, "notes"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := r.Replay(t.Context(), testRequest, "c-1", "failure")
		var start *StartError
		if !errors.As(err, &start) || !strings.Contains(start.StderrTail, test.tail) {
			t.Errorf("%s: %v, %+v", test.command, err, start)
		}
	}
}

func TestReplayShellCommand(t *testing.T) {
	r := testReplayer(t, "")
	r.Command = Command{Shell: `printf '%s\n' "a  b" | tr a-z A-Z`}
	if answer, err := r.Replay(t.Context(), testRequest, "c-1", "failure"); err != nil || answer.SessionID != "A  B" {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestReplayCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := testReplayer(t, "echo s9; echo ready >&2; exec sleep 300")
	r.Stderr = &onWrite{text: "ready", do: cancel}
	_, err := r.Replay(ctx, testRequest, "c-1", "failure")
	var fault *Inconclusive
	if !errors.Is(err, context.Canceled) || errors.As(err, &fault) {
		t.Errorf("error %v", err)
	}
}

func TestScore(t *testing.T) {
	s := Scorer(testReplayer(t, `read -r doc; [ "$doc" = '{"protocol":1,"session_id":"s \"9\" é"}' ] || exit 3
		[ "$HARNESS_SESSION_ID" = 's "9" é' ] || exit 4; [ "$HARNESS_IN_REPLAY" = 1 ] || exit 5
		echo log; echo '{"m":0.25,"n":null}'`))
	scores, err := s.Score(t.Context(), `s "9" é`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]float64{"m": 0.25}, scores); diff != "" {
		t.Error(diff)
	}
}

// A failure of the scorer is never a score.
func TestScoreFailures(t *testing.T) {
	for _, test := range []struct{ script, code, detail string }{
		{"exit 7", ScorerFailed, "score command ended with exit code 7"},
		{"kill -SEGV $$", ScorerFailed, "score command was killed by SIGSEGV"},
		{"true", ScorerFailed, "score command: nothing was printed"},
		{"echo 0.5", ScorerFailed, "score command: the answer is no JSON object"},
		{`echo '{"m":1.5}'`, BadScores, `score command: score "m" is 1.5, outside [0, 1]`},
		{`echo '{"m":0.5}'; sleep 300`, TimedOut, "score command timed out: it was still running after 0.2 s"},
	} {
		t.Run(test.script, func(t *testing.T) {
			s := Scorer(testReplayer(t, test.script))
			if test.code == TimedOut {
				s.Timeout = 200 * time.Millisecond
			}
			scores, err := s.Score(t.Context(), "s9")
			var fault *Inconclusive
			if !errors.As(err, &fault) || fault.Code != test.code || !strings.Contains(fault.Detail, test.detail) || fault.SessionID != "s9" {
				t.Errorf("%v, %#v", scores, err)
			}
		})
	}
	s := Scorer(testReplayer(t, ""))
	s.Command = Command{Argv: []string{"/no/such/file"}}
	var start *StartError
	if _, err := s.Score(t.Context(), "s9"); !errors.As(err, &start) {
		t.Errorf("error %v", err)
	}
}

// The variables that a command finds are those that ChildVariables names.
func TestChildVariables(t *testing.T) {
	r := testReplayer(t, `env | sed -n 's/^\(HARNESS_[A-Z_]*\)=.*/\1/p' >> names; echo '{"session_id":"s9"}'`)
	r.Check, r.Env = true, []string{"PATH=" + os.Getenv("PATH")}
	if _, err := r.Replay(t.Context(), testRequest, "c-1", "failure"); err != nil {
		t.Fatal(err)
	}
	Scorer(r).Score(t.Context(), "s9")
	text, err := os.ReadFile(filepath.Join(r.Dir, "names"))
	if err != nil {
		t.Fatal(err)
	}
	set, listed := map[string]bool{}, map[string]bool{}
	for _, name := range strings.Fields(string(text)) {
		set[name] = true
	}
	for _, name := range ChildVariables() {
		listed[name] = true
	}
	if !set["HARNESS_RUN"] {
		delete(listed, "HARNESS_RUN") // Linux only
	}
	if diff := cmp.Diff(listed, set); diff != "" {
		t.Error(diff)
	}
}
