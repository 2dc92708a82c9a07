package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func ruleListCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list the live rules, oldest first",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "status", Usage: "list the rules of this `STATUS` instead: candidate, active, retired or all"},
		},
		Description: `
Lists candidates and active rules; --status chooses others.

Example:
  pandaprobe-harness rule list --status retired

Exit codes: 0 listed, even none; 1 failed; 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runRuleList(c.Context, e, ruleListOptions{status: c.String("status"), given: c.IsSet("status")})
		},
	}
}

type ruleListOptions struct {
	status string
	given  bool
}

func (o ruleListOptions) statuses() ([]workspace.Status, error) {
	all := []workspace.Status{workspace.Candidate, workspace.Active, workspace.Retired}
	if !o.given {
		return nil, nil
	}
	if o.status == "all" {
		return all, nil
	}
	for _, s := range all {
		if o.status == string(s) {
			return []workspace.Status{s}, nil
		}
	}
	return nil, &usageError{flag: "--status", message: fmt.Sprintf("flag --status: %q is no status; use candidate, active, retired or all", o.status)}
}

func runRuleList(_ context.Context, e *env, o ruleListOptions) error {
	statuses, err := o.statuses()
	if err != nil {
		return err
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	rules, err := engine.Rules(statuses...)
	if err != nil {
		return err
	}
	return e.printRules(rules, "no rules")
}

// rulesDocument is the JSON of rule list and search.
type rulesDocument struct {
	OK    bool             `json:"ok"`
	Rules []workspace.Rule `json:"rules"`
}

// printRules shows rules as a table; none says so on standard error.
func (e *env) printRules(rules []workspace.Rule, none string) error {
	if len(rules) == 0 && !e.json {
		e.tell(none)
		return nil
	}
	doc := rulesDocument{OK: true, Rules: append([]workspace.Rule{}, rules...)}
	return e.print(doc, func(w io.Writer) { writeRules(w, rules, widthOf(e.stdout.w)) })
}

// writeRules shows a rule a line, and under a decided one the reason of its
// verdict.
func writeRules(w io.Writer, rules []workspace.Rule, width int) {
	rows := make([][]string, len(rules))
	for i, r := range rules {
		rows[i] = []string{r.ID, string(r.Status), orDash(string(r.Metric)), trialShort(r), r.Rule}
	}
	var b bytes.Buffer
	table(&b, []string{"ID", "STATUS", "METRIC", "TRIAL", "RULE"}, rows, width)
	row := -1 // the heading
	for line := range strings.Lines(b.String()) {
		io.WriteString(w, line)
		if row >= 0 && rules[row].Trial.Verdict != "" {
			io.WriteString(w, cut("  "+lifecycle.SafeLine(strings.Replace(rules[row].Trial.Verdict, ":", ": ", 1)), width)+"\n")
		}
		row++
	}
}

// trialShort is how far a candidate is, or when the rule came to be.
func trialShort(r workspace.Rule) string {
	if r.Status != workspace.Candidate {
		return "-"
	}
	parts := []string{count(len(r.Trial.ObservedSessions), "session")}
	if n := r.Trial.ReplayAttempts; n > 0 {
		parts = append(parts, count(n, "attempt"))
	}
	return strings.Join(parts, ", ")
}
