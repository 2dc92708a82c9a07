package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

const noticeFile = `{"id": "n-20260101T000000000000-0000000a", "created_at": "2026-01-01T00:00:00Z", "session_id": "s1",
 "severity": "breach", "signatures": ["breach:m"], "summary": "m=0.30"}`

// completing makes a workspace with one rule, case and notice, and returns what
// is suggested for a command line in it.
func completing(t *testing.T) func(line string) suggestions {
	root := newWorkspace(t, map[string]string{
		"state/rules/r-0000000001.toml":                               candidateFile,
		"state/evalset/c-0000000001.json":                             failureFile,
		"state/mailbox/pending/n-20260101T000000000000-0000000a.json": noticeFile,
	})
	return func(line string) suggestions {
		return (&env{root: root, stderr: t.Output(), told: map[string]bool{}}).complete(line)
	}
}

func TestComplete(t *testing.T) {
	suggest := completing(t)
	for _, test := range []struct{ line, want string }{
		{"", ""},
		{"p", ""},
		{"p val", "validate"},
		{"p rule s", "show status search"},
		{"p rule  'sh", "show"},
		{"p help rule re", "retire"},
		{"p --json rule ret", "retire"},
		{"p rule nope ", ""},
		{"p rule show ", "r-0000000001"},
		{"p rule show c", ""},
		{"p rule show r-0000000001 --js", "--json"},
		{"p rule show --json --js", ""},
		{"p rule list --status ", "candidate active retired all"},
		{"p rule list --status=a", "--status=active --status=all"},
		{"p journal --rule ", "r-0000000001"},
		{"p rule add --rule ", ""},
		{"p rule add --tag x --ta", "--tag"},
		{"p rule add --notice n-2026", "n-20260101T000000000000-0000000a"},
		{"p case remove ", "c-0000000001"},
		{"p case list --kind=f", "--kind=failure"},
		{"p validate --fail-on ret", "retired"},
		{"p validate --fail-on retired,", "retired,inconclusive retired,pending"},
		{"p validate -- ", ":commands"},
		{"p validate -- sh --", ":files"},
		{"p --set eval_case", "eval_case_max="},
		{"p --set=eval_case", "--set=eval_case_max="},
		{"p --set threshold", "thresholds."},
		{"p --set observe_only=", "observe_only=true observe_only=false"},
		{"p --workspace ", ":folders"},
		{"p --file ", ":files"},
		{"p calibrate --source cli,", "cli,evalset cli,history"},
		{"p calibrate --threshold agent_r", "agent_reliability="},
		{"p init ", ":folders"},
		{"p init here --wor", "--workspace"},
		{"p completion ", "bash zsh fish"},
		{"p tool harness_rule_a", "harness_rule_add"},
	} {
		found := suggest(test.line)
		var got []string
		for _, word := range found.Words {
			got = append(got, word.Word)
		}
		if found.Shell != "" {
			got = append(got, ":"+found.Shell)
		}
		if diff := cmp.Diff(strings.Fields(test.want), append([]string{}, got...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.line, diff)
		}
	}
}

// TestCompleteWhereNothingIsBegun offers commands at the start and flags where a
// command wants no argument.
func TestCompleteWhereNothingIsBegun(t *testing.T) {
	suggest := completing(t)
	if words := suggest("p ").Words; len(words) != len(builders())+1 || words[0].About == "" {
		t.Errorf("commands: %v", words)
	}
	if words := suggest("p drain ").Words; len(words) != 6 || words[0].Word != "--timeout" {
		t.Errorf("flags of drain: %v", words)
	}
}

// freeValues are those of flags and arguments that nobody can guess.
var freeValues = strings.Fields(`add-TEXT session-ID session-SESSION history-SESSION evaluate-SESSION signature-SIGNATURE
	rule-TEXT rationale-TEXT reason-TEXT note-TEXT notes-TEXT query-TEXT line-LINE tag-TAG input-JSON args-JSON target-precision-P since-TIME rule-QUERY
	last-N sample-N blame-limit-N timeout-TIME wait-TIME lock-timeout-TIME`)

// TestEveryValueIsKnownOrFree makes whoever adds a flag or an argument decide
// what completes it.
func TestEveryValueIsKnownOrFree(t *testing.T) {
	suggest := completing(t)
	check := func(line, owner, placeholder string) {
		found := suggest(line)
		known := len(found.Words) > 0 && !strings.HasPrefix(found.Words[0].Word, "--") || found.Shell != ""
		if free := slices.Contains(freeValues, owner+"-"+placeholder); known == free {
			t.Errorf("%q: add %s %s to values in completevalues.go, or to freeValues here", line, owner, placeholder)
		}
	}
	flags := func(line string, flags []cli.Flag) {
		for _, f := range flags {
			if takesValue(f) {
				check(line+" --"+f.Names()[0]+" ", f.Names()[0], placeholder(f))
			}
		}
	}
	app := wholeApp()
	flags("p", app.Flags)
	for _, path := range leaves(nil, app.Commands) {
		line, leaf := "p "+commandName(path), path[len(path)-1]
		flags(line, leaf.Flags)
		plain, _ := strings.CutSuffix(leaf.ArgsUsage, commandArgs)
		for word := range strings.FieldsSeq(plain) {
			check(line+" ", path[max(0, len(path)-2)].Name, strings.Trim(word, "[]."))
			line += " x"
		}
	}
}

func TestCutLine(t *testing.T) {
	for _, test := range []struct {
		line  string
		words string
		last  string
	}{
		{"p rule", "p", "rule"},
		{"p rule ", "p|rule", ""},
		{`p 'a b' "c \"d\" \e" f\ g `, `p|a b|c "d" \e|f g`, ""},
		{`p "a b`, "p", "a b"},
		{`p a"b c"d`, "p", "ab cd"},
		{"p ~/w '~/w' a~/w ", "p|/home/me/w|~/w|a~/w", ""},
		{`p '' "" x`, "p||", "x"},
		{`p a\`, "p", "a"},
		{"  p\tx", "p", "x"},
	} {
		words, last := cutLine(test.line, "/home/me")
		if got := strings.Join(words, "|"); got != test.words || last != test.last {
			t.Errorf("cutLine(%q) = %q, %q, want %q, %q", test.line, got, last, test.words, test.last)
		}
	}
}

// FuzzCutLine wants quoting to keep any word whole.
func FuzzCutLine(f *testing.F) {
	f.Add("a b", "c'd")
	f.Add(`\`, `"`)
	f.Add("\x9e", "0")
	f.Fuzz(func(t *testing.T, first, second string) {
		cutLine(first, second) // whatever it holds
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		words, last := cutLine(quote(first)+" "+quote(second), "/home/me")
		first, second = string([]rune(first)), string([]rune(second)) // broken UTF-8 is replaced
		if len(words) != 1 || words[0] != first || last != second {
			t.Errorf("words %q, last %q", words, last)
		}
	})
}
