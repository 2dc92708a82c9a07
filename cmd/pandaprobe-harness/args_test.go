package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseGivesTheCanonicalLine(t *testing.T) {
	for _, test := range []struct{ line, want []string }{
		{
			[]string{"rule", "show", "r-1", "--json"},
			[]string{"p", "--json=true", "rule", "show", "--", "r-1"},
		}, {
			[]string{"--workspace", "w", "rule", "--reason=a=b", "retire", "--lock-timeout", "2", "--", "--json"},
			[]string{"p", "--workspace=w", "--lock-timeout=2s", "rule", "retire", "--reason=a=b", "--", "--json"},
		}, {
			[]string{"rule", "add", "--tag", "a,b", "--rule", "-", "--tag="},
			[]string{"p", "rule", "add", "--tag=a,b", "--rule=-", "--tag="},
		}, {
			[]string{"validate", "--fail-on", "x", "--check", "--", "sh", "-c", "--", "--check"},
			[]string{"p", "validate", "--fail-on=x", "--check=true", "--", "sh", "-c", "--", "--check"},
		}, {
			[]string{"journal", "-n", "3", "--json"},
			[]string{"p", "--json=true", "journal", "--last=3"},
		}, {
			[]string{"rule", "search", "one", "--json=0", "two"},
			[]string{"p", "--json=false", "rule", "search", "--", "one", "two"},
		},
	} {
		inv, err := parse(wholeApp(), test.line)
		if err != nil {
			t.Errorf("parse(%q): %v", test.line, err)
			continue
		}
		if diff := cmp.Diff(test.want, inv.canonical("p")); diff != "" {
			t.Errorf("parse(%q) (-want +got):\n%s", test.line, diff)
		}
	}
}

func TestAsksForJSON(t *testing.T) {
	for line, want := range map[string]bool{
		"":                       false,
		"rule list --json":       true,
		"--json bogus --nothing": true,
		"--json=true":            true,
		"--json --json=false":    false,
		"--json=perhaps":         false,
		"validate -- x --json":   false,
		"rule list --jsonx":      false,
		"--json validate -- x":   true,
	} {
		if got := asksForJSON(strings.Fields(line)); got != want {
			t.Errorf("asksForJSON(%q) = %v, want %v", line, got, want)
		}
	}
}

// FuzzParse wants every command line understood or refused as a wrong call, and
// its canonical form to mean the same again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"rule show r-1 --json", "--", "rule add --rule -x --tag a --tag b", "validate -- sh -c x", "help rule", "--=x", "-", "--json=",
		"case add --score m=1 --input @f", "rule add --rule", "--version", "rule retire --reason=--json r-1 --set a=b --lock-timeout 1",
	} {
		f.Add(strings.ReplaceAll(seed, " ", "\n"))
	}
	app := wholeApp()
	f.Fuzz(func(t *testing.T, text string) {
		inv, err := parse(app, strings.Split(text, "\n"))
		var usage *usageError
		switch {
		case err != nil && !errors.As(err, &usage):
			t.Fatalf("error of another kind: %v", err)
		case err != nil || inv.help:
			return
		}
		canonical := inv.canonical("p")
		again, err := parse(app, canonical[1:])
		if err != nil {
			t.Fatalf("the canonical line %q is refused: %v", canonical, err)
		}
		if diff := cmp.Diff(canonical, again.canonical("p")); diff != "" {
			t.Errorf("the canonical line changes (-first +second):\n%s", diff)
		}
	})
}
