//go:build unix

package main

import (
	"strings"
	"testing"
	"time"
)

// withWin answers for the win at once, so that a round which goes on shows it.
const withWin = `case "$HARNESS_CASE_KIND" in win) echo '{"session_id":"w9","scores":{"m":0.9}}'; exit;; esac; `

// stubborn are commands that do not end at their time limit by themselves, or
// leave something behind; LONG stands for a time in which nothing ends.
var stubborn = []struct {
	name, command string
	answers       bool // ends by itself with an answer
}{
	{"answered, and goes on", `sleep LONG & echo 'ANSWER'; sleep LONG`, false},
	{"leaves a child that holds the pipe", `sleep LONG & echo 'ANSWER'; exit 0`, true},
	{"ignores SIGTERM", `trap "" TERM; sleep LONG`, false},
	{"a child in a session of its own", `setsid sleep LONG & sleep LONG`, false},
	{"in a pipeline", `sleep LONG 2>&1 | cat`, false},
	{"a grandchild that ignores SIGTERM and holds the pipe", `(trap "" TERM; sleep LONG) & sleep LONG`, false},
	{"a child outside that ignores SIGTERM", `setsid sh -c 'trap "" TERM; sleep LONG' & exec sleep LONG`, false},
	{"a child outside with an empty environment", `setsid env -i sh -c 'sleep LONG & sleep LONG' & sleep LONG`, false},
	{"left a child outside", `setsid sleep LONG & echo 'ANSWER'`, true},
}

// A time limit ends all that a command started, as replay and as scorer.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	type run struct {
		*process
		tracer
		*program
		name    string
		answers bool
	}
	var runs []run
	began := time.Now()
	for _, s := range stubborn {
		for _, role := range []string{"replay", "score"} {
			p := newProgram(t, "replay_timeout_s = 1\n")
			tr := p.trace()
			answer := `{"session_id":"s9","scores":{"m":0.9}}`
			if role == "score" {
				answer = `{"m":0.9}`
			}
			script := strings.NewReplacer("LONG", string(tr), "ANSWER", answer).Replace(s.command)
			if role == "score" {
				p.write("harness.toml", "replay_timeout_s = 1\n[score]\ncommand = ['sh', '-c', '''"+script+"''']\n")
				script = "echo s9"
			}
			p.addRule("be kind", "--metric", "m")
			p.addFailure("s-1")
			p.must("case", "add", "--session", "s-2", "--kind", "win", "--signature", "breach:m", "--score", "m=0.9", "--input", "1")
			c := p.command(append([]string{"validate", "--json"}, shell(withWin+script)...)...).begin()
			runs = append(runs, run{c, tr, p, role + ": " + s.name, s.answers})
		}
	}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			out := r.wait()
			took := time.Since(began)
			if took > longest/2 {
				t.Errorf("took %s, all of them together", took)
			}
			r.checkGone(t)
			var round roundAnswer
			r.decode(out.stdout, &round)
			checkLimited(t, round, r.answers)
			if out.code != 0 {
				t.Errorf("exit code %d\n%s", out.code, out.stderr)
			}
		})
	}
}

// checkLimited looks at a round of a failure, which may have met its limit, and
// a win, which must have been replayed all the same.
func checkLimited(t *testing.T, round roundAnswer, answers bool) {
	t.Helper()
	if len(round.Verdicts) != 1 || len(round.Verdicts[0].Details.Cases) != 2 {
		t.Fatalf("want one verdict on two cases, got %+v", round)
	}
	v := round.Verdicts[0]
	failure, win := v.Details.Cases[0], v.Details.Cases[1]
	if win.ReasonCode != "" || win.SessionID != "w9" {
		t.Errorf("the round did not go on with the win: %+v", win)
	}
	if answers {
		if v.Outcome != "promote" || failure.SessionID != "s9" {
			t.Errorf("the answer was not taken: %+v", v)
		}
		return
	}
	if v.Outcome != "pending" || v.Validator != "replay" || failure.ReasonCode != "timed_out" || !strings.Contains(v.Reason, "timed out") {
		t.Errorf("want pending because of the time limit, got %+v", v)
	}
	if failure.DurationS > 8 {
		t.Errorf("the replay ended %g s after it began, with a limit of 1 s", failure.DurationS)
	}
}

// A helper that a timed-out replay detached does not live to report; where one
// does, its report is known by its environment and is no evidence.
func TestLateReport(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(`setsid sh -c "while test ! -e late; do sleep 0.05; done" & env > environment; sleep 300`,
		"replay_timeout_s = 0.5", "capture_eval_cases = true"))
	tr := p.trace()
	p.addFailure("s-1")
	id := p.addRule("one", "--metric", "m")
	round := p.validate(nil)
	if v := round.Verdicts[0]; v.Outcome != "pending" || v.Details.Cases[0].ReasonCode != "timed_out" {
		t.Fatalf("got %+v", v)
	}
	tr.checkGone(t)
	survivor := p.command("observe", "--json")
	survivor.Env = strings.Split(strings.TrimSpace(p.read("environment")), "\n")
	survivor.Stdin = strings.NewReader(`{"session_id":"new","scores":{"m":0.9}}`)
	survivor.mustRun(p.dir)
	p.must("drain")
	checkNoEvidence(p, id)
}
