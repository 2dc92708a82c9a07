// Command mutate breaks the program on purpose, one place at a time, and wants a
// test to fail for each (docs/mutations.md). The tree itself is never changed.
//
//	mutate [-tags TAGS] [-only TEXT] LIST
//	mutate -table LIST
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	tags := flag.String("tags", "", "the build `TAGS` of the tests")
	only := flag.String("only", "", "leave out mutations whose promise, change, file and tests do not contain `TEXT`")
	table := flag.Bool("table", false, "print the list as a table in Markdown and run nothing")
	flag.Parse()
	if err := run(flag.Arg(0), *tags, *only, *table); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(list, tags, only string, asTable bool) error {
	mutations, err := load(list)
	if err != nil {
		return err
	}
	if asTable {
		fmt.Print(table(mutations))
		return nil
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	tried, survived := 0, 0
	for _, m := range mutations {
		if !strings.Contains(strings.Join([]string{m.Promise, m.Change, m.File, m.Test}, "\n"), only) {
			continue
		}
		caught, err := m.try(ctx, tags)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Change, err)
		}
		tried++
		word := "caught  "
		if !caught {
			word = "SURVIVED"
			survived++
		}
		fmt.Printf("%s  %s: %s (%s)\n", word, m.File, m.Change, m.Test)
	}
	fmt.Printf("%d of %d mutations caught\n", tried-survived, tried)
	if survived > 0 {
		return fmt.Errorf("%d survived", survived)
	}
	return nil
}
