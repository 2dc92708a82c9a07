package tool

import "github.com/go-json-experiment/json"

// Schema is a JSON Schema (draft 2020-12) as far as the operations need it.
type Schema struct {
	Schema               string            `json:"$schema,omitempty"`
	Description          string            `json:"description,omitempty"`
	Type                 Types             `json:"type,omitempty"`
	Const                any               `json:"const,omitempty"`
	Enum                 []any             `json:"enum,omitempty"`
	Items                *Schema           `json:"items,omitempty"`
	Minimum              *int              `json:"minimum,omitempty"`
	Maximum              *int              `json:"maximum,omitempty"`
	Properties           map[string]Schema `json:"properties,omitempty"`
	Required             []string          `json:"required,omitempty"`
	AdditionalProperties *bool             `json:"additionalProperties,omitempty"`
}

// Types names JSON types, one of which a value must have. A single one is
// written as a text, which more readers understand.
type Types []string

// MarshalJSON writes a text or a list of texts.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

// inputSchema describes arguments: an optional one may be null, and there are
// no others.
func inputSchema(params []param) Schema {
	s := Schema{Schema: dialect, Type: Types{"object"}, Properties: map[string]Schema{}, AdditionalProperties: new(bool)}
	for _, p := range params {
		described := p.schema()
		if p.required {
			s.Required = append(s.Required, p.name)
		} else {
			described.Type = append(described.Type, "null")
			if described.Enum != nil {
				described.Enum = append(described.Enum, nil)
			}
		}
		s.Properties[p.name] = described
	}
	return s
}

// outputSchema describes results, to which later versions may add.
func outputSchema(fields []param) Schema {
	s := Schema{
		Schema: dialect, Type: Types{"object"}, Required: []string{"ok"},
		Properties: map[string]Schema{"ok": {Const: true}},
	}
	for _, p := range fields {
		s.Properties[p.name] = p.schema()
		s.Required = append(s.Required, p.name)
	}
	return s
}

func (p param) schema() Schema {
	s := Schema{Description: p.about, Type: p.kind.types()}
	switch p.kind {
	case texts:
		s.Items = &Schema{Type: Types{"string"}}
	case whole:
		most := mostWhole
		s.Minimum, s.Maximum = new(int), &most
	}
	for _, allowed := range p.oneOf {
		s.Enum = append(s.Enum, allowed)
	}
	return s
}

func (k kind) types() Types {
	switch k {
	case text:
		return Types{"string"}
	case texts, list:
		return Types{"array"}
	case whole:
		return Types{"integer"}
	case flag:
		return Types{"boolean"}
	case object:
		return Types{"object"}
	case value:
		return Types{"object", "array", "string", "number", "boolean"}
	}
	return nil
}
