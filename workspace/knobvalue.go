package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// value is what the knob is set to, as a plain value for JSON; nil when it is
// a command and there is none.
func (k *knob) value(c *Config) any {
	switch p := k.field(c).(type) {
	case *bool:
		return *p
	case *int:
		return *p
	case *float64:
		return *p
	case *string:
		return *p
	case *[]string:
		return append([]string{}, *p...)
	case *CommandSpec:
		switch {
		case p.Shell != "":
			return p.Shell
		case len(p.Argv) > 0:
			return slices.Clone(p.Argv)
		}
	}
	return nil
}

// reset sets the knob to its default.
func (k *knob) reset(c *Config) {
	switch p := k.field(c).(type) {
	case *bool:
		*p = k.initial.(bool)
	case *int:
		*p = k.initial.(int)
	case *float64:
		*p = k.initial.(float64)
	case *string:
		*p = k.initial.(string)
	case *[]string:
		list, _ := k.initial.([]string)
		*p = slices.Clone(list)
	}
}

// set stores a value as the TOML decoder gives it, when its type and range
// are right. The error has no place; the caller knows where it stands.
func (k *knob) set(c *Config, v any) error {
	switch p := k.field(c).(type) {
	case *bool:
		b, ok := v.(bool)
		if !ok {
			return k.refuse(v)
		}
		*p = b
	case *int:
		n, ok := v.(int64)
		if !ok || int64(int(n)) != n || !k.within.holds(float64(n)) {
			return k.refuse(v)
		}
		*p = int(n)
	case *float64:
		f, err := k.within.number(v)
		if err != nil {
			return err
		}
		*p = f
	case *string:
		s, ok := v.(string)
		if !ok {
			return k.refuse(v)
		}
		if err := k.check(s); err != nil {
			return err
		}
		*p = s
	case *[]string:
		return k.setList(p, v)
	case *CommandSpec:
		return k.setCommand(p, v)
	default:
		return k.refuse(v)
	}
	return nil
}

func (k *knob) setList(p *[]string, v any) error {
	items, ok := v.([]any)
	if !ok {
		return k.refuse(v)
	}
	if len(items) == 0 && k.initial != nil {
		return errors.New("must have at least one item")
	}
	list, err := texts(items)
	if err != nil {
		return err
	}
	for i, s := range list {
		if err := k.check(s); err != nil {
			return fmt.Errorf("item %d of %d %w", i+1, len(list), err)
		}
	}
	*p = list
	return nil
}

func (k *knob) setCommand(p *CommandSpec, v any) error {
	switch v := v.(type) {
	case string:
		if err := checkText(v); err != nil {
			return err
		}
		*p = CommandSpec{Shell: v}
	case []any:
		argv, err := texts(v)
		if err != nil {
			return err
		}
		if len(argv) == 0 || strings.TrimSpace(argv[0]) == "" {
			return errors.New("must name a program; remove the key when there is no command")
		}
		if strings.ContainsRune(strings.Join(argv, ""), 0) {
			return errors.New("must not hold a NUL character")
		}
		*p = CommandSpec{Argv: argv}
	default:
		return k.refuse(v)
	}
	return nil
}

func texts(items []any) ([]string, error) {
	list := make([]string, len(items))
	for i, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, fmt.Errorf("item %d of %d must be text, not %s", i+1, len(items), shown(item))
		}
		list[i] = s
	}
	return list, nil
}

// kind says in words what a value of the knob looks like.
func (k *knob) kind() string {
	switch k.field(new(Config)).(type) {
	case *bool:
		return "true or false"
	case *int:
		return "whole number"
	case *float64:
		return "number"
	case *string:
		return "text"
	case *[]string:
		return "list of texts"
	case *CommandSpec:
		return "text or list of texts"
	}
	return "table of numbers"
}

func (k *knob) refuse(v any) error { return k.within.refuse(k.kind(), v) }
