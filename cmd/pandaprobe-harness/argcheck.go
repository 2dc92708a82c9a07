package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// check finds what is wrong with a call of a known command, and puts the flags'
// values and the arguments into their final form.
func (call *invocation) check(app *cli.App, w words) error {
	leaf := call.path[len(call.path)-1]
	own := slices.Concat(leaf.Flags, app.Flags)
	given := map[string]string{}
	for _, f := range w.flags {
		at := slices.IndexFunc(own, func(o cli.Flag) bool { return slices.Contains(o.Names(), f.name) })
		if at < 0 {
			return unknownFlag(app, call.path, "--"+f.name)
		}
		f.name = own[at].Names()[0]
		value, err := canonicalValue(own[at], f)
		if err != nil {
			return err
		}
		if old, twice := given[f.name]; twice && old != value && !isRepeatable(own[at]) {
			return &usageError{flag: "--" + f.name, message: fmt.Sprintf("flag --%s is given twice, as %q and %q; give it once", f.name, old, value)}
		}
		given[f.name] = value
		call.flags = append(call.flags, givenFlag{f.name, value})
	}
	for _, f := range leaf.Flags {
		if _, ok := given[f.Names()[0]]; !ok && isRequired(f) {
			return &usageError{flag: "--" + f.Names()[0], message: fmt.Sprintf("%s needs --%s %s", commandName(call.path), f.Names()[0], placeholder(f))}
		}
	}
	return call.checkArgs(leaf, w)
}

// checkArgs holds the arguments against the command's ArgsUsage, in which NAME
// is one argument, [NAME] one that may be left out, NAME... one or more, and
// [-- CMD ARG...] a command behind `--`.
func (call *invocation) checkArgs(leaf *cli.Command, w words) error {
	wanted, takesCommand := strings.CutSuffix(leaf.ArgsUsage, commandArgs)
	least, most := 0, 0
	for name := range strings.FieldsSeq(wanted) {
		most++
		if !strings.HasPrefix(name, "[") {
			least++
		}
		if strings.HasSuffix(name, "...") {
			most = math.MaxInt
		}
	}
	call.args = w.plain
	if !takesCommand {
		call.args = append(call.args, w.after...)
	}
	switch {
	case len(call.args) < least:
		return usagef("%s needs %s", commandName(call.path), strings.Fields(wanted)[len(call.args)])
	case len(call.args) > most && takesCommand:
		return usagef("%s takes no argument %q; the command to run goes behind --", commandName(call.path), call.args[most])
	case len(call.args) > most:
		return usagef("%s: the argument %q is one too many; quote a text that holds blanks", commandName(call.path), call.args[most])
	case takesCommand && w.dashed && len(w.after) == 0:
		return usagef("%s: there is no command behind --", commandName(call.path))
	case takesCommand:
		call.args = append(call.args, w.after...)
	}
	return nil
}

const commandArgs = "[-- CMD ARG...]"

func canonicalValue(f cli.Flag, given givenFlag) (string, error) {
	wrong := func(want string) error {
		return &usageError{flag: "--" + given.name, message: fmt.Sprintf("flag --%s: %q is not %s", given.name, given.value, want)}
	}
	switch f.(type) {
	case *cli.BoolFlag:
		if b, ok := parseBool(given.value); ok {
			return strconv.FormatBool(b), nil
		}
		return "", wrong("true or false")
	case *cli.DurationFlag:
		if d, ok := parseDuration(given.value); ok {
			return d.String(), nil
		}
		return "", wrong("a length of time such as 10s, 1m30s or 0.5 (seconds)")
	case *cli.IntFlag:
		if n, err := strconv.Atoi(given.value); err == nil && n >= 0 {
			return strconv.Itoa(n), nil
		}
		return "", wrong("a whole number from 0 up")
	case *cli.Float64Flag:
		if x, err := strconv.ParseFloat(given.value, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
			return given.value, nil
		}
		return "", wrong("a number")
	}
	return given.value, nil
}

func parseBool(text string) (value, ok bool) {
	value, err := strconv.ParseBool(text)
	return value, err == nil
}

// parseDuration takes a number without a unit as seconds.
func parseDuration(text string) (time.Duration, bool) {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

func isRepeatable(f cli.Flag) bool {
	slice, ok := f.(cli.DocGenerationSliceFlag)
	return ok && slice.IsSliceFlag()
}

func isRequired(f cli.Flag) bool {
	r, ok := f.(cli.RequiredFlag)
	return ok && r.IsRequired()
}
