package workspace

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
)

func checkText(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("must not be empty")
	}
	if strings.ContainsRune(s, 0) {
		return errors.New("must not hold a NUL character")
	}
	return nil
}

// checkPattern only parses: compiling costs more than reading the whole file,
// and most commands never redact.
func checkPattern(s string) error {
	if s == "" {
		return errors.New("must not be empty")
	}
	if _, err := syntax.Parse(s, syntax.Perl); err != nil {
		return fmt.Errorf("is not a regular expression of Go: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return nil
}
