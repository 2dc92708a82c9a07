package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func ruleAddCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "add",
		Usage: "record a rule as a candidate",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "rule", Required: true, Usage: "the rule's `TEXT`; - reads standard input"},
			&cli.StringFlag{Name: "rationale", Usage: "why it should help, as `TEXT`; - reads standard input"},
			&cli.StringFlag{Name: "metric", Usage: "the `METRIC` that it is about"},
			&cli.StringFlag{Name: "notice", Usage: "the notice `ID` that it answers; its signatures become tags"},
			&cli.StringSliceFlag{Name: "tag", Usage: "a `TAG`; may be repeated"},
		},
		Description: `
Records a rule with the baseline of now. A live rule of the same text is
returned as it is, with created false. At max_active_rules the rule is refused
until another one is retired. With rule_validation off it is active at once.

Example:
  pandaprobe-harness rule add --rule "Confirm the order id before a refund." \
    --rationale "Two refunds went to the wrong order." --metric agent_reliability

Exit codes: 0 added or there already, 1 refused or failed, 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runRuleAdd(c.Context, e, ruleAddOptions{
				rule:      c.String("rule"),
				rationale: c.String("rationale"),
				metric:    c.String("metric"),
				notice:    c.String("notice"),
				tags:      c.StringSlice("tag"),
			})
		},
	}
}

type ruleAddOptions struct {
	rule, rationale, metric, notice string
	tags                            []string
}

func runRuleAdd(ctx context.Context, e *env, o ruleAddOptions) error {
	e.signals.catch()
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	if err := e.readTexts(ctx, textFlag{"--rule", &o.rule}, textFlag{"--rationale", &o.rationale}); err != nil {
		return err
	}
	rule, created, err := engine.AddRule(ctx, lifecycle.NewRule{
		Rule: o.rule, Rationale: o.rationale, Metric: o.metric, NoticeID: o.notice, Tags: o.tags,
	})
	if err != nil {
		return err
	}
	if t := rule.Trial; created && rule.Status == workspace.Candidate && rule.Metric != "" && t.BaselineSessions > 0 && t.BaselineBreachedSessions == 0 {
		e.warn(fmt.Sprintf("the baseline (the last %s) has no breach of %q; without a replay command the rule is promoted unless its trial has one",
			count(t.BaselineWindow, "incident"), lifecycle.SafeLine(string(rule.Metric))))
	}
	return e.print(ruleDocument{OK: true, Rule: rule, Created: created}, func(w io.Writer) { printAdded(w, rule, created) })
}

// ruleDocument is the JSON of rule add, show and retire.
type ruleDocument struct {
	OK      bool           `json:"ok"`
	Rule    workspace.Rule `json:"rule"`
	Created bool           `json:"created"`
}

func printAdded(w io.Writer, rule workspace.Rule, created bool) {
	if !created {
		fmt.Fprintf(w, "%s: is there already (%s): %s\n", rule.ID, rule.Status, lifecycle.SafeLine(rule.Rule))
		return
	}
	fmt.Fprintf(w, "%s: added (%s): %s\n", rule.ID, rule.Status, lifecycle.SafeLine(rule.Rule))
	if rule.Status == workspace.Candidate {
		fmt.Fprintf(w, "baseline: %s\n", baselineText(rule.Trial))
	}
}
