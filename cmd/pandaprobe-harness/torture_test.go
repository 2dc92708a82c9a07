package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Tests that torture take their scale from the environment, so that the same
// ones are short in `make test` and long in `make torture`.
func scale(t testing.TB, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%q is no number above 0", variable, text)
	}
	return n
}

// tortured is a workspace whose writers get killed.
type tortured struct {
	*program
	random *rand.Rand
	ledger *ledger
	next   int // number of the next session, rule or report
}

// victim is a kind of writer.
type victim struct {
	name  string
	call  func(p *tortured) (args []string, stdin string)
	acked func(l *ledger, stdin string, stdout []byte) // notes what was acknowledged
	usual time.Duration                                // that one takes when nobody kills it
}

const tortureKnobs = `capture_eval_cases = true
circuit_breaker_max_notices = 0
eval_case_max = 60
max_active_rules = 0
rule_trial_min_sessions = 4

[replay]
command = 'case $HARNESS_RULE_ID in *[0-7]) s=0.9 ;; *) s=0.1 ;; esac; echo "{\"session_id\": \"again-$$\", \"scores\": {\"m\": $s}}"'
`

// TestKilledWritersLoseNothing kills writers with SIGKILL at random instants, two
// at a time, and wants after each kill: everything that had been acknowledged is
// there, whole; nothing blocks or breaks the next command; and the doctor finds
// nothing that it cannot mend.
func TestKilledWritersLoseNothing(t *testing.T) {
	t.Parallel()
	kills := scale(t, "TORTURE_KILLS", 20)
	seed := uint64(time.Now().UnixNano())
	p := &tortured{program: newProgram(t, tortureKnobs), random: rand.New(rand.NewPCG(seed, 1)), ledger: newLedger()}
	t.Logf("seed %d", seed)
	p.addFailure("s-replayed")
	for i := range victims {
		p.measure(&victims[i])
	}
	killed, tried := 0, 0
	for killed < kills && tried < 6*kills && !t.Failed() {
		tried += 2
		killed += p.killTwo(p.anyVictim(), p.anyVictim())
		p.check()
		if tried%20 == 0 {
			p.repair()
		}
	}
	p.repair()
	p.check()
	if killed < kills {
		t.Errorf("only %d of %d writers could be killed before they had ended", killed, tried)
	}
	t.Logf("torture: killed %d writers of %d; acknowledged %s", killed, tried, p.ledger)
}

func (p *tortured) anyVictim() *victim { return &victims[p.random.IntN(len(victims))] }

// measure runs a victim to its end, to know when to kill the next.
func (p *tortured) measure(v *victim) {
	p.t.Helper()
	args, stdin := v.call(p)
	began := time.Now()
	out := p.pipe(stdin, args...)
	if out.code != 0 {
		p.t.Fatalf("%s: exit code %d\n%s", v.name, out.code, out.stderr)
	}
	v.usual = time.Since(began)
	v.acked(p.ledger, stdin, []byte(out.stdout))
}

// killTwo runs two writers at once and kills each at an instant of its own. It
// returns how many died of that.
func (p *tortured) killTwo(victims ...*victim) (killed int) {
	type running struct {
		*victim
		*process
		in string
	}
	var all []running
	for _, v := range victims {
		args, stdin := v.call(p)
		c := p.command(args...)
		c.Stdin = strings.NewReader(stdin)
		all = append(all, running{v, c.begin(), stdin})
	}
	for _, r := range all {
		after := r.usual/4 + time.Duration(p.random.Int64N(int64(r.usual)*5/4))
		time.AfterFunc(after, func() { r.Process.Kill() })
	}
	for _, r := range all {
		r.Wait() // the error is that of the kill
		if r.ProcessState.ExitCode() < 0 {
			killed++
		} else if r.ProcessState.ExitCode() != 0 && !refusedBySense(r.stderr.String()) {
			p.t.Errorf("%s: exit code %d\n%s", r.name, r.ProcessState.ExitCode(), r.stderr.String())
		}
		r.acked(p.ledger, r.in, r.stdout.Bytes())
	}
	return killed
}

// refusedBySense tells the errors that a writer meets whose work another one had
// done meanwhile.
func refusedBySense(stderr string) bool {
	return strings.Contains(stderr, "is retired already") || strings.Contains(stderr, "no rule r-0000000000") ||
		strings.Contains(stderr, "no notice n-20260101") || strings.Contains(stderr, "no failure that could make room")
}

func (p *tortured) number() int { p.next++; return p.next }

var victims = []victim{
	{name: "observe --stream", call: stream, acked: func(l *ledger, stdin string, stdout []byte) {
		reports := strings.Split(stdin, "\n")
		for line := range whole[observed](stdout) {
			l.observed(reportOf(reports[line.Line-1]), line)
		}
	}},
	{name: "observe", call: func(p *tortured) ([]string, string) {
		return []string{"observe", "--no-validate", "--json"}, p.report()
	}, acked: func(l *ledger, stdin string, stdout []byte) {
		for answer := range whole[observed](stdout) {
			l.observed(reportOf(stdin), answer)
		}
	}},
	{name: "rule add", call: func(p *tortured) ([]string, string) {
		return []string{"rule", "add", "--json", "--metric", "m", "--rule", fmt.Sprintf("Rule number %d.", p.number())}, ""
	}, acked: func(l *ledger, _ string, stdout []byte) {
		for doc := range whole[struct{ Rule ruleDoc }](stdout) {
			l.rules[doc.Rule.ID] = doc.Rule.Status
		}
	}},
	{name: "rule retire", call: func(p *tortured) ([]string, string) {
		id := p.ledger.anyRule(p.random)
		return []string{"rule", "retire", id, "--reason", "it was here too long", "--json"}, ""
	}, acked: func(l *ledger, _ string, stdout []byte) {
		for doc := range whole[struct{ Rule ruleDoc }](stdout) {
			if doc.Rule.ID != "" {
				l.rules[doc.Rule.ID] = doc.Rule.Status
			}
		}
	}},
	{name: "validate", call: func(p *tortured) ([]string, string) { return []string{"validate", "--json"}, "" },
		acked: func(l *ledger, _ string, stdout []byte) {
			for round := range whole[roundDoc](stdout) {
				l.judged(round)
			}
		}},
	{name: "case add", call: func(p *tortured) ([]string, string) {
		return []string{"case", "add", "--json", "--kind", "failure", "--session", fmt.Sprintf("c-%d", p.number()),
			"--signature", "breach:m", "--score", "m=0.3", "--input", `{"amount": 1.50}`}, ""
	}, acked: func(l *ledger, _ string, stdout []byte) {
		for doc := range whole[struct{ Case struct{ ID string } }](stdout) {
			if doc.Case.ID != "" {
				l.cases[doc.Case.ID] = true
			}
		}
	}},
	{name: "notice ack", call: func(p *tortured) ([]string, string) {
		return []string{"notice", "ack", p.ledger.anyNotice(p.random), "--note", "seen", "--json"}, ""
	}, acked: func(l *ledger, _ string, stdout []byte) {
		for doc := range whole[struct{ Notice struct{ ID string } }](stdout) {
			if doc.Notice.ID != "" {
				l.notices[doc.Notice.ID] = "acknowledged"
			}
		}
	}},
	{name: "history sync", call: func(*tortured) ([]string, string) { return []string{"history", "sync", "--json"}, "" },
		acked: func(*ledger, string, []byte) {}},
}

// report is one of a session among few, so that they meet; its run_id names it.
func (p *tortured) report() string {
	return fmt.Sprintf(`{"session_id": "s-%d", "run_id": "run-%d", "scores": {"m": 0.%d}, "replay_input": {"n": 1}}`,
		p.random.IntN(12), p.number(), 1+p.random.IntN(9))
}

func stream(p *tortured) ([]string, string) {
	lines := make([]string, 80)
	for i := range lines {
		lines[i] = p.report()
	}
	return []string{"observe", "--stream", "--no-validate", "--json"}, strings.Join(lines, "\n") + "\n"
}

func reportOf(line string) (r struct {
	SessionID string `json:"session_id"`
	RunID     string `json:"run_id"`
}) {
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		panic(err)
	}
	return r
}

// whole gives the JSON documents that came whole; a kill may have cut the last.
func whole[T any](stdout []byte) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		d := json.NewDecoder(bytes.NewReader(stdout))
		for {
			var doc T
			if d.Decode(&doc) != nil || !yield(doc) {
				return
			}
		}
	}
}
