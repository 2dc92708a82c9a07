package main

import (
	"slices"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
	"github.com/pandaprobe/pandaprobe-harness/lifecycle/tool"
	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// values suggests what a flag or an argument may be. The placeholder, such as
// ID, says what it is; the owner, which is the flag or the group of the command,
// says of what. Each word gets the prefix, such as --kind=, in front.
func (c *completer) values(owner, placeholder, prefix string) suggestions {
	var found suggestions
	switch placeholder {
	case "FILE":
		found.Shell = "files"
	case "DIR":
		found.Shell = "folders"
	case "ID":
		found = c.ids(owner)
	case "KNOB=VALUE":
		found = c.knobs(strings.TrimPrefix(c.last, prefix))
	case "LIST":
		found = listWords(strings.TrimPrefix(c.last, prefix), listItems(owner))
	default:
		found = knownWords(owner, placeholder)
	}
	for i := range found.Words {
		found.Words[i].Word = prefix + found.Words[i].Word
	}
	return found
}

// knownWords suggests what a placeholder stands for when that is the same in
// every workspace.
func knownWords(owner, placeholder string) (found suggestions) {
	var words []string
	switch owner + " " + placeholder {
	case "kind KIND":
		words = []string{workspace.Failure, workspace.Win}
	case "status STATUS":
		words = []string{string(workspace.Candidate), string(workspace.Active), string(workspace.Retired), "all"}
	case "type TYPE":
		words = lifecycle.EventTypes()
	case "metric METRIC":
		words = []string{workspace.MetricReliability, workspace.MetricConsistency}
	case "threshold METRIC=VALUE", "score METRIC=VALUE":
		words = []string{workspace.MetricReliability + "=", workspace.MetricConsistency + "="}
	case "completion SHELL":
		words = shells()
	case "tool NAME":
		words = tool.Names()
	}
	for _, word := range words {
		found.add(word, "")
	}
	return found
}

// listItems are the words of a list with commas.
func listItems(flag string) []string {
	switch flag {
	case "fail-on":
		return []string{lifecycle.GateRetired, lifecycle.GateInconclusive, lifecycle.GatePending}
	case "source":
		return lifecycle.ScoreSources()
	}
	return nil
}

// listWords suggests how a list may go on.
func listWords(begun string, items []string) (found suggestions) {
	front := begun[:strings.LastIndexByte(begun, ',')+1]
	for _, item := range items {
		if !slices.Contains(strings.Split(front, ","), item) {
			found.add(front+item, "")
		}
	}
	return found
}

func (c *completer) knobs(begun string) (found suggestions) {
	for _, knob := range workspace.Knobs() {
		name, _, valued := strings.Cut(begun, "=")
		switch _, isBool := knob.Default.(bool); {
		case !valued && knob.Name == "thresholds":
			found.add("thresholds.", knob.Doc)
		case !valued:
			found.add(knob.Name+"=", knob.Doc)
		case name == knob.Name && isBool:
			found.add(name+"=true", "")
			found.add(name+"=false", "")
		}
	}
	return found
}

// ids suggests those of the workspace; where there is none that can be read
// there is nothing to suggest.
func (c *completer) ids(owner string) (found suggestions) {
	ws, err := c.openWorkspace()
	if err != nil {
		return found
	}
	switch owner {
	case "rule":
		rules, _, _ := ws.LiveRules()
		for _, r := range rules {
			found.add(r.ID, string(r.Status)+": "+r.Rule)
		}
	case "case":
		cases, _, _ := ws.Cases()
		for _, one := range cases {
			found.add(one.ID, one.Kind+" of session "+one.SessionID)
		}
	case "notice":
		notices, _ := ws.Notices(false)
		for _, n := range notices {
			found.add(n.ID, n.Summary)
		}
	}
	return found
}
