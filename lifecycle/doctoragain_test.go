package lifecycle_test

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var evidenceFiles = []string{dayFile, trialFile, session1File, session9File}

// comesBack wants one repair to bring back everything that readers read, and
// nothing else.
func (p patient) comesBack(before []string) {
	p.t.Helper()
	if h := p.repair(); !h.OK || len(h.Repaired) == 0 {
		p.t.Errorf("repaired %v, left %v", h.Repaired, h.Findings)
	}
	if diff := cmp.Diff(before, p.records()); diff != "" {
		p.t.Errorf("records (-before +after):\n%s", diff)
	}
	if h := p.repair(); len(h.Repaired) > 0 {
		p.t.Errorf("a second repair: %v", h.Repaired)
	}
}

// TestEvidenceInAnotherFolderComesHome moves each file of evidence into each
// folder of evidence where it does not belong.
func TestEvidenceInAnotherFolderComesHome(t *testing.T) {
	for _, rel := range evidenceFiles {
		for _, dir := range []string{"state/journal", "state/trials", "state/sessions"} {
			if path.Dir(rel) == dir {
				continue
			}
			t.Run(path.Base(rel)+" in "+path.Base(dir), func(t *testing.T) {
				p := newPatient(t)
				before := p.records()
				p.write(dir+"/"+path.Base(rel), p.read(rel))
				p.remove(rel)
				p.comesBack(before)
			})
		}
	}
}

// TestNothingIsJournaledThatOnlyWasNotRead: what a repair makes readable again
// is not made up a second time.
func TestNothingIsJournaledThatOnlyWasNotRead(t *testing.T) {
	for name, instead := range map[string]string{"none": "", "of old Macs": "\r", "blanks": "  ", "doubled": "\r\r"} {
		for _, files := range [][]string{{dayFile}, evidenceFiles} {
			t.Run("line ends "+name, func(t *testing.T) {
				p := newPatient(t)
				before := p.records()
				for _, rel := range files {
					p.write(rel, strings.ReplaceAll(p.read(rel), "\n", instead))
				}
				p.comesBack(before)
			})
		}
	}
}

// TestALineOfManyRecordsIsTakenApartWhole, however many they are.
func TestALineOfManyRecordsIsTakenApartWhole(t *testing.T) {
	p := newPatient(t)
	var many strings.Builder
	for range 3000 {
		many.WriteString(eventLine(31+many.Len()%9, "health", `"x":1`))
	}
	p.append(dayFile, many.String())
	text := p.read(dayFile)
	p.write(dayFile, strings.ReplaceAll(text, "\n", ""))
	if h := p.repair(); h.Count("error") > 0 {
		t.Errorf("left %v", h.Findings)
	}
	if p.read(dayFile) != text {
		t.Error("the lines are not those of before")
	}
}
