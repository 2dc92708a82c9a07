package lifecycle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// found is what a damage must be told as: "kind file:line severity", and "mends"
// behind it when a repair mends it.
func asFound(f workspace.Finding) string {
	place, _, _ := strings.Cut(f.String(), ": ")
	text := f.Kind + " " + place + " " + string(f.Severity)
	if f.Repairable {
		text += " mends"
	}
	return text
}

func foundAll(findings []workspace.Finding) []string {
	all := []string{}
	for _, f := range findings {
		all = append(all, asFound(f))
	}
	return all
}

type damage struct {
	name string
	make func(p patient)
	want []string // as found gives it
	says string   // part of what one of them says
}

func TestNothingIsWrongWithASoundWorkspace(t *testing.T) {
	p := newPatient(t)
	before := p.files()
	h := p.examine()
	if !h.OK || len(h.Findings) > 0 {
		t.Errorf("got %v", h.Findings)
	}
	want := workspace.Examined{Rules: 3, Cases: 1, Notices: 2, Sessions: 2, Records: 12}
	if diff := cmp.Diff(want, h.Examined); diff != "" {
		t.Errorf("want - got +:\n%s", diff)
	}
	if diff := cmp.Diff(before, p.files()); diff != "" {
		t.Errorf("the examination changed files (-before +after):\n%s", diff)
	}
}

// TestEveryDamageIsFoundAndMendedWithoutLoss makes each kind of damage in a
// sound workspace.
func TestEveryDamageIsFoundAndMendedWithoutLoss(t *testing.T) {
	for _, d := range slices.Concat(ruleDamages, documentDamages, evidenceDamages, journalDamages, folderDamages, surroundingDamages) {
		t.Run(d.name, func(t *testing.T) { d.check(t) })
	}
}

func (d damage) check(t *testing.T) {
	p := newPatient(t)
	sound := p.evidenceLines()
	d.make(p)
	damaged, readable := p.files(), p.records()

	h := p.examine()
	if diff := cmp.Diff(d.want, foundAll(h.Findings)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if d.says != "" && !slices.ContainsFunc(h.Findings, func(f workspace.Finding) bool { return strings.Contains(f.String(), d.says) }) {
		t.Errorf("%v do not say %q", h.Findings, d.says)
	}
	if diff := cmp.Diff(damaged, p.files()); diff != "" {
		t.Errorf("the examination changed files (-before +after):\n%s", diff)
	}

	var left []string
	mendable := false
	for _, w := range d.want {
		if strings.HasSuffix(w, " mends") {
			mendable = true
		} else {
			left = append(left, w)
		}
	}
	h = p.repair()
	if diff := cmp.Diff(append([]string{}, left...), foundAll(h.Findings)); diff != "" {
		t.Errorf("left after the repair (-want +got):\n%s", diff)
	}
	if mendable != (len(h.Repaired) > 0) {
		t.Errorf("repaired: %v", h.Repaired)
	}
	if after := p.files(); !mendable && !cmp.Equal(damaged, after) {
		t.Errorf("a repair without anything to mend changed files (-before +after):\n%s", cmp.Diff(damaged, after))
	}
	after := p.records()
	for _, record := range readable {
		if !slices.Contains(after, record) && !d.changes(record, after) {
			t.Errorf("the repair lost the record %s", record)
		}
	}
	now := p.evidenceLines()
	for text := range sound {
		if mendable && !now[text] {
			t.Errorf("the line is gone: %s", text)
		}
	}

	repaired := p.files()
	h = p.repair()
	if len(h.Repaired) > 0 || h.Repairable() > 0 {
		t.Errorf("a second repair: %v, %v", h.Repaired, h.Findings)
	}
	if diff := cmp.Diff(repaired, p.files()); diff != "" {
		t.Errorf("a second repair changed files (-before +after):\n%s", diff)
	}
}

// changes tells a record that its repair is meant to change: a notice is
// answered, as the journal says; what was read as a record of the folder in which
// it lay is read as what it is.
func (d damage) changes(record string, after []string) bool {
	if strings.HasPrefix(record, "notice ") {
		return strings.Contains(d.name, "acknowledgement")
	}
	kind, text, _ := strings.Cut(record, " {")
	head, _, _ := strings.Cut(text, `,"type"`)
	head, _, _ = strings.Cut(head, `,"session_id"`)
	isOther := func(other string) bool { return !strings.HasPrefix(other, kind+" {") && strings.Contains(other, head) }
	return strings.Contains(head, `"id":"`) && slices.ContainsFunc(after, isOther)
}
