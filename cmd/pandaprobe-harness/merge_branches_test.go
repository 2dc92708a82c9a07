package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTwoBranchesOfOneCloneMerge has one writer append to the same files on two
// branches, with what a crash and a cherry-pick leave: torn ends, lines that are
// on both sides.
func TestTwoBranchesOfOneCloneMerge(t *testing.T) {
	one := newRepository(t)
	one.observe("before", 0.3)
	judged := one.addRule("Be careful.")
	one.commit("before")
	var tail string
	for _, who := range []string{"A", "B"} {
		one.git("checkout", "--quiet", "-b", who, "main")
		for _, s := range traffic {
			if s.who == who && s.rule == "" {
				one.observe(s.session, s.score)
			}
		}
		one.addCases(who)
		journal := one.evidence("journal")[0]
		if who == "A" {
			lines := strings.SplitAfter(one.read(journal), "\n")
			tail = lines[len(lines)-2]
		} else {
			one.append(journal, tail+tail)
		}
		for _, rel := range append(one.evidence("trials"), append(one.evidence("sessions"), journal)...) {
			one.append(rel, `{"ts":"2026-01-01T00:00:00.000000Z","id":"`+who)
		}
		one.commit(who)
	}
	both := map[string]string{}
	for _, direction := range [][2]string{{"A", "B"}, {"B", "A"}} {
		merged := one.clone()
		merged.git("checkout", "--quiet", direction[0])
		if out, err := merged.tryGit("merge", "--quiet", "--no-edit", "origin/"+direction[1]); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		both[direction[0]] = merged.history(judged)
		var status struct {
			Rule struct {
				Trial struct {
					Observed []string `json:"observed_sessions"`
					Breached []string `json:"breached_sessions"`
				}
			}
		}
		merged.decode(&status, "rule", "status", judged, "--json")
		observed, breached := slices.Sorted(slices.Values(status.Rule.Trial.Observed)), slices.Sorted(slices.Values(status.Rule.Trial.Breached))
		if diff := cmp.Diff([]string{"own-a1", "own-a2", "own-b1", "own-b2", "shared-1", "shared-2"}, observed); diff != "" {
			t.Errorf("observed (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"own-a1", "own-b2", "shared-1", "shared-2"}, breached); diff != "" {
			t.Errorf("breached (-want +got):\n%s", diff)
		}
		// What follows stands on lines of its own.
		merged.observe("shared-1", 0.5)
		if o := merged.call("", "history", "show", "shared-1", "--json"); strings.Count(o.stdout, `"value"`) != 5 {
			t.Errorf("the session's scores:\n%s%s", o.stdout, o.stderr)
		}
	}
	if diff := cmp.Diff(both["A"], both["B"]); diff != "" {
		t.Errorf("the direction of the merge shows (-A with B, +B with A):\n%s", diff)
	}
	if n := strings.Count(both["A"], `"case_id"`); n == 0 {
		t.Error("no case was captured")
	}
}

// evidence names the evidence files of a folder of the state.
func (c clone) evidence(folder string) (rels []string) {
	c.t.Helper()
	found, err := filepath.Glob(c.path("state/" + folder + "/*.jsonl"))
	if err != nil || len(found) == 0 {
		c.t.Fatalf("%s: %v (%v)", folder, found, err)
	}
	for _, path := range found {
		rels = append(rels, "state/"+folder+"/"+filepath.Base(path))
	}
	return rels
}

func (c clone) append(rel, text string) {
	c.t.Helper()
	f, err := os.OpenFile(c.path(rel), os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		c.t.Fatal(err)
	}
}
