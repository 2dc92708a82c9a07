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

// TestOneRepairSettlesANoticeInBothFolders: what the files say of themselves
// counts, and an answer is never set aside.
func TestOneRepairSettlesANoticeInBothFolders(t *testing.T) {
	const id = "n-20260201T120006000000-0000000b"
	pending := noticeText(id, "pending", "null")
	answer := noticeText(id, "acknowledged", `{"acked_at": "2026-02-01T12:00:07.000000Z", "rule_id": "r-00000000a1", "note": "done"}`)
	pendingFile := "state/mailbox/pending/" + path.Base(answeredFile)
	for name, c := range map[string]struct {
		pending, processed string
		journaled          bool // that it was answered
		want               string
	}{
		"a copy":                     {pending, pending, false, pendingFile},
		"a copy of an answered one":  {pending, pending, true, answeredFile},
		"a crash":                    {pending, answer, true, answeredFile},
		"an answer in both":          {answer, answer, true, answeredFile},
		"an answer among the open":   {answer, pending, true, answeredFile},
		"an answer nobody journaled": {answer, pending, false, answeredFile},
		"a broken one":               {"{", pending, false, pendingFile},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPatient(t)
			p.write(pendingFile, c.pending)
			p.write(answeredFile, c.processed)
			if !c.journaled {
				p.edit(dayFile, eventLine(7, "ack", `"session_id":"s-1","rule_id":"r-00000000a1","notice_id":"`+id+`","note":"done"`), "")
			}
			if h := p.repair(); !h.OK || len(h.Repaired) == 0 {
				t.Errorf("repaired %v, left %v", h.Repaired, h.Findings)
			}
			files := p.files()
			gone := map[string]string{pendingFile: answeredFile, answeredFile: pendingFile}[c.want]
			n, err := p.Workspace.Notice(id)
			if files[c.want] == "" || files[gone] != "" || err != nil || (n.Resolution != nil) != (c.want == answeredFile) {
				t.Errorf("%s, wanted at %s: %+v, %v", gone, c.want, n, err)
			}
			if h := p.repair(); len(h.Repaired) > 0 {
				t.Errorf("a second repair: %v", h.Repaired)
			}
		})
	}
}
