package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// breach is the report of a session that breached, or not, on the metric m.
type liveReport struct {
	session string
	score   float64
}

// Branches of one clone, merged either way: each session counts once, a breach
// on either side stays one, and both directions say the same.
func TestUnionMerge(t *testing.T) {
	t.Parallel()
	base := newProgram(t, "rule_trial_min_sessions = 6\n")
	id := base.addRule("one", "--metric", "m")
	decided := base.addRule("decided on both sides", "--metric", "k")
	base.observe("s-0", 0.9, "--no-validate")
	base.commit()

	sides := map[string][]liveReport{
		"a": {{"s-1", 0.2}, {"s-2", 0.9}, {"s-3", 0.9}, {"own-a", 0.9}},
		"b": {{"s-1", 0.9}, {"s-2", 0.9}, {"s-3", 0.2}, {"own-b", 0.9}},
	}
	for _, side := range []string{"a", "b"} {
		base.git("checkout", "-q", "-b", side, "main")
		for _, r := range sides[side] {
			base.observe(r.session, r.score, "--no-validate")
		}
		file := "state/rules/" + decided + ".toml"
		if side == "a" {
			base.must("rule", "retire", decided, "--reason", "by hand")
		} else {
			base.write(file, strings.Replace(base.read(file), `"candidate"`, `"active"`, 1))
		}
		base.git("add", "-A")
		base.git("commit", "-q", "-m", side)
	}
	var lifecycles []lifecycleAnswer
	for _, side := range []string{"a", "b"} {
		p := mergedClone(base, side)
		checkConflict(p, decided)
		lifecycles = append(lifecycles, p.lifecycleOf(id))
		p.must("context")
		checkWholeRecords(p)
	}
	if diff := cmp.Diff(lifecycles[0], lifecycles[1]); diff != "" {
		t.Errorf("the directions of the merge differ:\n%s", diff)
	}
	if l := lifecycles[0]; l.SessionsObserved != 6 || l.TrialRate < 0.33 || l.TrialRate > 0.34 {
		t.Errorf("got %+v, want 6 sessions of which 2 breached", l)
	}
}

// mergedClone is a clone that stands on one side and merges the other into it.
func mergedClone(base *program, side string) *program {
	base.t.Helper()
	p := *base
	p.dir = base.dir + "-" + side
	other := map[string]string{"a": "b", "b": "a"}[side]
	base.git("clone", "-q", "-b", side, base.dir, p.dir)
	merge := p.command()
	merge.Args[0], merge.Path = "git", gitPath(base)
	merge.Args = append(merge.Args, "-c", "user.name=t", "-c", "user.email=t@example.org", "merge", "-q", "-m", "merge", "origin/"+other)
	merge.begin().wait() // ends in a conflict of the rule decided on both sides
	return &p
}

func gitPath(p *program) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if path := filepath.Join(dir, "git"); isFile(path) {
			return path
		}
	}
	p.t.Fatal("git is not there")
	return ""
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// checkConflict wants one clear error for the file that the merge left with
// markers, while the other rules work.
func checkConflict(p *program, id string) {
	p.t.Helper()
	marked := ""
	for _, name := range []string{"state/rules/" + id + ".toml", "state/rules/retired/" + id + ".toml"} {
		if strings.Contains(p.read(name), "<<<<<<<") {
			marked = name
		}
	}
	if marked == "" {
		p.t.Fatal("the merge left no conflict, so nothing is shown")
	}
	checkBroken(p, p.run("rule", "status", id), marked)
}

func checkBroken(p *program, out ending, file string) {
	p.t.Helper()
	if out.code != exitFailed || strings.Count(out.stderr, file) == 0 || !strings.Contains(out.stderr, "conflict markers") {
		p.t.Errorf("exit code %d; want an error that names %s:\n%s", out.code, file, out.stderr)
	}
}

// A rule file with conflict markers is one clear error, and a round judges the
// others.
func TestConflictMarkers(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(better))
	p.addFailure("s-1")
	marked, other := p.addRule("one", "--metric", "m"), p.addRule("two", "--metric", "m")
	file := "state/rules/" + marked + ".toml"
	text := strings.Replace(p.read(file), `status = "candidate"`, "<<<<<<< HEAD\nstatus = \"active\"\n=======\nstatus = \"retired\"\n>>>>>>> other", 1)
	p.write(file, text)

	var round roundAnswer
	out := p.ask(&round, "", []string{"validate"}, exitFailed)
	checkBroken(p, out, file)
	if round.Checked != 1 || round.OK || round.Error.Code != "broken_file" || p.statusIn(other) != "active" {
		t.Errorf("the other candidate is %s; %+v", p.statusIn(other), round)
	}
	context := p.run("context")
	if context.code != 0 || !strings.Contains(context.stdout, "two") || strings.Contains(context.stdout, "one") || strings.Count(context.stderr, file) != 1 {
		t.Errorf("context: exit code %d\n%s%s", context.code, context.stdout, context.stderr)
	}
	if p.read(file) != text {
		t.Error("the marked file was rewritten")
	}
}

// checkWholeRecords wants the merge to have left whole lines only.
func checkWholeRecords(p *program) {
	p.t.Helper()
	for _, file := range p.files("state/*/*.jsonl") {
		lines[struct{}](p, file)
	}
}
