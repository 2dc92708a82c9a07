package workspace

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mergedLines are lines of three kinds of evidence as two clones wrote them, in
// the order in which they count: by instant, however it is spelt, then by id.
var mergedLines = []string{
	`{"id":"09","ts":"2026-01-01T10:00:00+01:00"`,
	`{"ts":"2026-01-01T09:59:59.999999Z","id":"0123456789abcdef"`,
	`{"ts":"2026-01-01T10:00:00.000000Z","id":"0000000000000001"`,
	`{"id":"0000000000000002","ts":"2026-01-01T10:00:00Z"`,
	`{"ts":"2026-01-01T05:00:00.0-05:00","id":"0000000000000003"`,
	`{"ts":"2026-01-01T10:00:00.000000Z","id":"0000000000000004"`,
	`{"ts":"2026-01-01T10:00:00.100000Z","id":"0000000000000006"`,
	`{"id":"0000000000000007","ts":"2026-01-01T10:00:00.1Z"`,
	`{"ts":"2026-01-01T11:00:00.1+01:00","id":"0000000000000008"`,
}

// TestMergedLinesHaveOneOrder deals them out to two writers, each line to one or
// to both of them, and some of them twice, as merges do.
func TestMergedLinesHaveOneOrder(t *testing.T) {
	var want []string
	for _, line := range mergedLines {
		_, rest, _ := strings.Cut(line, `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		want = append(want, id)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		files := [2]string{}
		for _, i := range random.Perm(len(mergedLines)) {
			line := mergedLines[i] + `,"type":"observation","session_id":"s","signatures":[]}` + "\n"
			to := random.IntN(4)
			for writer := range files {
				if to == writer || to > 1 {
					files[writer] += line
				}
			}
			if to == 3 {
				files[0] += line
			}
		}
		w := newTest(t)
		for writer, content := range files {
			for _, base := range []string{journalDir + "/2026-01-01", trialsDir + "/r-0123456789", sessionsDir + "/s"} {
				write(t, w, fmt.Sprintf("%s.writer-%d.jsonl", base, writer), content)
			}
		}
		events, err1 := w.Events(JournalFilter{})
		trials, err2 := w.TrialLines("r-0123456789")
		sessions, err3 := w.SessionLines("s")
		for kind, got := range map[string][]string{
			"events":   idsOf(events, func(e Event) string { return e.ID }),
			"trials":   idsOf(trials, func(l TrialLine) string { return l.ID }),
			"sessions": idsOf(sessions, func(l SessionLine) string { return l.ID }),
		} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got): %v %v %v\n%s", kind, err1, err2, err3, diff)
			}
		}
	}
}

func idsOf[T any](lines []T, id func(T) string) (ids []string) {
	for _, line := range lines {
		ids = append(ids, id(line))
	}
	return ids
}

// TestWhatAMergeBringsIsFound: evidence of a writer that was not known when the
// writers were listed last.
func TestWhatAMergeBringsIsFound(t *testing.T) {
	w := newTest(t)
	w.Writer = "aaaaaa"
	for _, session := range []string{"s", "s-2"} {
		update(t, w, func(tx *Tx) error {
			_, _, err := tx.AppendSession(SessionLine{SessionID: session})
			return err
		})
		if lines, err := w.SessionLines(session); err != nil || len(lines) != 1 {
			t.Fatalf("got %v, %v", lines, err)
		}
	}
	write(t, w, "state/sessions/s.bbbbbb.jsonl", `{"ts":"2026-01-01T10:00:00Z","id":"1","session_id":"s"}`+"\n")
	fresh, err := Open(w.Root)
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]*Workspace{"the same process": w, "another": fresh} {
		if lines, err := w.SessionLines("s"); err != nil || len(lines) != 2 {
			t.Errorf("%s: got %v, %v", name, lines, err)
		}
	}
}

// TestABreachOnEitherSideStaysOne, whichever line of the session comes last.
func TestABreachOnEitherSideStaysOne(t *testing.T) {
	rule := exampleRule("r-0123456789")
	for _, breached := range [][]bool{{true, false}, {false, true}} {
		var lines []TrialLine
		for _, b := range breached {
			lines = append(lines, TrialLine{Type: Observation, SessionID: "s", Breached: b})
		}
		if rule.JoinTrial(lines, 5); !rule.Trial.Breached("s") {
			t.Errorf("%v: got %v", breached, rule.Trial.BreachedSessions)
		}
	}
}

// TestARuleOfAnotherZoneIsToldInUTC: it says the same instant.
func TestARuleOfAnotherZoneIsToldInUTC(t *testing.T) {
	w := newTest(t)
	text := formatRule(exampleRule("r-0123456789"))
	write(t, w, rulesDir+"/r-0123456789.toml", strings.ReplaceAll(text, "2026-03-01T10:00:00.000000Z", "2026-03-01T12:00:00+02:00"))
	r, err := w.Rule("r-0123456789")
	if err != nil || r.CreatedAt.String() != "2026-03-01T10:00:00.000000Z" || r.Trial.TrialStartedAt.String() != r.CreatedAt.String() {
		t.Errorf("made %s, tried since %s, %v", r.CreatedAt, r.Trial.TrialStartedAt, err)
	}
}

// TestGitMergesAllEvidenceAndNoCase: init asks it to.
func TestGitMergesAllEvidenceAndNoCase(t *testing.T) {
	w := newTest(t)
	attributes := read(t, w, ".gitattributes")
	for _, line := range []string{sessionsDir + "/*.jsonl merge=union", trialsDir + "/*.jsonl merge=union", journalDir + "/*.jsonl merge=union", casesDir + "/*.json -merge"} {
		if !strings.Contains(attributes, line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, attributes)
		}
	}
}
