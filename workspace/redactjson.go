package workspace

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON does to every string in a JSON value, names of objects too, what Text
// does to a text. All else stays as it is written, byte for byte: numbers,
// order, white space. Names that become the same are told apart by a number
// at the end. It is an error (CodeBadInput) when v is not one JSON value.
func (r Redactor) JSON(v jsontext.Value) (jsontext.Value, error) {
	if r.patterns == nil || len(v) == 0 {
		return v, nil
	}
	if !v.IsValid() {
		return nil, Errorf(CodeBadInput, "cannot redact what is not one JSON value")
	}
	var (
		dec   = jsontext.NewDecoder(bytes.NewReader(v))
		out   []byte
		done  int64
		names objectNames
	)
	for {
		isName := names.follow(dec)
		if dec.PeekKind() != '"' {
			if _, err := dec.ReadToken(); err != nil { // the end: v is valid
				return append(out, v[done:]...), nil
			}
			continue
		}
		raw, _ := dec.ReadValue()
		end := dec.InputOffset()
		start := end - int64(len(raw))
		text, _ := jsontext.AppendUnquote(nil, raw)
		clean := r.Text(string(text))
		if isName {
			clean = names.unique(clean)
		}
		if clean != string(text) {
			out = append(out, v[done:start]...)
			out, _ = jsontext.AppendQuote(out, clean)
			done = end
		}
	}
}

// objectNames knows the names given so far in each open object.
type objectNames []map[string]int

// follow opens and closes objects as the decoder did, and reports whether the
// next string is a name.
func (n *objectNames) follow(dec *jsontext.Decoder) bool {
	depth := dec.StackDepth()
	for len(*n) > depth {
		*n = (*n)[:len(*n)-1]
	}
	for len(*n) < depth {
		*n = append(*n, map[string]int{})
	}
	kind, length := dec.StackIndex(depth)
	return kind == '{' && length%2 == 0
}

// unique returns the name with a number behind it when it is taken.
func (n *objectNames) unique(name string) string {
	used := (*n)[len(*n)-1]
	if used[name]++; used[name] == 1 {
		return name
	}
	for {
		other := fmt.Sprintf("%s-%d", name, used[name])
		if used[other] == 0 {
			used[other] = 1
			return other
		}
		used[name]++
	}
}
