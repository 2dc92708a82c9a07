package cireport

import (
	"fmt"
	"path"
	"strings"

	"github.com/pandaprobe/pandaprobe-harness/lifecycle"
)

// mostAnnotations is how many of a level GitHub shows of one step.
const mostAnnotations = 10

// Annotations renders the report as GitHub's workflow commands, one a line, the
// loudest first. dir is the workspace's folder in the repository, with slashes
// and "." for its root; with "" the annotations are about no file.
func (r Report) Annotations(dir string) []byte {
	var b strings.Builder
	if r.Failure != "" {
		annotate(&b, Error, "", product+" "+r.Command+" failed", r.Failure)
	}
	for _, level := range []Level{Error, Warning, Notice} {
		left := mostAnnotations
		if level == Error && r.Failure != "" {
			left--
		}
		for _, item := range r.Items {
			if item.Level != level || left == 0 {
				continue
			}
			left--
			annotate(&b, level, inRepository(dir, item.File), item.title(), item.Reason)
		}
	}
	return []byte(b.String())
}

func (item Item) title() string {
	if item.Result == Errored {
		return item.ID + ": could not be judged"
	}
	return item.ID + ": " + item.Outcome
}

func inRepository(dir, file string) string {
	if dir == "" || file == "" {
		return ""
	}
	return path.Join(dir, file)
}

func annotate(b *strings.Builder, level Level, file, title, text string) {
	properties := "title=" + escapeProperty(title)
	if file != "" {
		properties = "file=" + escapeProperty(file) + "," + properties
	}
	fmt.Fprintf(b, "::%s %s::%s\n", level, properties, escapeData(lifecycle.SafeLine(text)))
}

// escapeData keeps a text from ending the workflow command that it stands in.
func escapeData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func escapeProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(lifecycle.SafeLine(text)))
}
