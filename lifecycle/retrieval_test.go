package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func taggedRule(t *testing.T, id, at, text, rationale string, tags ...string) workspace.Rule {
	t.Helper()
	created, err := workspace.ParseTime(at)
	if err != nil {
		t.Fatal(err)
	}
	return workspace.Rule{ID: id, CreatedAt: created, Rule: text, Rationale: rationale, Tags: tags}
}

func someRules(t *testing.T) []workspace.Rule {
	return []workspace.Rule{
		taggedRule(t, "r-e", "2026-01-05T00:00:00.1Z", "Quote the policy.", "", "policy"),
		taggedRule(t, "r-d", "2026-01-05T00:00:00.15Z", "Check the window.", "Refunds came late.", "orders"),
		taggedRule(t, "r-c", "2026-01-03T00:00:00Z", "Check the order id.", "", "refunds", "breach:agent_reliability"),
		taggedRule(t, "r-b", "2026-01-02T00:00:00Z", "Be polite about refunds.", "", "refunds"),
		taggedRule(t, "r-a", "2026-01-01T00:00:00Z", "Never guess.", ""),
		taggedRule(t, "r-0", "2026-01-01T00:00:00Z", "Always greet.", ""),
	}
}

func ids(rules []workspace.Rule) []string {
	names := []string{}
	for _, r := range rules {
		names = append(names, r.ID)
	}
	return names
}

func TestSelectRules(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		topK        int
		want        []string
		omitted     int
	}{
		{"tag and text beat a tag, a tag beats a text", "REFUNDS!", 2, []string{"r-0", "r-a", "r-b", "r-c"}, 2},
		{"a text beats nothing", "refunds", 3, []string{"r-0", "r-a", "r-b", "r-c", "r-d"}, 1},
		{"part of a signature", "agent reliability", 1, []string{"r-0", "r-a", "r-c"}, 3},
		{"no overlap, newest first", "shipping", 2, []string{"r-0", "r-a", "r-e", "r-d"}, 2},
		{"no words at all", "?!", 1, []string{"r-0", "r-a", "r-d"}, 3},
		{"more than there are", "refunds", 9, []string{"r-0", "r-a", "r-b", "r-c", "r-e", "r-d"}, 0},
		{"none", "refunds", 0, []string{"r-0", "r-a"}, 4},
	} {
		chosen, omitted := selectRules(someRules(t), tt.query, tt.topK)
		if diff := cmp.Diff(tt.want, ids(chosen)); diff != "" || omitted != tt.omitted {
			t.Errorf("%s: omitted %d, want %d (-want +got):\n%s", tt.name, omitted, tt.omitted, diff)
		}
	}
}

func TestSearchRules(t *testing.T) {
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"refunds", []string{"r-b", "r-c", "r-d"}},
		{"check order", []string{"r-c", "r-d"}},
		{"check", []string{"r-d", "r-c"}},
		{"refund", []string{}},
		{"", []string{}},
	} {
		if diff := cmp.Diff(tt.want, ids(searchRules(someRules(t), tt.query))); diff != "" {
			t.Errorf("search %q (-want +got):\n%s", tt.query, diff)
		}
	}
}

func TestWordsOf(t *testing.T) {
	got := wordsOf("Stra\u00dfe-7b agent_reliability", "\u8ba2\u5355A", "\u0939\u093f\u0928\u094d\u0926\u0940", "")
	want := map[string]bool{
		"strasse": true, "7b": true, "agent": true, "reliability": true,
		"\u8ba2": true, "\u5355": true, "a": true,
		"\u0939\u093f\u0928\u094d\u0926\u0940": true, // vowel signs are part of the word
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
}
