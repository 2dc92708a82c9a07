package workspace

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatChangedSinceTheLookIsLeftAlone: a person, or git, mended or changed it
// between the examination and the repair.
func TestWhatChangedSinceTheLookIsLeftAlone(t *testing.T) {
	const (
		live, retired      = rulesDir + "/r-0123456789.toml", retiredDir + "/r-0123456789.toml"
		pending, processed = pendingDir + "/n-20260101T100000000000-01234567.json", processedDir + "/n-20260101T100000000000-01234567.json"
	)
	rule := func(status Status) string {
		r := exampleRule("r-0123456789")
		r.Status = status
		return formatRule(r)
	}
	notice := func(status string) string {
		return `{"id": "n-20260101T100000000000-01234567", "created_at": "2026-01-01T10:00:00Z", "session_id": "s", "status": "` + status + `"}`
	}
	type files map[string]string
	for _, c := range []struct {
		kind      string
		made, now files // "" = no file
	}{
		{KindHalfRetired, files{live: rule(Retired)}, files{live: rule(Active)}},
		{KindHalfRetired, files{live: rule(Retired)}, files{live: ""}},
		{KindMisplacedRule, files{retired: rule(Active)}, files{retired: rule(Retired)}},
		{KindRuleTwice, files{live: rule(Retired), retired: rule(Retired)}, files{live: rule(Active)}},
		{KindRuleTwice, files{live: rule(Retired), retired: rule(Retired)}, files{retired: ""}},
		{KindMisplacedNotice, files{pending: notice(Acknowledged)}, files{pending: notice(Pending)}},
		{KindNoticeTwice, files{pending: notice(Pending), processed: notice(Acknowledged)}, files{pending: notice(Pending) + "\n"}},
		{KindNoticeTwice, files{pending: notice(Pending), processed: notice(Acknowledged)}, files{processed: "{"}},
		{KindNoticeTwice, files{pending: notice(Pending), processed: notice(Acknowledged)}, files{processed: ""}},
		{KindLeftover, files{rulesDir + "/.tmp-x-01234567": "id"}, files{rulesDir + "/.tmp-x-01234567": ""}},
	} {
		w := newRepairTest(t)
		put := func(all files) {
			for rel, text := range all {
				if write(t, w, rel, text); text == "" {
					if err := os.Remove(w.path(rel)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		put(c.made)
		x := examine(t, w)
		if len(x.mends) != 1 || x.mends[0].kind != c.kind {
			t.Fatalf("%s: to be mended is %v", c.kind, x.Findings)
		}
		put(c.now)
		before := snapshot(t, w)
		mended, left := mendAll(t, w, x)
		if diff := cmp.Diff(before, snapshot(t, w)); diff != "" || len(mended) > 0 {
			t.Errorf("%s, now %v: mended %v, left %v (-before +after):\n%s", c.kind, c.now, mended, left, diff)
		}
	}
}

// TestWhatIsSetAsideStays: what a later repair sets aside under the same name is
// put beside it, and half a line that a repair left is closed.
func TestWhatIsSetAsideStays(t *testing.T) {
	w := newRepairTest(t)
	retired := exampleRule("r-0123456789")
	retired.Status = Retired
	texts := []string{formatRule(retired), formatRule(retired) + "# by hand\n", formatRule(retired) + "# again\n"}
	for _, text := range texts {
		write(t, w, retiredDir+"/r-0123456789.toml", formatRule(retired))
		write(t, w, rulesDir+"/r-0123456789.toml", text)
		mendAll(t, w, examine(t, w))
	}
	for i, name := range []string{"", ".2", ".3"} {
		if got := read(t, w, repairedDir+"/"+rulesDir+"/r-0123456789.toml"+name); got != texts[i] {
			t.Errorf("what was set aside as %q is now:\n%s", name, got)
		}
	}

	write(t, w, repairedDay, "{half")
	write(t, w, dayFile, dayLine(1)+"{torn\n")
	mendAll(t, w, examine(t, w))
	if got := read(t, w, repairedDay); !strings.HasSuffix(got, "{half\n{torn\n") {
		t.Errorf("got %q", got)
	}
}
