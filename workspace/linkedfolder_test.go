//go:build unix

package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestNothingIsWrittenIntoALinkedFolder moves each folder of the state out of the
// workspace and leaves a link in its place.
func TestNothingIsWrittenIntoALinkedFolder(t *testing.T) {
	o := operation{knobs: []string{"rule_trial_min_sessions=1"}, prepare: nothing}
	from := quickDir(t)
	w, err := workspace.Init(ctx, from)
	must(t, err)
	withDamage(t, o.engine(t, from))
	withCaseAndRule(t, o.engine(t, from))
	must(t, observe(o.engine(t, from), report("s-2", 0.1)))
	halfRetired(t, o.engine(t, from))
	misplaced, _, err := o.engine(t, from).AddRule(ctx, lifecycle.NewRule{Rule: "Be brief.", Metric: "m"})
	must(t, err)
	rules := filepath.Join(from, "state", "rules")
	must(t, os.Rename(filepath.Join(rules, misplaced.ID+".toml"), filepath.Join(rules, "retired", misplaced.ID+".toml")))
	must(t, w.Touch("round_wanted"))
	for _, folder := range []string{
		"state", "state/rules", "state/rules/retired", "state/trials", "state/evalset", "state/sessions", "state/journal",
		"state/mailbox", "state/mailbox/pending", "state/mailbox/processed", "state/local", "state/local/marks",
	} {
		root, outside := copied(t, from), filepath.Join(quickDir(t), "outside")
		path := filepath.Join(root, filepath.FromSlash(folder))
		must(t, os.Rename(path, outside))
		must(t, os.Symlink(outside, path))
		before := allFiles(t, outside)
		e := o.engine(t, root)
		useAll(e)
		e.RemoveCase(ctx, theCase(e))
		if notices, _ := e.Notices(false); len(notices) > 0 {
			e.AckNotice(ctx, lifecycle.Ack{NoticeID: notices[0].ID})
		}
		e.RunBackground(ctx, lifecycle.RoundOptions{}, func(lifecycle.Round, error) {})
		if diff := cmp.Diff(before, allFiles(t, outside)); diff != "" {
			t.Errorf("what the link %s leads to (-before +after):\n%s", folder, diff)
		}
	}
}
