package tool

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// Set is the operations of one workspace.
type Set struct {
	Engine *lifecycle.Engine

	// Trace reads a trace from the platform, as (*platform.Client).Trace does.
	Trace func(ctx context.Context, traceID string) (platform.Trace, error)
}

// Call runs the named operation. arguments is a JSON object, or nil for none;
// the result encodes as one JSON object whose ok is true (docs/tools.md).
// Errors: CodeNotFound for an unknown operation; CodeBadInput with the
// argument's name as its field for arguments that cannot be used; and those of
// the engine.
func (s Set) Call(ctx context.Context, name string, arguments jsontext.Value) (any, error) {
	i := slices.IndexFunc(operations(), func(o operation) bool { return o.name == name })
	if i < 0 {
		return nil, workspace.Errorf(workspace.CodeNotFound, "no operation %q; there are %s", name, strings.Join(Names(), ", "))
	}
	o := operations()[i]
	checked, err := o.check(arguments)
	if err != nil {
		return nil, err
	}
	return o.run(ctx, s, checked)
}

// Operation describes an operation to an agent.
type Operation struct {
	Name         string           `json:"name"`
	Description  string           `json:"description"`
	InputSchema  Schema           `json:"input_schema"`  // of the arguments
	OutputSchema Schema           `json:"output_schema"` // of the result
	Examples     []jsontext.Value `json:"examples"`      // arguments that fit
}

// Operations describes every operation.
func Operations() []Operation {
	var all []Operation
	for _, o := range operations() {
		d := Operation{
			Name: o.name, Description: o.about,
			InputSchema: inputSchema(o.params), OutputSchema: outputSchema(o.returns),
		}
		for _, example := range o.examples {
			d.Examples = append(d.Examples, jsontext.Value(example))
		}
		all = append(all, d)
	}
	return all
}

// Names lists the names of the operations.
func Names() []string {
	var names []string
	for _, o := range operations() {
		names = append(names, o.name)
	}
	return names
}

// operation is one thing that an agent can do.
type operation struct {
	name     string
	about    string
	params   []param
	returns  []param  // beside ok
	examples []string // arguments
	run      func(ctx context.Context, s Set, a arguments) (any, error)
}

func operations() []operation {
	return slices.Concat(ruleOperations(), mailboxOperations(), historyOperations(), evalsetOperations(), traceOperations())
}
