package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// crowd is a workspace that many processes work on at once.
type crowd struct {
	*program
	until time.Time

	mu     sync.Mutex
	ledger *ledger
	random *rand.Rand
	number int
	calls  map[string]int
}

const crowdKnobs = `capture_eval_cases = true
circuit_breaker_max_notices = 0
eval_case_max = 0
max_active_rules = 0
rule_trial_min_sessions = 6
`

// TestACrowdSumsUp runs ten processes of all kinds at once and wants the state
// that they would have left one after the other: everything acknowledged is
// there once, nothing else is, and every report was judged on all that stood
// before it.
func TestACrowdSumsUp(t *testing.T) {
	t.Parallel()
	seconds := scale(t, "TORTURE_SECONDS", 3)
	c := &crowd{program: newProgram(t, crowdKnobs), until: time.Now().Add(time.Duration(seconds) * time.Second),
		ledger: newLedger(), random: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2)), calls: map[string]int{}}
	var all sync.WaitGroup
	for _, work := range []func(){
		func() { c.streams("--no-validate") },
		func() { c.streams() }, // starts rounds in the background
		func() { c.writes("rule add") }, func() { c.writes("rule retire") }, func() { c.writes("case add") },
		func() { c.writes("notice ack") }, func() { c.writes("validate") }, func() { c.writes("history sync") },
		func() { c.reads("context", "rule list --json", "case list --json", "notice list --json") },
		func() { c.reads("journal -n 20 --json", "reflect --json", "history show s-1 --json", "config --json") },
	} {
		all.Go(work)
	}
	all.Wait()
	c.must("drain")
	c.must("history", "sync")
	c.sumsUp()
	t.Logf("torture: ten processes for %d s; acknowledged %s; calls %v", seconds, c.ledger, c.calls)
}

// streams feeds a stream and waits for its answers, batch by batch.
func (c *crowd) streams(flags ...string) {
	p := c.converse(append([]string{"observe", "--stream", "--json"}, flags...)...)
	for time.Now().Before(c.until) {
		reports := make([]string, 20)
		for i := range reports {
			reports[i] = c.report()
			p.say("%s", reports[i])
		}
		for _, report := range reports {
			var answer observed
			if err := json.Unmarshal([]byte(p.hear()), &answer); err != nil || !answer.OK {
				c.t.Errorf("answer: %+v, %v", answer, err)
			}
			c.note("report", func() { c.ledger.observed(reportOf(report), answer) })
		}
	}
	if out := p.end(); out.code != 0 || out.stderr != "" {
		c.t.Errorf("observe --stream: exit code %d\n%s", out.code, out.stderr)
	}
}

func (c *crowd) report() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.number++
	return fmt.Sprintf(`{"session_id": "s-%d", "run_id": "run-%d", "scores": {"m": 0.%d}, "replay_input": {"n": 1}}`,
		c.random.IntN(30), c.number, 1+c.random.IntN(9))
}

func (c *crowd) note(what string, change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[what]++
	change()
}

// writes runs one kind of writer again and again. What it acknowledged is taken
// down as the tortured ones are.
func (c *crowd) writes(kind string) {
	i := slices.IndexFunc(victims, func(v victim) bool { return v.name == kind })
	for time.Now().Before(c.until) {
		var args []string
		c.note(kind, func() {
			p := tortured{program: c.program, random: c.random, ledger: c.ledger, next: c.number}
			args, _ = victims[i].call(&p)
			c.number = p.next
		})
		out := c.pipe("", args...)
		if out.code != 0 && !refusedBySense(out.stderr) {
			c.t.Errorf("%s: exit code %d\n%s", kind, out.code, out.stderr)
		}
		c.note(kind+" done", func() { victims[i].acked(c.ledger, "", []byte(out.stdout)) })
	}
}

// reads runs pure readers, for which nothing may ever look broken.
func (c *crowd) reads(lines ...string) {
	for i := 0; time.Now().Before(c.until); i++ {
		line := lines[i%len(lines)]
		out := c.run(strings.Fields(line)...)
		absent := strings.Contains(out.stderr, "nothing is known of the session")
		if (out.code != 0 || out.stderr != "" && !strings.HasPrefix(line, "rule list")) && !absent {
			c.t.Errorf("%s: exit code %d\n%s", line, out.code, out.stderr)
		}
		if strings.HasSuffix(line, "--json") && !json.Valid([]byte(out.stdout)) {
			c.t.Errorf("%s: no document: %s", line, out.stdout)
		}
		c.note("reader", func() {})
	}
}

// sumsUp compares what is there with what was acknowledged.
func (c *crowd) sumsUp() {
	c.t.Helper()
	w, err := workspace.Open(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	w.Warn = func(err error) { c.t.Errorf("a reader is warned: %v", err) }
	(&tortured{program: c.program, ledger: c.ledger}).checkReports(w)
	c.rulesSumUp(w)
	c.casesAndNoticesSumUp(w)
	c.replaySerially(w)
	health, err := lifecycle.Doctor{Workspace: w, Warn: func(error) {}}.Examine(context.Background())
	if err != nil || !health.OK {
		c.t.Errorf("the doctor finds %v, %v", health.Findings, err)
	}
}

func (c *crowd) rulesSumUp(w *workspace.Workspace) {
	c.t.Helper()
	live, _, err := w.LiveRules()
	if err != nil {
		c.t.Fatal(err)
	}
	retired, _, err := w.RetiredRules()
	if err != nil {
		c.t.Fatal(err)
	}
	there := map[string]string{}
	for _, r := range slices.Concat(live, retired) {
		there[r.ID] = string(r.Status)
	}
	added, promoted := c.events(w, lifecycle.EventRuleAdd), c.events(w, lifecycle.EventPromote)
	for id := range c.ledger.rules {
		if added[id] != 1 {
			c.t.Errorf("rule %s was added %d times", id, added[id])
		}
	}
	if len(there) != len(c.ledger.rules) || len(added) != len(there) {
		c.t.Errorf("%d rules, %d acknowledged, %d journaled", len(there), len(c.ledger.rules), len(added))
	}
	retirements := c.events(w, lifecycle.EventRetire)
	for id, status := range there {
		if want := map[string]int{"retired": 1}[status]; retirements[id] != want {
			c.t.Errorf("rule %s is %s and was retired %d times", id, status, retirements[id])
		}
		if status == "active" && promoted[id] != 1 || status == "candidate" && promoted[id] != 0 {
			c.t.Errorf("rule %s is %s and was promoted %d times", id, status, promoted[id])
		}
	}
}

// events counts the events of a type by the rule that they are about.
func (c *crowd) events(w *workspace.Workspace, kind string) map[string]int {
	c.t.Helper()
	events, err := w.Events(workspace.JournalFilter{Types: []string{kind}})
	if err != nil {
		c.t.Fatal(err)
	}
	counts := map[string]int{}
	for _, e := range events {
		counts[e.RuleID]++
	}
	return counts
}

func (c *crowd) casesAndNoticesSumUp(w *workspace.Workspace) {
	c.t.Helper()
	cases, _, err := w.Cases()
	if err != nil {
		c.t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, one := range cases {
		ids[one.ID] = true
	}
	if diff := cmp.Diff(c.ledger.cases, ids); diff != "" {
		c.t.Errorf("cases (-acknowledged +there):\n%s", diff)
	}
	notices, err := w.Notices(true)
	if err != nil {
		c.t.Fatal(err)
	}
	there, acks := map[string]string{}, 0
	for _, n := range notices {
		there[n.ID] = n.Status
		if n.Status == workspace.Acknowledged {
			acks++
		}
	}
	if diff := cmp.Diff(c.ledger.notices, there); diff != "" {
		c.t.Errorf("notices (-acknowledged +there):\n%s", diff)
	}
	sum := func(counts map[string]int) (n int) {
		for _, count := range counts {
			n += count
		}
		return n
	}
	got := []int{sum(c.events(w, lifecycle.EventNotice)), sum(c.events(w, lifecycle.EventAck)), sum(c.events(w, lifecycle.EventCapture))}
	if diff := cmp.Diff([]int{len(there), acks, len(ids)}, got); diff != "" {
		c.t.Errorf("notices, acknowledgements, captures (-files +journal):\n%s", diff)
	}
}

// replaySerially observes the reports of each session again, one after the
// other, in a fresh workspace: averages, conditions and notices must be those
// that the crowd came to.
func (c *crowd) replaySerially(w *workspace.Workspace) {
	c.t.Helper()
	fresh, err := workspace.Init(context.Background(), c.t.TempDir())
	if err != nil {
		c.t.Fatal(err)
	}
	cfg, _, _, err := workspace.LoadConfig(workspace.LoadOptions{Flags: []string{"circuit_breaker_max_notices=0"}})
	if err != nil {
		c.t.Fatal(err)
	}
	observer := (&lifecycle.Engine{Workspace: fresh, Config: cfg}).NewObserver()
	for _, session := range slices.Compact(slices.Sorted(maps.Values(c.ledger.runs))) {
		lines, err := w.SessionLines(session)
		if err != nil {
			c.t.Fatal(err)
		}
		var reports []lifecycle.Report
		for _, line := range lines {
			reports = append(reports, lifecycle.Report{SessionID: session, RunID: line.RunID, HasScores: true,
				Scores: []lifecycle.Score{{Name: "m", Value: line.Scores["m"]}}})
		}
		if _, err := observer.Observe(context.Background(), reports); err != nil {
			c.t.Fatal(err)
		}
		serial, err := fresh.SessionLines(session)
		if err != nil {
			c.t.Fatal(err)
		}
		if diff := cmp.Diff(essence(serial), essence(lines)); diff != "" {
			c.t.Fatalf("session %s (-one after the other +the crowd):\n%s", session, diff)
		}
	}
}

// essence is what of a session's lines does not depend on when they were written.
func essence(lines []workspace.SessionLine) (all []string) {
	for _, l := range lines {
		all = append(all, fmt.Sprint(l.RunID, l.EWMA, l.Signatures, l.NoticeID != "", l.Held))
	}
	return all
}
