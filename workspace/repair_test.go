package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	dayFile     = journalDir + "/2026-01-01.aaaaaa.jsonl"
	repairedDay = repairedDir + "/" + dayFile
)

func dayLine(n int) string {
	return fmt.Sprintf(`{"ts":"2026-01-01T10:00:%02d.000000Z","id":"%016x","type":"x"}`+"\n", n, n)
}

func examine(t *testing.T, w *Workspace) *Examination {
	t.Helper()
	x, err := w.Examine(context.Background(), ExamineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// mendAll mends and returns what had to be left alone.
func mendAll(t *testing.T, w *Workspace, x *Examination) (mended []Mended, left []error) {
	t.Helper()
	update(t, w, func(tx *Tx) (err error) {
		mended, err = tx.Mend(x, func(err error) { left = append(left, err) })
		return err
	})
	return mended, left
}

func newRepairTest(t *testing.T) *Workspace {
	w := newTest(t)
	w.Writer = "aaaaaa"
	at(w, "2026-03-01T12:00:00Z")
	return w
}

// TestWhatIsTakenOutIsKept wants every byte of a file to be in it or among the
// repaired.
func TestWhatIsTakenOutIsKept(t *testing.T) {
	w := newRepairTest(t)
	half := `{"ts":"2026-01-01T10:00:00.000000Z","type":"caf` + "\xc3"
	write(t, w, dayFile, "\xef\xbb\xbf"+dayLine(1)+half+"\n"+dayLine(2)+"\x00\x00\n\n"+half+dayLine(3)+half)
	mended, left := mendAll(t, w, examine(t, w))
	if len(mended) == 0 || len(left) > 0 {
		t.Fatalf("mended %v, left %v", mended, left)
	}
	if diff := cmp.Diff("\xef\xbb\xbf"+dayLine(1)+dayLine(2)+"\n"+dayLine(3), read(t, w, dayFile)); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(half+"\n\x00\x00\n"+half+"\n"+half+"\n", read(t, w, repairedDay)); diff != "" {
		t.Errorf("what was taken out (-want +got):\n%s", diff)
	}

	// What a later repair takes out goes behind it.
	write(t, w, dayFile, read(t, w, dayFile)+"{\n")
	mendAll(t, w, examine(t, w))
	if got := read(t, w, repairedDay); !strings.HasSuffix(got, half+"\n{\n") {
		t.Errorf("got %q", got)
	}
}

// TestLinesThatCameSinceTheExaminationStay: a writer of this clone appended
// between the look and the repair, behind the torn end.
func TestLinesThatCameSinceTheExaminationStay(t *testing.T) {
	w := newRepairTest(t)
	write(t, w, dayFile, dayLine(1)+"{")
	x := examine(t, w)
	at(w, "2026-01-01T12:00:00Z")
	journal(t, w, "late")
	appended := strings.TrimPrefix(read(t, w, dayFile), dayLine(1)+"{\n")
	if _, left := mendAll(t, w, x); len(left) > 0 {
		t.Fatal(left)
	}
	if diff := cmp.Diff(dayLine(1)+appended, read(t, w, dayFile)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// What is journaled after the repair goes into the file that replaced it.
	journal(t, w, "later")
	if x := examine(t, w); x.Examined.Records != 3 {
		t.Errorf("%d records", x.Examined.Records)
	}
}

// TestAFileThatChangedSinceIsLeftAlone: git may have put another one there.
func TestAFileThatChangedSinceIsLeftAlone(t *testing.T) {
	for name, now := range map[string]string{
		"another line":  dayLine(1) + "{x\n",
		"a shorter one": dayLine(1),
	} {
		w := newRepairTest(t)
		write(t, w, dayFile, dayLine(1)+"{]\n")
		x := examine(t, w)
		write(t, w, dayFile, now)
		mended, left := mendAll(t, w, x)
		if len(mended) > 0 || len(left) != 1 || read(t, w, dayFile) != now {
			t.Errorf("%s: mended %v, left %v, file %q", name, mended, left, read(t, w, dayFile))
		}
	}
}

// TestAMovedRecordCountsOnce also when the repair is broken off
// between its two steps and done again.
func TestAMovedRecordCountsOnce(t *testing.T) {
	w := newRepairTest(t)
	other := strings.Replace(dayLine(2), "01-01", "01-02", 1)
	write(t, w, dayFile, dayLine(1)+other)
	testOnlyFault = func(op, path string) error {
		if op == "rename" && strings.HasSuffix(path, "2026-01-01.aaaaaa.jsonl") {
			return errors.New("no space left on device")
		}
		return nil
	}
	x := examine(t, w)
	err := w.Update(context.Background(), func(tx *Tx) error { _, err := tx.Mend(x, func(error) {}); return err })
	testOnlyFault = nil
	if CodeOf(err) != CodeIO {
		t.Fatalf("got %v, want the failure told", err)
	}
	if read(t, w, dayFile) != dayLine(1)+other {
		t.Error("the file changed")
	}
	mendAll(t, w, examine(t, w))
	if got := journalTypes(t, w, JournalFilter{}); len(got) != 2 {
		t.Errorf("got %v", got)
	}
	if x := examine(t, w); len(x.Findings) > 0 {
		t.Errorf("left: %v", x.Findings)
	}
}

// TestABrokenOffRepairLosesNothing lets every step fail in turn.
func TestABrokenOffRepairLosesNothing(t *testing.T) {
	for _, op := range []string{"mkdir", "open", "create", "write", "sync", "close", "rename", "syncdir", "remove"} {
		w := newRepairTest(t)
		update(t, w, func(tx *Tx) error { return tx.AddRule(exampleRule("r-0123456789")) })
		write(t, w, dayFile, dayLine(1)+"{\n"+dayLine(2)+strings.Replace(dayLine(3), "01-01", "01-02", 1))
		write(t, w, rulesDir+"/.tmp-r-0123456789.toml-01234567", "id")
		x := examine(t, w)
		fails := 0
		testOnlyFault = func(at, path string) error {
			if at == op && !strings.HasSuffix(path, "writer") {
				fails++
				return errors.New("no space left on device")
			}
			return nil
		}
		err := w.Update(context.Background(), func(tx *Tx) error { _, err := tx.Mend(x, func(error) {}); return err })
		testOnlyFault = nil
		if fails > 0 && err == nil {
			t.Errorf("%s: failed %d times and nobody said so", op, fails)
		}
		mendAll(t, w, examine(t, w))
		if x := examine(t, w); len(x.Findings) > 0 {
			t.Errorf("%s: left: %v", op, x.Findings)
		}
		if got := journalTypes(t, w, JournalFilter{}); len(got) != 3 {
			t.Errorf("%s: %d events are left", op, len(got))
		}
		if !strings.Contains(read(t, w, repairedDay), "{\n") {
			t.Errorf("%s: what was taken out is gone", op)
		}
	}
}

func TestEvidenceIsNotRepairedThroughALink(t *testing.T) {
	w := newRepairTest(t)
	outside := filepath.Join(t.TempDir(), "day.jsonl")
	if err := os.WriteFile(outside, []byte(dayLine(1)+"{\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, w.path(dayFile)); err != nil {
		t.Skip("this system has no symbolic links for us")
	}
	_, left := mendAll(t, w, examine(t, w))
	content, _ := os.ReadFile(outside)
	if len(left) != 1 || CodeOf(left[0]) != CodeRefused || string(content) != dayLine(1)+"{\n" {
		t.Errorf("left %v, content %q", left, content)
	}
}

// TestAnExaminationAmidWritersFindsNothing: what a writer is half-way through is
// no damage.
func TestAnExaminationAmidWritersFindsNothing(t *testing.T) {
	w := newTest(t)
	writer, err := Open(w.Root)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var failed error
	var done sync.WaitGroup
	done.Go(func() {
		for n := 0; failed == nil; n++ {
			select {
			case <-stop:
				return
			default:
			}
			failed = writer.Update(context.Background(), func(tx *Tx) error { return liveAndDie(tx, n) })
		}
	})
	for range 60 {
		for _, f := range examine(t, w).Findings {
			t.Errorf("found %v", f)
		}
	}
	close(stop)
	done.Wait()
	if failed != nil {
		t.Fatal(failed)
	}
}

// liveAndDie is the life of a rule, an answered notice and a session.
func liveAndDie(tx *Tx, n int) error {
	id, now := fmt.Sprintf("r-%010x", n), NewTime(tx.w.Now())
	rule := exampleRule(id)
	notice := Notice{ID: NewNoticeID(now.Std()), CreatedAt: now, SessionID: "s", Status: Pending}
	answered := notice
	answered.Status = Acknowledged
	_, err := tx.Journal(Event{Type: "rule_add", RuleID: id, SessionID: strings.Repeat("s", 9000)}, nil)
	err1 := errors.Join(err, tx.AddRule(rule))
	_, err2 := tx.AppendTrial(id, TrialLine{Type: Observation, SessionID: "s"})
	_, _, err3 := tx.AppendSession(SessionLine{SessionID: fmt.Sprintf("s-%d", n%5)})
	return errors.Join(err1, err2, err3, tx.PutNotice(notice), tx.PutNotice(answered), tx.SetStatus(id, Retired, "retired:x"))
}

// TestAppendsAfterARepairGoToTheNewFile: in one transaction a record is moved
// into a file, the file is repaired, and a line is appended to it.
func TestAppendsAfterARepairGoToTheNewFile(t *testing.T) {
	w := newRepairTest(t)
	at(w, "2026-01-02T12:00:00Z")
	nextDay := journalDir + "/2026-01-02.aaaaaa.jsonl"
	write(t, w, dayFile, dayLine(1)+strings.Replace(dayLine(2), "01-01", "01-02", 1))
	write(t, w, nextDay, strings.Replace(dayLine(3), "01-01", "01-02", 1)+"{\n")
	x := examine(t, w)
	update(t, w, func(tx *Tx) error {
		if _, err := tx.Mend(x, func(err error) { t.Error(err) }); err != nil {
			return err
		}
		_, err := tx.Journal(Event{Type: "after"}, nil)
		return err
	})
	if got := journalTypes(t, w, JournalFilter{}); len(got) != 4 || got[3] != "after" {
		t.Errorf("got %v", got)
	}
	if x := examine(t, w); len(x.Findings) > 0 {
		t.Errorf("left: %v", x.Findings)
	}
}
