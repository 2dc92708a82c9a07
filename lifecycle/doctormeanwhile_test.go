package lifecycle

import (
	"context"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// TestAnAnswerThatCameMeanwhileStays: the journal says that a notice was answered
// and it is pending; between the look and the repair a person answers it.
func TestAnAnswerThatCameMeanwhileStays(t *testing.T) {
	ctx, engine := context.Background(), sourceEngine(t)
	ws := engine.Workspace
	score := 0.1
	answers, err := engine.NewObserver().Observe(ctx, []Report{{SessionID: "s", HasScores: true, Scores: []Score{{Name: "m", Value: &score}}}})
	if err != nil {
		t.Fatal(err)
	}
	id := string(answers[0].NoticeID)
	err = ws.Update(ctx, func(tx *workspace.Tx) error {
		_, err := tx.Journal(workspace.Event{Type: EventAck, SessionID: "s"}, ackEvent{NoticeID: id, Note: "half done"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	d := Doctor{Workspace: ws, Warn: func(err error) { t.Error(err) }}
	x, err := d.examine(ctx)
	if err != nil || len(x.journal) != 1 {
		t.Fatalf("%v, %v", x.journal, err)
	}
	if _, _, err := engine.AckNotice(ctx, Ack{NoticeID: id, Note: "by hand"}); err != nil {
		t.Fatal(err)
	}
	err = ws.Update(ctx, func(tx *workspace.Tx) error {
		mended, err := d.mendJournal(tx, x)
		if len(mended) > 0 {
			t.Errorf("mended %v", mended)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := ws.Notice(id); err != nil || n.Resolution.Note != "by hand" {
		t.Errorf("the answer is now %+v, %v", n.Resolution, err)
	}
}
