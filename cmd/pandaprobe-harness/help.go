package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"
)

// helpPage is the help of one command, or of the program when path is empty.
type helpPage struct {
	app  *cli.App
	path []*cli.Command
}

// printHelp writes help that was asked for. It is a text, whatever --json says.
func (e *env) printHelp(app *cli.App, path []*cli.Command) error {
	e.json = false
	return e.print(nil, func(w io.Writer) { writeHelp(w, &helpPage{app, path}) })
}

func writeHelp(w io.Writer, page *helpPage) {
	if len(page.path) == 0 {
		writeProgramHelp(w, page.app)
		return
	}
	c := page.path[len(page.path)-1]
	fmt.Fprintf(w, "%s: %s\n\nUsage:\n  %s\n", commandName(page.path), c.Usage, synopsis(page.path))
	if c.Description != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.Description))
	}
	if len(c.Subcommands) > 0 {
		fmt.Fprintf(w, "\nCommands:\n")
		writeCommands(w, c.Subcommands)
	}
	if len(c.Flags) > 0 {
		fmt.Fprintf(w, "\nFlags:\n")
		writeFlags(w, c.Flags)
	}
	fmt.Fprintf(w, "\nFlags of every command:\n")
	writeFlags(w, page.app.Flags)
}

func writeProgramHelp(w io.Writer, app *cli.App) {
	fmt.Fprintf(w, "%s: %s\n\nUsage:\n  %s COMMAND [flags] [arguments]\n", app.Name, app.Usage, app.Name)
	for _, category := range categories {
		var among []*cli.Command
		for _, c := range app.Commands {
			if c.Category == category && !c.Hidden {
				among = append(among, c)
			}
		}
		if len(among) > 0 {
			fmt.Fprintf(w, "\n%s:\n", category)
			writeCommands(w, among)
		}
	}
	fmt.Fprintf(w, "\nFlags of every command, at any place:\n")
	writeFlags(w, app.Flags)
	fmt.Fprintf(w, "\n%s\n\n`%s help COMMAND` tells more about a command.\n", exitCodes, app.Name)
}

const exitCodes = `Exit codes:
  0  done
  1  it failed: an unknown id, a broken file, bad content, no workspace
  2  it was called wrongly; nothing was read or written
  3  a gate tripped
  129, 130, 143  interrupted by SIGHUP, SIGINT, SIGTERM`

// synopsis is how a command is called.
func synopsis(path []*cli.Command) string {
	c := path[len(path)-1]
	parts := []string{programName, commandName(path)}
	if len(c.Subcommands) > 0 {
		parts = append(parts, "COMMAND")
	}
	optional := false
	for _, f := range c.Flags {
		if isRequired(f) {
			parts = append(parts, "--"+f.Names()[0]+" "+placeholder(f))
		} else {
			optional = true
		}
	}
	plain, command := strings.CutSuffix(c.ArgsUsage, commandArgs)
	if plain = strings.TrimSpace(plain); plain != "" {
		parts = append(parts, plain)
	}
	if optional || len(c.Subcommands) > 0 {
		parts = append(parts, "[flags]")
	}
	if command {
		parts = append(parts, commandArgs)
	}
	return strings.Join(parts, " ")
}

func writeCommands(w io.Writer, commands []*cli.Command) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range commands {
		if !c.Hidden {
			fmt.Fprintf(tw, "  %s\t%s\n", c.Name, c.Usage)
		}
	}
	tw.Flush()
}

func writeFlags(w io.Writer, flags []cli.Flag) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range flags {
		name := "--" + f.Names()[0]
		if takesValue(f) {
			name += " " + placeholder(f)
		}
		fmt.Fprintf(tw, "  %s\t%s%s\n", name, strings.ReplaceAll(usageOf(f), "`", ""), defaultOf(f))
	}
	tw.Flush()
}

// placeholder is the part of a flag's usage that stands between backquotes.
func placeholder(f cli.Flag) string {
	if parts := strings.Split(usageOf(f), "`"); len(parts) == 3 {
		return parts[1]
	}
	return "VALUE"
}

func usageOf(f cli.Flag) string {
	if d, ok := f.(cli.DocGenerationFlag); ok {
		return d.GetUsage()
	}
	return ""
}

func defaultOf(f cli.Flag) string {
	if d, ok := f.(*cli.DurationFlag); ok && d.Value != 0 {
		return fmt.Sprintf(" (default %s)", d.Value)
	}
	return ""
}
