package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/pandaprobe/pandaprobe-harness/calibrate"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// calibrationLabels are labels and what messages call the place they came from.
type calibrationLabels struct {
	labels *calibrate.Labels
	source string
}

// startLabels begins to read the labels that were asked for, and returns what
// waits for them; they are nil when none were. A file is read while the scores
// are gathered, for both take their time; one that is bad ends the gathering.
func (e *env) startLabels(ctx context.Context, stop func(), ws *workspace.Workspace, o calibrateOptions) func() (*calibrationLabels, error) {
	var labels *calibrationLabels
	var err error
	done := make(chan struct{})
	read := func() {
		defer close(done)
		switch {
		case o.labels != "":
			labels, err = e.readLabels(ctx, o.labels)
		case o.fromEvalSet:
			labels, err = e.evalSetLabels(ws)
		}
		if err != nil {
			stop()
		}
	}
	if o.labels == "" || o.labels == "-" {
		read() // it may have something to say, which is not for two at once
	} else {
		go read()
	}
	return func() (*calibrationLabels, error) {
		<-done
		return labels, err
	}
}

func (e *env) readLabels(ctx context.Context, file string) (*calibrationLabels, error) {
	data, source, err := e.readInput(ctx, file)
	if err != nil {
		return nil, err
	}
	labels, err := calibrate.ReadLabels(bytes.NewReader(data))
	var bad *calibrate.LabelError
	if errors.As(err, &bad) {
		return nil, labelFault(source, bad)
	}
	return &calibrationLabels{labels, source}, err
}

func labelFault(source string, bad *calibrate.LabelError) error {
	message := bad.Reason
	if bad.Entry > 0 {
		message = fmt.Sprintf("entry %d: %s", bad.Entry, message)
	}
	return &workspace.Error{Code: workspace.CodeBadInput, File: source, Line: bad.Line, Message: message, Err: bad}
}

// evalSetLabels takes a session whose newest case is a failure as failed, and
// one whose newest case is a win as ok.
func (e *env) evalSetLabels(ws *workspace.Workspace) (*calibrationLabels, error) {
	cases, err := ws.Baselines()
	if err != nil {
		return nil, err
	}
	for _, broken := range cases.Broken {
		e.warn("evalset: " + broken.Error())
	}
	const source = "state/evalset"
	if len(cases.Failed) == 0 {
		return nil, &workspace.Error{Code: workspace.CodeBadInput, File: source, Message: "holds no case that could be a label; capture some, or give labels with --labels"}
	}
	return &calibrationLabels{calibrate.LabelsFromMap(cases.Failed), source}, nil
}
