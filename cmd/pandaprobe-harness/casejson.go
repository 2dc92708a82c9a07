package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v2"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// textOrList is a list of texts for which a single text may stand.
type textOrList []string

// UnmarshalJSONFrom takes a text, a list of texts, or null.
func (t *textOrList) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '"' {
		return json.UnmarshalDecode(d, (*[]string)(t))
	}
	var one string
	if err := json.UnmarshalDecode(d, &one); err != nil {
		return err
	}
	*t = textOrList{one}
	return nil
}

// refuseUnknown says which field of a document nobody knows, and what was
// probably meant.
func refuseUnknown(source string, unknown map[string]any, known []string) error {
	if len(unknown) == 0 {
		return nil
	}
	name := slices.Min(slices.Collect(maps.Keys(unknown)))
	message := "is not known; the fields are " + strings.Join(known, ", ")
	if near, ok := workspace.Nearest(name, known); ok {
		message = "is not known; did you mean " + near + "?"
	}
	return &workspace.Error{Code: workspace.CodeBadInput, File: source, Field: fmt.Sprintf("%.80s", name), Message: message}
}

func fileFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "file", Usage: usage} }

func inputFlag() cli.Flag {
	return &cli.StringFlag{Name: "input", Usage: "the replay input, as `JSON`; @FILE reads a file, - standard input"}
}

// readValue reads the JSON value that --input stands for.
func (e *env) readValue(ctx context.Context, input string) (jsontext.Value, error) {
	return e.readJSON(ctx, "--input", input)
}

// readJSON reads the JSON value that a flag stands for: the value itself, @FILE,
// or - for standard input.
func (e *env) readJSON(ctx context.Context, flag, text string) (jsontext.Value, error) {
	file, isFile := strings.CutPrefix(text, "@")
	if !isFile && text != "-" {
		return decodeValue(flag, []byte(text))
	}
	data, source, err := e.readInput(ctx, file)
	if err != nil {
		return nil, err
	}
	return decodeValue(source, data)
}

func decodeValue(source string, data []byte) (value jsontext.Value, err error) {
	err = workspace.DecodeInput(source, data, &value)
	return value, err
}
