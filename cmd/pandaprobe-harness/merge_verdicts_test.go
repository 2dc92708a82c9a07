package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// candidates is a repository with a candidate that replay can judge and one
// that it cannot.
func candidates(t *testing.T) (base clone, judged, other string) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the replay command is a shell script")
	}
	base = newRepository(t)
	base.harness(`{"session_id": "s", "kind": "failure", "signature": ["breach:m"], "baseline_scores": {"m": 0.3}, "replay_input": 1}`, "case", "add")
	judged = base.addRule("Be careful.", "--rationale", "It broke.\nTwice.")
	var doc struct{ Rule struct{ ID string } }
	base.decode(&doc, "rule", "add", "--json", "--metric", "other", "--rule", "Be quick.")
	base.commit("two candidates")
	return base, judged, doc.Rule.ID
}

// replay runs a round in which every replay scores so much.
func (c clone) replay(score float64) {
	c.t.Helper()
	c.harness("", "validate", "--", "sh", "-c", fmt.Sprintf(`cat >/dev/null; echo '{"session_id": "n", "scores": {"m": %v}}'`, score))
}

// TestDifferentVerdictsConflictInTheRulesFile wants one conflict, told in
// words, and everything else to work on.
func TestDifferentVerdictsConflictInTheRulesFile(t *testing.T) {
	promote := func(c clone, id string) { c.replay(0.9) }
	promoteLess := func(c clone, id string) { c.replay(0.8) }
	retire := func(c clone, id string) { c.harness("", "rule", "retire", id, "--reason", "it cost too much") }
	retireByReplay := func(c clone, id string) { c.replay(0.1) }
	const live, retired = "state/rules/", "state/rules/retired/"
	for _, test := range []struct {
		name   string
		a, b   func(c clone, id string)
		folder string
	}{
		{"retired and promoted", retire, promote, retired},
		{"promoted and retired", promote, retireByReplay, retired},
		{"promoted for different reasons", promote, promoteLess, live},
		{"retired for different reasons", retire, retireByReplay, retired},
	} {
		t.Run(test.name, func(t *testing.T) {
			base, judged, other := candidates(t)
			a, b := base.clone(), base.clone()
			test.a(a, judged)
			a.commit("A")
			test.b(b, judged)
			b.commit("B")
			if err := a.merge(b); err == nil {
				t.Fatal("the verdicts merged")
			}
			file := test.folder + judged + ".toml"
			if got := a.unmerged(); !slices.Equal(got, []string{file}) {
				t.Fatalf("conflicts in %v, want %s alone\n%s", got, file, a.git("status", "--short"))
			}
			a.wantSaid(exitFailed, file+":*: holds git conflict markers; choose one side and remove them", "rule", "status", judged)
			a.wantSaid(exitFailed, file+":*: error: two branches gave this rule different verdicts:", "doctor")
			a.wantSaid(exitFailed, file+":*: holds git conflict markers; choose one side and remove them", "validate")
			if o := a.call("", "validate", "--json"); !strings.Contains(o.stdout, other) || !strings.Contains(o.stdout, `"checked": 1`) {
				t.Errorf("validate did not judge the other candidate:\n%s%s", o.stdout, o.stderr)
			}
			a.harness("", "rule", "status", other)
			if got := a.harness("", "context"); !strings.Contains(got, "Be quick.") {
				t.Errorf("the context lacks the other rule:\n%s", got)
			}
			a.observe("s-2", 0.9)

			// Once a side was chosen, a repair puts the rest right.
			a.git("checkout", "--quiet", "--ours", "--", file)
			a.git("add", "--all")
			a.harness("", "doctor", "--repair")
			a.harness("", "doctor")
			chosen := strings.Contains(a.harness("", "rule", "list"), judged)
			if inForce := strings.HasPrefix(test.name, "promoted"); chosen != inForce {
				t.Errorf("rule %s in force: %v, want %v", judged, chosen, inForce)
			}
		})
	}
}

// wantSaid wants a call to say something, on whichever stream; * is anything.
func (c clone) wantSaid(code int, pattern string, args ...string) {
	c.t.Helper()
	before, after, _ := strings.Cut(pattern, "*")
	o := c.call("", args...)
	said := o.stdout + o.stderr
	_, rest, found := strings.Cut(said, before)
	if o.code != code || !found || !strings.Contains(rest, after) {
		c.t.Errorf("%s: exit code %d, want %d, and %q in\n%s", strings.Join(args, " "), o.code, code, pattern, said)
	}
}

// TestAnEditMergesWithAVerdict edits a rule's file on one branch, line by line,
// while another branch decides on it.
func TestAnEditMergesWithAVerdict(t *testing.T) {
	for _, edit := range []struct{ name, old, fresh string }{
		{"text", `rule = "Be careful."`, `rule = "Be very careful."`},
		{"metric", `metric = "m"`, `metric = "n"`},
		{"tags", `tags = []`, `tags = ["care"]`},
		{"rationale", "It broke.\nTwice.", "It broke.\nThrice."},
		{"a comment above", `id = "r-`, "# Ask Ann before changing this.\nid = \"r-"},
		{"an own key", "[trial]", "owner = \"ann\"\n\n[trial]"},
	} {
		for _, verdict := range []string{"promote", "retire"} {
			t.Run(edit.name+" and "+verdict, func(t *testing.T) {
				base, judged, _ := candidates(t)
				a, b := base.clone(), base.clone()
				a.replace("state/rules/"+judged+".toml", edit.old, edit.fresh)
				a.commit("A")
				folder := "state/rules/"
				if verdict == "promote" {
					b.replay(0.9)
				} else {
					folder += "retired/"
					b.replay(0.1)
				}
				b.commit("B")
				for _, sides := range [][2]clone{{a, b}, {b, a}} {
					merged := sides[0].clone()
					if err := merged.merge(sides[1]); err != nil {
						t.Fatalf("%v\n%s", err, merged.git("diff"))
					}
					content := merged.read(folder + judged + ".toml")
					if !strings.Contains(content, edit.fresh) || !strings.Contains(content, verdict+"d:") && !strings.Contains(content, "retired:") {
						t.Errorf("the merged rule lost something:\n%s", content)
					}
					merged.harness("", "rule", "status", judged)
				}
			})
		}
	}
}

// TestARetirementThatGitTakesForADeletion has a reason so long that git does not
// see the move: the rule is in both folders then.
func TestARetirementThatGitTakesForADeletion(t *testing.T) {
	base, judged, other := candidates(t)
	a, b := base.clone(), base.clone()
	a.replace("state/rules/"+judged+".toml", "Be careful.", "Be very careful.")
	a.commit("A")
	b.harness("", "rule", "retire", judged, "--reason", strings.Repeat("it cost too much, ", 100))
	b.commit("B")
	if err := a.merge(b); err == nil {
		t.Fatal("it merged: then this test is not about what it says")
	}
	file := "state/rules/" + judged + ".toml"
	if got := a.unmerged(); !slices.Equal(got, []string{file}) {
		t.Errorf("conflicts in %v, want %s alone", got, file)
	}
	words := file + ": is there a second time as state/rules/retired/" + judged + ".toml"
	a.wantSaid(exitFailed, words, "validate")
	a.wantSaid(exitFailed, words, "rule", "status", judged)
	a.wantSaid(exitFailed, words, "rule", "retire", judged, "--reason", "again")
	a.wantSaid(exitFailed, file+": error: two branches went different ways with this rule:", "doctor")
	a.harness("", "rule", "status", other)

	a.git("rm", "--quiet", "--force", file)
	a.git("add", "--all")
	a.harness("", "doctor", "--repair")
	a.harness("", "validate")
}

// TestAcknowledgingAllMergesWithNewNotices empties the folder of the pending
// notices on one side; git must not take it for renamed.
func TestAcknowledgingAllMergesWithNewNotices(t *testing.T) {
	base := newRepository(t)
	base.observe("s-1", 0.1)
	base.commit("a notice")
	a, b := base.clone(), base.clone()
	var list struct{ Notices []struct{ ID string } }
	a.decode(&list, "notice", "list", "--json")
	for _, n := range list.Notices {
		a.harness("", "notice", "ack", n.ID)
	}
	a.commit("A")
	b.observe("s-2", 0.2)
	b.commit("B")
	for _, sides := range [][2]clone{{a, b}, {b, a}} {
		merged := sides[0].clone()
		if err := merged.merge(sides[1]); err != nil {
			t.Fatal(err)
		}
		var pending struct {
			Notices []struct {
				Session string `json:"session_id"`
			}
		}
		if merged.decode(&pending, "notice", "list", "--json"); len(pending.Notices) != 1 || pending.Notices[0].Session != "s-2" {
			t.Errorf("pending: %+v", pending)
		}
	}
}

// TestRetiringTheLastRuleMergesWithANewOne does the same to the folder of the
// live rules.
func TestRetiringTheLastRuleMergesWithANewOne(t *testing.T) {
	base := newRepository(t)
	id := base.addRule("Be careful.")
	base.commit("a rule")
	a, b := base.clone(), base.clone()
	a.harness("", "rule", "retire", id, "--reason", "no")
	a.commit("A")
	b.addRule("Be quick.")
	b.commit("B")
	if err := a.merge(b); err != nil {
		t.Fatal(err)
	}
	if got := a.harness("", "rule", "list"); !strings.Contains(got, "Be quick.") || strings.Contains(got, id) {
		t.Errorf("live rules:\n%s", got)
	}
}

// TestARemovedCaseIsNotMixedWithASimilarOne removes a case and captures one that
// git takes for it, renamed, while another branch changes the removed one.
func TestARemovedCaseIsNotMixedWithASimilarOne(t *testing.T) {
	input := `{"settings": ["` + strings.Repeat("the same in all of them", 20) + `"], "task": "%s"}`
	base := newRepository(t)
	add := func(c clone, session, task string) (id string) {
		var doc struct{ Case struct{ ID string } }
		c.decode(&doc, "case", "add", "--json", "--session", session, "--kind", "win", "--input", fmt.Sprintf(input, task))
		return doc.Case.ID
	}
	removed := add(base, "s-1", "one")
	base.commit("a case")
	a, b := base.clone(), base.clone()
	a.harness("", "case", "remove", removed)
	similar := add(a, "s-2", "one")
	a.commit("A")
	b.harness("", "case", "attach", removed, "--input", fmt.Sprintf(input, "another one"))
	b.commit("B")
	if err := a.merge(b); err == nil {
		t.Fatal("the removal and the change of one case merged")
	}
	if got := a.read("state/evalset/" + similar + ".json"); !strings.Contains(got, `"task": "one"`) {
		t.Errorf("the other case became\n%s", got)
	}
}
