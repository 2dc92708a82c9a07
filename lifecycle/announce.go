package lifecycle

import (
	"context"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// announce tells, once a workspace, that candidates are judged by forward
// trials because there is no replay command; and again only after a command had
// come and gone. What was told last is the last `validation` event.
func (r *round) announce(ctx context.Context) error {
	mode := r.mode()
	told, err := r.announced()
	if err != nil || told == mode || told == "" && mode == ValidatorReplay {
		return err
	}
	if mode == ValidatorTrial {
		r.log("no replay command is set ([replay] command): candidates are judged by forward trials on live sessions")
	}
	if r.options.DryRun {
		return nil
	}
	return r.Workspace.Update(ctx, func(tx *workspace.Tx) error {
		return tx.Atomically(func() error {
			if _, err := tx.Journal(workspace.Event{Type: EventValidation}, validationEvent{Mode: mode, Reason: modeReason(mode)}); err != nil {
				return err
			}
			return tx.PutMark(announcedMark, mode)
		})
	})
}

const announcedMark = "announced_mode"

type validationEvent struct {
	Mode   string `json:"mode"`
	Reason string `json:"reason"`
}

func modeReason(mode string) string {
	if mode == ValidatorTrial {
		return "no replay command is set"
	}
	return "a replay command is set"
}

// announced returns the mode that was told last, from this clone's mark or, in
// a fresh clone, from the journal.
func (r *round) announced() (string, error) {
	if mark := r.Workspace.Mark(announcedMark); mark != "" {
		return mark, nil
	}
	events, err := r.Workspace.Events(workspace.JournalFilter{Types: []string{EventValidation}, Last: 1})
	if err != nil || len(events) == 0 {
		return "", err
	}
	var last validationEvent
	return last.Mode, events[0].Decode(&last)
}
