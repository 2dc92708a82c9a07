package workspace

import (
	"bytes"
	"fmt"
	"strings"
)

// noticeFile is a notice file as it was found.
type noticeFile struct {
	rel    string
	data   []byte
	notice Notice
	broken bool
}

// notices reads the mailbox, the pending ones first: a notice that is
// acknowledged meanwhile is found in one of the two folders.
func (x *examiner) notices() {
	pending, processed := x.noticesIn(pendingDir), x.noticesIn(processedDir)
	x.found.Examined.Notices = len(pending) + len(processed)
	for id, f := range pending {
		if twin, twice := processed[id]; twice {
			if !f.isCopied(twin) {
				x.noticeTwice(f, twin)
				continue
			}
			x.noticeCopied(f, twin)
			delete(processed, id)
		}
		x.keepNotice(id, f, Pending)
	}
	for id, f := range processed {
		x.keepNotice(id, f, Acknowledged)
	}
}

func (x *examiner) noticesIn(dir string) map[string]noticeFile {
	found := map[string]noticeFile{}
	for _, name := range x.folder(dir, jsonEnding) {
		f := noticeFile{rel: dir + "/" + name}
		var ok bool
		if f.data, ok = x.read(f.rel); !ok {
			continue
		}
		var err error
		if f.notice, err = parseNotice(f.rel, f.data); err != nil {
			f.broken = true
			x.broken(f.rel, f.data, err)
		} else {
			x.add(x.future(f.rel, jsonLine(f.data, "created_at"), "created_at", f.notice.CreatedAt)...)
			if r := f.notice.Resolution; r != nil {
				x.add(x.future(f.rel, jsonLine(f.data, "acked_at"), "acked_at", r.AckedAt)...)
			}
		}
		found[strings.TrimSuffix(name, jsonEnding)] = f
	}
	return found
}

// parseNotice is what readNotice asks of a notice, and what a notice needs to
// be of use.
func parseNotice(rel string, data []byte) (Notice, error) {
	var n Notice
	if err := decodeDocument(rel, data, &n); err != nil {
		return n, err
	}
	if err := sameAsName(rel, n.ID); err != nil {
		return n, err
	}
	wrong := func(field, message string) error {
		return &Error{Code: CodeBrokenFile, File: rel, Field: field, Message: message}
	}
	if err := CheckNoticeID(n.ID); err != nil {
		return n, wrong("id", err.Error())
	}
	if n.CreatedAt.IsZero() {
		return n, wrong("created_at", "is missing; give an RFC 3339 time")
	}
	if err := CheckSessionID(n.SessionID); err != nil {
		return n, wrong("session_id", err.Error())
	}
	if n.Status != Pending && n.Status != Acknowledged {
		return n, wrong("status", fmt.Sprintf("is %q; it must be %s or %s", clip(n.Status), Pending, Acknowledged))
	}
	return n, nil
}

// keepNotice keeps a notice, and tells when it lies in the wrong folder.
func (x *examiner) keepNotice(id string, f noticeFile, belongs string) {
	if f.broken {
		return
	}
	x.found.Notices[id] = f.notice
	if f.notice.Status == belongs {
		return
	}
	dir := pendingDir
	if f.notice.Status == Acknowledged {
		dir = processedDir
	}
	to := dir + "/" + baseName(f.rel)
	still := func() bool { return exists(x.w.path(f.rel)) && !exists(x.w.path(to)) }
	x.suspect(Finding{Kind: KindMisplacedNotice, File: f.rel, Line: jsonLine(f.data, "status"), Severity: SeverityWarning,
		Message: fmt.Sprintf("is %s but does not lie in %s", f.notice.Status, dir), Mend: "move it there"},
		still,
		func(tx *Tx) (string, error) {
			if now, _ := tx.w.readOptional(f.rel); !still() || !bytes.Equal(now, f.data) {
				return "", nil
			}
			return "moved to " + dir, tx.move(f.rel, to)
		})
}

// noticeTwice tells of a notice in both folders, as a crash between the two
// steps of an acknowledgement leaves it. The processed one counts.
func (x *examiner) noticeTwice(pending, processed noticeFile) {
	f := Finding{Kind: KindNoticeTwice, File: pending.rel, Severity: SeverityWarning,
		Message: "is pending and processed at once; the processed one counts", Mend: "set the pending one aside"}
	if processed.broken {
		f.Severity, f.Mend = SeverityError, "mend or remove the processed one, which is broken"
		x.suspect(f, func() bool { return exists(x.w.path(pending.rel)) && exists(x.w.path(processed.rel)) }, nil)
		return
	}
	x.oneTooMany(f, pending, processed)
}

// isCopied tells a notice of which the folder of the processed ones holds no
// acknowledgement, but one that says of itself that it is pending.
func (pending noticeFile) isCopied(processed noticeFile) bool {
	return !pending.broken && !processed.broken && processed.notice.Status == Pending
}

func (x *examiner) noticeCopied(pending, processed noticeFile) {
	x.oneTooMany(Finding{Kind: KindNoticeTwice, File: processed.rel, Severity: SeverityWarning,
		Message: "lies among the processed, but says itself that it is pending, and " + pendingDir + " holds it too",
		Mend:    "set this one aside"}, processed, pending)
}

// oneTooMany has the extra one of two files set aside.
func (x *examiner) oneTooMany(f Finding, extra, counts noticeFile) {
	still := func() bool { return exists(x.w.path(extra.rel)) && exists(x.w.path(counts.rel)) }
	x.suspect(f, still, func(tx *Tx) (string, error) {
		for _, was := range []noticeFile{extra, counts} {
			if now, _ := tx.w.readOptional(was.rel); !bytes.Equal(now, was.data) {
				return "", nil
			}
		}
		return tx.setAside(extra.rel)
	})
}

// references tells of ids that name nothing.
func (x *examiner) references() {
	if x.staged() {
		return
	}
	for id, n := range x.found.Notices {
		if n.Resolution == nil || n.Resolution.RuleID == "" || x.found.RuleFiles[string(n.Resolution.RuleID)] != "" {
			continue
		}
		x.add(Finding{Kind: KindUnknownRule, File: processedDir + "/" + id + jsonEnding, Severity: SeverityWarning,
			Message: fmt.Sprintf("was answered by the rule %q, which there is not", clip(string(n.Resolution.RuleID))),
			Mend:    "bring the rule's file back from git, or empty rule_id"})
	}
	for id, r := range x.found.Rules {
		notice := string(r.SourceNoticeID)
		if _, ok := x.found.Notices[notice]; notice == "" || ok {
			continue
		}
		x.add(Finding{Kind: KindUnknownNotice, File: x.found.RuleFiles[id], Severity: SeverityNote,
			Message: fmt.Sprintf("was made for the notice %q, which is not in the mailbox (any more)", clip(notice))})
	}
}
