package workspace

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// pass reads a value that nobody wants. The decoder's own SkipValue is made for
// huge values, and takes several times as long over small ones.
func pass(d *jsontext.Decoder) error {
	_, err := d.ReadValue()
	return err
}

// eachMember reads an object. take is called with each name, and must read or
// skip the value.
func eachMember(d *jsontext.Decoder, take func(name []byte) error) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		name := []byte(raw[1 : len(raw)-1])
		// One that is spelt with an escape is longer than any name we know.
		if len(name) > len("series") && bytes.IndexByte(name, '\\') >= 0 {
			if name, err = jsontext.AppendUnquote(nil, raw); err != nil {
				return err
			}
		}
		if err := take(name); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}
