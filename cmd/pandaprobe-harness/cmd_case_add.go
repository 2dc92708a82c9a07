package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func caseAddCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "add",
		Usage: "add a case to the eval set",
		Flags: []cli.Flag{
			fileFlag("read the case from `FILE` instead of standard input"),
			&cli.StringFlag{Name: "session", Usage: "the captured session's `ID`"},
			&cli.StringFlag{Name: "kind", Usage: "`KIND` of the case: failure or win"},
			&cli.StringSliceFlag{Name: "signature", Usage: "a `SIGNATURE` such as breach:agent_reliability; may be repeated"},
			&cli.StringSliceFlag{Name: "score", Usage: "a baseline score, as `METRIC=VALUE` between 0 and 1; may be repeated"},
			inputFlag(),
			&cli.StringFlag{Name: "notes", Usage: "`TEXT` for readers; - reads standard input"},
		},
		Description: `
Adds a case from a JSON document on standard input or in --file, with the fields
session_id, kind, signature, baseline_scores, replay_input, notes and, to keep
them, id and created_at; or from flags. A case of the same session, kind and
signatures is returned as it is, with created false. Numbers in the replay input
are kept digit for digit.

Examples:
  pandaprobe-harness case add < case.json
  pandaprobe-harness case add --session s-17 --kind failure \
    --signature breach:agent_reliability --score agent_reliability=0.3 \
    --input '{"question": "Where is my parcel?"}'

Exit codes: 0 added or there already, 1 bad content or refused, 2 called
wrongly.`,
		Action: func(c *cli.Context) error {
			return runCaseAdd(c.Context, e, caseAddOptions{
				file:       c.String("file"),
				session:    c.String("session"),
				kind:       c.String("kind"),
				signatures: c.StringSlice("signature"),
				scores:     c.StringSlice("score"),
				input:      c.String("input"),
				notes:      c.String("notes"),
				byFlags:    slices.ContainsFunc([]string{"session", "kind", "signature", "score", "input", "notes"}, c.IsSet),
			})
		},
	}
}

type caseAddOptions struct {
	file                        string
	session, kind, input, notes string
	signatures, scores          []string
	byFlags                     bool // the case stands in flags, not in a document
}

func runCaseAdd(ctx context.Context, e *env, o caseAddOptions) error {
	e.signals.catch()
	if err := o.check(); err != nil {
		return err
	}
	engine, err := e.openEngine()
	if err != nil {
		return err
	}
	var c workspace.Case
	var source string
	if o.byFlags {
		c, err = o.fromFlags(ctx, e)
	} else {
		c, source, err = fromDocument(ctx, e, o.file)
	}
	if err != nil {
		return err
	}
	kept, created, err := engine.AddCase(ctx, c)
	if err != nil {
		return inSource(err, source)
	}
	what := "added"
	if !created {
		what = "is there already"
	}
	return e.printCase(kept, created, what)
}

// check finds what is wrong with the call before anything is read.
func (o caseAddOptions) check() error {
	if !o.byFlags {
		return nil
	}
	if o.file != "" {
		return &usageError{flag: "--file", message: "case add takes a document (--file) or the fields of a case as flags, not both"}
	}
	for _, needed := range []struct{ flag, value string }{{"--session", o.session}, {"--kind", o.kind}} {
		if needed.value == "" {
			return &usageError{flag: needed.flag, message: "case add needs " + needed.flag + " when the case is given in flags"}
		}
	}
	if o.input == "-" && o.notes == "-" {
		return &usageError{flag: "--notes", message: "only one of --input and --notes can read standard input"}
	}
	_, err := parseScores(o.scores)
	return err
}

func (o caseAddOptions) fromFlags(ctx context.Context, e *env) (c workspace.Case, err error) {
	if err := e.readTexts(ctx, textFlag{"--notes", &o.notes}); err != nil {
		return c, err
	}
	c = workspace.Case{SessionID: o.session, Kind: o.kind, Signature: o.signatures, Notes: o.notes}
	if c.BaselineScores, err = parseScores(o.scores); err != nil {
		return c, err
	}
	if o.input != "" {
		c.ReplayInput, err = e.readValue(ctx, o.input)
	}
	return c, err
}

// parseScores reads METRIC=VALUE, cut at the last "=".
func parseScores(assignments []string) (map[string]float64, error) {
	scores := map[string]float64{}
	for _, text := range assignments {
		wrong := func(what string) error {
			return &usageError{flag: "--score", message: fmt.Sprintf("flag --score: %q %s", text, what)}
		}
		at := strings.LastIndexByte(text, '=')
		if at < 1 {
			return nil, wrong("is not METRIC=VALUE")
		}
		metric := text[:at]
		value, err := strconv.ParseFloat(text[at+1:], 64)
		if err != nil {
			return nil, wrong("has no number behind the =")
		}
		if _, twice := scores[metric]; twice {
			return nil, wrong("gives a metric a second score")
		}
		scores[metric] = value
	}
	return scores, nil
}

// caseInput is the document that case add reads.
type caseInput struct {
	ID             string             `json:"id"`
	CreatedAt      workspace.Time     `json:"created_at"`
	SessionID      string             `json:"session_id"`
	Kind           string             `json:"kind"`
	Signature      textOrList         `json:"signature"`
	BaselineScores workspace.Baseline `json:"baseline_scores"`
	ReplayInput    jsontext.Value     `json:"replay_input"`
	Notes          string             `json:"notes"`
	Unknown        map[string]any     `json:",embed"`
}

var caseInputFields = []string{"id", "created_at", "session_id", "kind", "signature", "baseline_scores", "replay_input", "notes"}

func fromDocument(ctx context.Context, e *env, file string) (c workspace.Case, source string, err error) {
	data, source, err := e.readInput(ctx, file)
	if err != nil {
		return c, source, err
	}
	var in caseInput
	if err := workspace.DecodeInput(source, data, &in); err != nil {
		return c, source, err
	}
	if err := refuseUnknown(source, in.Unknown, caseInputFields); err != nil {
		return c, source, err
	}
	return workspace.Case{
		ID: in.ID, CreatedAt: in.CreatedAt, SessionID: in.SessionID, Kind: in.Kind, Signature: in.Signature,
		BaselineScores: in.BaselineScores, ReplayInput: in.ReplayInput, Notes: in.Notes,
	}, source, nil
}

// inSource names the document whose content is at fault.
func inSource(err error, source string) error {
	if bad, ok := err.(*workspace.Error); ok && bad.Code == workspace.CodeBadInput && bad.File == "" {
		bad.File = source
	}
	return err
}
