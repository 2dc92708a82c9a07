package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// writeManual writes the manual page, in the format of man(7), from what the
// commands say of themselves.
func writeManual(w io.Writer, app *cli.App) {
	m := manual{w}
	fmt.Fprintf(w, ".TH %s 1 \"\" %q\n", strings.ToUpper(roff(app.Name)), roff(strings.TrimSpace(app.Name+" "+version)))
	m.section("NAME")
	m.text(app.Name + " - " + app.Usage)
	m.section("SYNOPSIS")
	m.text(app.Name + " COMMAND [flags] [arguments]")
	m.section("DESCRIPTION")
	m.text(manualIntroduction)
	m.section("COMMANDS")
	for _, category := range categories {
		for _, c := range app.Commands {
			if c.Category == category {
				m.command(nil, c)
			}
		}
	}
	m.section("FLAGS OF EVERY COMMAND")
	m.flags(app.Flags)
	m.section("KNOBS")
	m.text(manualKnobs)
	for _, knob := range workspace.Knobs() {
		m.item(knob.Name, knobText(knob))
	}
	for _, s := range manualEnd {
		m.section(s.heading)
		m.text(s.text)
	}
}

const manualIntroduction = `
Keeps the rules that AI agents write for themselves in a folder of files, and
makes each one earn its place: a new rule is a candidate; replays of captured
sessions, or the next live sessions, promote or retire it; and the journal says
why. It also tells whether the thresholds of the scores mean real failures.

Flags may stand anywhere up to --, before and after the command and its
arguments. Results come on standard output, all else on standard error.`

const manualKnobs = `
A knob has the value of --set, else of the environment, else of harness.toml,
else its default.`

// manualEnd are the sections behind the knobs.
var manualEnd = []struct{ heading, text string }{
	{"ENVIRONMENT", `
  HARNESS_ROOT         the workspace, unless --workspace names one
  HARNESS_WRITER       the name under which this clone writes evidence, such as ci
  HARNESS_<KNOB>       the value of a knob, such as HARNESS_REPLAY_TIMEOUT_S
  HARNESS_IN_REPLAY    set for a replay: what is observed fills no trial
  HARNESS_CHECK        set for a replay under --check: nothing is written
  GITHUB_STEP_SUMMARY  a file that gets the Markdown summary`},
	{"FILES", `
  harness.toml      the knobs; makes a folder a workspace
  harness_rules.md  the rules in force, for the agent's system prompt
  state/            rules, cases, evidence, journal, mailbox; to be committed
  state/local/      what belongs to this clone; ignored by git`},
	{"EXIT STATUS", strings.TrimPrefix(exitCodes, "Exit codes:\n")},
	{"SEE ALSO", `
The folder docs/ of the source: cli.md for every JSON document and code, replay.md
for the replay command, closed-loop.md for live traffic, calibration.md.`},
}

func knobText(knob workspace.KnobInfo) string {
	text := knob.Doc + "; " + knob.Kind
	if knob.Range != "" {
		text += ", " + knob.Range
	}
	switch initial := knob.Default.(type) {
	case nil:
	case []string:
		if len(initial) > 0 {
			text += "; default " + strings.Join(initial, ", ")
		}
	default:
		text += fmt.Sprintf("; default %v", initial)
	}
	return text
}

// manual writes the parts of a page.
type manual struct{ w io.Writer }

func (m manual) section(heading string) { fmt.Fprintf(m.w, ".SH %s\n", heading) }

func (m manual) command(above []*cli.Command, c *cli.Command) {
	path := append(above[:len(above):len(above)], c)
	fmt.Fprintf(m.w, ".SS %s\n%s.\n.PP\n.B %s\n.PP\n", roff(commandName(path)), roff(c.Usage), roff(synopsis(path)))
	m.text(c.Description)
	m.flags(c.Flags)
	for _, sub := range c.Subcommands {
		m.command(path, sub)
	}
}

func (m manual) flags(flags []cli.Flag) {
	for _, f := range flags {
		name := "--" + f.Names()[0]
		if takesValue(f) {
			name += " " + placeholder(f)
		}
		m.item(name, strings.ReplaceAll(usageOf(f), "`", "")+defaultOf(f))
	}
}

func (m manual) item(name, text string) {
	fmt.Fprintf(m.w, ".TP\n.B %s\n%s\n", roff(name), roff(text))
}

// text writes paragraphs; lines that begin with two blanks stand as they are.
func (m manual) text(text string) {
	asIs := false
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		line = strings.TrimRight(line, "\n")
		if indented := strings.HasPrefix(line, "  "); indented != asIs && line != "" {
			asIs = indented
			io.WriteString(m.w, map[bool]string{true: ".RS 4\n.nf\n", false: ".fi\n.RE\n"}[asIs])
		}
		switch {
		case line == "" && !asIs:
			line = ".PP"
		default:
			line = roff(strings.TrimPrefix(line, "  "))
		}
		fmt.Fprintln(m.w, line)
	}
	if asIs {
		io.WriteString(m.w, ".fi\n.RE\n")
	}
}

// roff escapes what the formatter would take as its own, so that a line can be
// copied from the page.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
