// Command pandaprobe-harness validates the rules that AI agents write for
// themselves, against replays and live sessions, in a folder of files.
//
// It joins the packages workspace, lifecycle, replayexec and calibrate, and
// decides nothing itself. docs/cli.md describes its commands, exit codes and
// JSON documents.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args, os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
