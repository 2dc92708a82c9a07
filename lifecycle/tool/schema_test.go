package tool_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle/tool"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func compile(t testing.TB, name string, schema tool.Schema) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, decoded(t, text)); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return compiled
}

// decoded is a document as the schema library wants it.
func decoded(t testing.TB, text []byte) any {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return document
}

// TestExamplesFitTheirSchemasAndRun: what the list shows works as it stands, and
// gives what its schema says.
func TestExamplesFitTheirSchemasAndRun(t *testing.T) {
	for _, o := range tool.Operations() {
		t.Run(o.Name, func(t *testing.T) {
			input, output := compile(t, "input.json", o.InputSchema), compile(t, "output.json", o.OutputSchema)
			if len(o.Examples) == 0 || o.Description == "" {
				t.Error("it has no example or no description")
			}
			for _, example := range o.Examples {
				if err := input.Validate(decoded(t, example)); err != nil {
					t.Errorf("%s: %v", example, err)
				}
				result, err := newSet(t).Call(context.Background(), o.Name, example)
				if err != nil {
					t.Fatalf("%s: %v", example, err)
				}
				text, err := json.Marshal(result)
				if err != nil {
					t.Fatal(err)
				}
				if err := output.Validate(decoded(t, text)); err != nil {
					t.Errorf("%s gave %s: %v", example, text, err)
				}
			}
		})
	}
}

// TestOutputSchemasNameEveryField, so that none is forgotten when one is added.
func TestOutputSchemasNameEveryField(t *testing.T) {
	for _, o := range tool.Operations() {
		result, err := newSet(t).Call(context.Background(), o.Name, o.Examples[0])
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		for field := range decoded(t, text).(map[string]any) {
			if _, ok := o.OutputSchema.Properties[field]; !ok || !slices.Contains(o.OutputSchema.Required, field) {
				t.Errorf("%s: the schema does not name %s", o.Name, field)
			}
		}
	}
}

// FuzzArgumentsAgreeWithTheSchema: what the schema takes is not refused for its
// shape, and what it refuses is.
func FuzzArgumentsAgreeWithTheSchema(f *testing.F) {
	for i, o := range tool.Operations() {
		for _, example := range o.Examples {
			f.Add(i, string(example))
		}
	}
	for _, text := range []string{
		`{}`, `{"rule": null}`, `{"rule": 1, "tags": ["a", 1]}`, `{"tags": null, "rule": "x"}`, `{"last": 1.0}`, `{"last": -0}`, `{"last": 1e2}`,
		`{"last": 1.5}`, `{"last": 2147483648}`, `{"last": 1e400}`, `{"all": "true"}`, `{"status": null}`, `{"status": "x"}`, `{"replay_input": null, "case_id": "c"}`, `{"rul": 1}`, `[]`, `1`, `null`,
	} {
		for i := range tool.Operations() {
			f.Add(i, text)
		}
	}
	operations := tool.Operations()
	var schemas []*jsonschema.Schema
	for _, o := range operations {
		schemas = append(schemas, compile(f, "input.json", o.InputSchema))
	}
	f.Fuzz(func(t *testing.T, at int, text string) {
		if at < 0 || at >= len(operations) || !jsontext.Value(text).IsValid() {
			return
		}
		fits := schemas[at].Validate(decoded(t, []byte(text))) == nil
		err := tool.Check(operations[at].Name, jsontext.Value(text))
		if fits != (err == nil) {
			t.Errorf("%s %s: the schema says %v, the check %v", operations[at].Name, text, fits, err)
		}
		if err != nil && workspace.CodeOf(err) != workspace.CodeBadInput {
			t.Errorf("%s: %v", text, err)
		}
	})
}
