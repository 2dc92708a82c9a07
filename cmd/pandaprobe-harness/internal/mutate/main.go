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
	tried, caught := 0, 0
	for _, m := range mutations {
		if !strings.Contains(strings.Join([]string{m.Promise, m.Change, m.File, m.Test}, "\n"), only) {
			continue
		}
		tried++
		failed, err := m.try(ctx, tags)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		word := "SURVIVED"
		switch {
		case err != nil:
			word = "NO TEST "
		case failed:
			word = "caught  "
			caught++
		}
		fmt.Printf("%s  %s: %s (%s)\n", word, m.File, m.Change, m.Test)
		if err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("%d of %d mutations caught\n", caught, tried)
	if caught < tried {
		return fmt.Errorf("%d were not caught", tried-caught)
	}
	return nil
}
