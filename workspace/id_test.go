package workspace

import (
	"testing"
	"time"
)

func TestIDPatterns(t *testing.T) {
	now := time.Date(2026, 11, 30, 18, 24, 51, 740405000, time.UTC)
	for range 50 {
		for _, err := range []error{CheckRuleID(NewRuleID()), CheckCaseID(NewCaseID()), CheckNoticeID(NewNoticeID(now))} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	checks := map[string]func(string) error{"rule": CheckRuleID, "case": CheckCaseID, "notice": CheckNoticeID}
	for kind, bad := range map[string][]string{
		"rule": {"", "r-", "r-012345678", "r-01234567890", "r-0123456789/..", "../r-0123456789", "R-0123456789", "r-0123456789\n", "r-012345678G", "c-0123456789", "r-\x000123456789"},
		"case": {"c-012345678A", "r-0123456789", "c-../../../x"},
		"notice": {"n-20261130T182451740405", "n-20261130T182451740405-b805355", "n-20261130-182451740405-b8053555",
			"n-2026113xT182451740405-b8053555", "n-20261130T182451740405-b805355G", "n-20261130T182451740405-b8053555/x"},
	} {
		for _, id := range bad {
			if checks[kind](id) == nil {
				t.Errorf("%q passes as a %s id", id, kind)
			}
		}
	}
}

func TestNoticeIDBeginsWithItsTime(t *testing.T) {
	id := NewNoticeID(time.Date(2026, 1, 2, 3, 4, 5, 6000, time.FixedZone("", 3600)))
	if want := "n-20260102T020405000006-"; id[:len(want)] != want {
		t.Errorf("id %s, want it to begin with %s", id, want)
	}
}
