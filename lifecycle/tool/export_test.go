package tool

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Check is the check of the arguments alone.
func Check(name string, arguments jsontext.Value) error {
	i := slices.IndexFunc(operations(), func(o operation) bool { return o.name == name })
	_, err := operations()[i].check(arguments)
	return err
}
