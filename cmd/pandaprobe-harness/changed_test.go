package main

import (
	"strings"
	"testing"
)

// A rule that changes while its replay runs is not judged on what it was.
func TestChangedDuringReplay(t *testing.T) {
	t.Parallel()
	const file = `"state/rules/$HARNESS_RULE_ID.toml"`
	edit := func(from, to string) string {
		return `sed 's/` + from + `/` + to + `/' ` + file + ` > edited && cat edited > ` + file + `; `
	}
	for _, c := range []struct {
		name, change, status, verdict string
	}{
		{"edited", edit("be kind", "be strict"), "candidate", ""},
		{"its metric edited", edit(`metric = \"m\"`, `metric = \"n\"`), "candidate", ""},
		{"promoted", edit(`status = \"candidate\"`, `status = \"active\"`), "active", ""},
		{"retired", programName + ` rule retire "$HARNESS_RULE_ID" --reason 'by hand'; `, "retired", "retired:by hand"},
	} {
		for _, replay := range []string{better, worse, "exit 1"} {
			t.Run(c.name+", "+replay, func(t *testing.T) {
				t.Parallel()
				p := newProgram(t, replayConfig(`test -e done || { touch done; `+c.change+`}; `+replay))
				p.addFailure("s-1")
				id := p.addRule("be kind", "--metric", "m")
				round := p.validate(nil)
				if len(round.Verdicts) != 1 || round.Verdicts[0].ReasonCode != "changed" || round.Verdicts[0].Applied || round.Verdicts[0].Outcome != "pending" {
					t.Errorf("want it passed over, got %+v", round)
				}
				l := p.lifecycleOf(id)
				if l.Status != c.status || l.Verdict != c.verdict || l.ReplayAttempts != 0 {
					t.Errorf("got %+v, want %s with verdict %q and no attempt", l, c.status, c.verdict)
				}
			})
		}
	}
}

// The round after an edit judges the new text, which is what the replay saw.
func TestEditedRuleIsJudgedNext(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(`cat "$HARNESS_CONTEXT_FILE" > seen; `+better))
	p.addFailure("s-1")
	id := p.addRule("be kind", "--metric", "m")
	file := "state/rules/" + id + ".toml"
	p.write(file, strings.ReplaceAll(p.read(file), "be kind", "be strict"))
	if round := p.validate(nil); round.Verdicts[0].Outcome != "promote" {
		t.Errorf("got %+v", round)
	}
	if seen := p.read("seen"); !strings.Contains(seen, "be strict") || strings.Contains(seen, "be kind") {
		t.Errorf("the replay saw:\n%s", seen)
	}
}

// A candidate is looked at when its turn comes: one that was retired since the
// round began is not replayed.
func TestRetiredBeforeItsTurn(t *testing.T) {
	t.Parallel()
	p := newProgram(t, replayConfig(`echo "$HARNESS_RULE_ID" >> replayed; `+programName+` rule retire "$(cat second)" --reason 'by hand' >&2; `+better))
	p.addFailure("s-1")
	first, second := p.addRule("one", "--metric", "m"), p.addRule("two", "--metric", "m")
	p.write("second", second)
	round := p.validate(nil)
	if round.Checked != 1 || len(round.Verdicts) != 1 || round.Verdicts[0].RuleID != first {
		t.Errorf("got %+v, want a verdict on %s alone", round, first)
	}
	if replayed := strings.Fields(p.read("replayed")); len(replayed) != 1 {
		t.Errorf("replayed: %v", replayed)
	}
	if l := p.lifecycleOf(second); l.Verdict != "retired:by hand" {
		t.Errorf("got %+v", l)
	}
}
