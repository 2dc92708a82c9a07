package main

import (
	"context"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func journalCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:     "journal",
		Category: categoryTraffic,
		Usage:    "print what happened, oldest first",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "type", KeepSpace: true, Usage: "only events of this `TYPE`, such as rule_promote; may be repeated"},
			&cli.StringFlag{Name: "session", Usage: "only events of the session `ID`"},
			&cli.StringFlag{Name: "rule", Usage: "only events of the rule `ID`"},
			&cli.StringFlag{Name: "since", Usage: "only events since `TIME`: 2026-01-31T09:30:00Z, 2026-01-31, or how long ago, such as 12h or 7d"},
			&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Usage: "only the last `N` events, also as -n N; 0 = all"},
		},
		Description: `
Prints the events of the journal: notices, recoveries, acknowledgements, what
became of rules and of eval cases.

Examples:
  pandaprobe-harness journal --last 20
  pandaprobe-harness journal --type rule_promote --type rule_retire --since 7d

Exit codes: 0 printed, even nothing; 1 failed; 2 called wrongly.`,
		Action: func(c *cli.Context) error {
			return runJournal(c.Context, e, lifecycle.JournalQuery{
				Types:     c.StringSlice("type"),
				SessionID: c.String("session"),
				RuleID:    c.String("rule"),
				Since:     c.String("since"),
				Last:      c.Int("last"),
			})
		},
	}
}

func runJournal(ctx context.Context, e *env, q lifecycle.JournalQuery) error {
	if q.Since != "" {
		if _, err := lifecycle.ParseSince(q.Since, time.Now()); err != nil {
			return &usageError{flag: "--since", message: "flag --since: " + err.Error()}
		}
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	printer := newEventPrinter(ctx, e)
	err = engine.WalkJournal(q, printer.print)
	if err == nil && printer.printed == 0 && !e.json {
		e.tell("no events" + doubtType(q.Types))
	}
	return printer.end(err)
}

// doubtType names the type that was probably meant. One that this program does
// not write is no mistake: a journal may have been imported.
func doubtType(types []string) string {
	for _, t := range types {
		if near, ok := workspace.Nearest(t, lifecycle.EventTypes()); ok && !slices.Contains(lifecycle.EventTypes(), t) {
			return "; did you mean --type " + near + "?"
		}
	}
	return ""
}
