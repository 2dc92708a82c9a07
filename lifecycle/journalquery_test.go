package lifecycle_test

import (
	"testing"
	"time"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"2026-01-31T09:30:00Z":      "2026-01-31T09:30:00.000000Z",
		"2026-01-31T09:30:00+02:00": "2026-01-31T07:30:00.000000Z",
		"2026-01-31":                "2026-01-31T00:00:00.000000Z",
		"90m":                       "2026-03-10T10:30:00.000000Z",
		"1h30m":                     "2026-03-10T10:30:00.000000Z",
		"7d":                        "2026-03-03T12:00:00.000000Z",
		"1.5d":                      "2026-03-09T00:00:00.000000Z",
		"2w":                        "2026-02-24T12:00:00.000000Z",
		"0s":                        "2026-03-10T12:00:00.000000Z",
		"":                          "",
		"7":                         "",
		"d":                         "",
		"-1h":                       "",
		"-1d":                       "",
		"NaNd":                      "",
		"1e300d":                    "",
		"Infw":                      "",
		"yesterday":                 "",
		"2026-02-30":                "",
		"31.01.2026":                "",
	} {
		got, err := lifecycle.ParseSince(text, now)
		if want == "" {
			if err == nil {
				t.Errorf("%q: got %v, want it refused", text, got)
			}
			continue
		}
		if err != nil || got.String() != want {
			t.Errorf("%q: got %v, %v, want %s", text, got, err, want)
		}
	}
}

// FuzzParseSince: whatever is taken lies in a year that can be written, and a
// length of time ends before now.
func FuzzParseSince(f *testing.F) {
	for _, seed := range []string{"2026-01-31T09:30:00Z", "2026-01-31", "90m", "7d", "1e9w", "0x1p-2d", "-0d", "9223372036854775807ns"} {
		f.Add(seed)
	}
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		since, err := lifecycle.ParseSince(text, now)
		if err != nil {
			return
		}
		if again, err := workspace.ParseTime(since.String()); err != nil || !again.Equal(since) {
			t.Errorf("%q became %v, which is read as %v, %v", text, since, again, err)
		}
	})
}

func TestJournalQueryRefuses(t *testing.T) {
	e := newEngine(t, nil)
	for _, q := range []lifecycle.JournalQuery{{RuleID: "x"}, {Since: "x"}} {
		if _, err := e.Journal(q); workspace.CodeOf(err) != workspace.CodeBadInput {
			t.Errorf("%+v: got %v", q, err)
		}
	}
}

func TestJournalQueryChooses(t *testing.T) {
	e := newEngine(t, nil)
	newNotice(t, e, "s-1")
	rule := newRule(t, e, lifecycle.NewRule{Rule: "Be brief."})
	newNotice(t, e, "s-2")
	for _, c := range []struct {
		query lifecycle.JournalQuery
		want  int
	}{
		{lifecycle.JournalQuery{}, 3},
		{lifecycle.JournalQuery{Last: 2}, 2},
		{lifecycle.JournalQuery{RuleID: rule.ID}, 1},
		{lifecycle.JournalQuery{SessionID: "s-2"}, 1},
		{lifecycle.JournalQuery{Types: []string{lifecycle.EventNotice, lifecycle.EventRuleAdd}, Since: "1d"}, 3},
		{lifecycle.JournalQuery{Since: "2099-01-01"}, 0},
	} {
		events, err := e.Journal(c.query)
		if err != nil || len(events) != c.want {
			t.Errorf("%+v: got %d events, %v, want %d", c.query, len(events), err, c.want)
		}
	}
}
